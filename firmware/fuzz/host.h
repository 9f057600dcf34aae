/* The host side of PROTOCOL.md for tests of the core: written independently of it, simple and slow. */
#ifndef LASERBOARD_HOST_H
#define LASERBOARD_HOST_H

#include "../core/laserboard.h"

#include <string.h>

enum {
    HOST_HELLO = 1, HOST_FRAME, HOST_DELTA, HOST_RESERVED, HOST_CONFIG, HOST_STATS, HOST_BLANK,
    HOST_PING,
    BOARD_ACK = 0x80, BOARD_HELLO = 0x81, BOARD_STATS = 0x86, BOARD_NACK = 0xff,
    HOST_LONGEST = 8000, /* bytes of payload: more than the board accepts */
    HOST_WIRE = HOST_LONGEST + 100,
};

static inline uint32_t host_crc(const uint8_t *bytes, size_t count) {
    static uint32_t table[256]; /* computed from the definition; the core's table is a literal */
    if (table[255] == 0) {
        for (uint32_t i = 0; i < 256; i++) {
            table[i] = i;
            for (int bit = 0; bit < 8; bit++)
                table[i] = (table[i] >> 1) ^ (table[i] & 1u ? 0xedb88320u : 0u);
        }
    }
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < count; i++) crc = table[(crc ^ bytes[i]) & 0xffu] ^ (crc >> 8);
    return ~crc;
}

/* Encode COBS of any length and append the zero; returns the number of bytes. */
static inline size_t host_cobs(const uint8_t *body, size_t count, uint8_t *wire) {
    size_t end = 0, next = 0;
    for (;;) {
        size_t run = 0;
        while (run < 254 && next + run < count && body[next + run] != 0) run++;
        wire[end++] = (uint8_t)(run + 1);
        memcpy(wire + end, body + next, run);
        end += run;
        next += run;
        if (next == count) break;
        if (run < 254) {
            next++; /* skip the zero; an empty block marks a zero at the end */
            if (next == count) {
                wire[end++] = 1;
                break;
            }
        }
    }
    wire[end++] = 0;
    return end;
}

/* Encode a message into `wire`, which has HOST_WIRE bytes. */
static inline size_t host_message(uint8_t type, uint8_t seq, const uint8_t *payload, size_t count,
                                  uint8_t *wire, uint32_t *crc) {
    uint8_t body[HOST_LONGEST + 6];
    body[0] = type;
    body[1] = seq;
    if (count > 0) memcpy(body + 2, payload, count);
    *crc = host_crc(body, count + 2);
    for (size_t i = 0; i < 4; i++) body[count + 2 + i] = (uint8_t)(*crc >> (8 * i));
    return host_cobs(body, count + 6, wire);
}

/* Decode one answer including its zero; false if COBS or CRC is wrong. `body` excludes the CRC. */
static inline bool host_answer(const uint8_t *wire, size_t count, uint8_t *body, size_t *body_count) {
    size_t end = 0, next = 0;
    if (count < 2 || wire[count - 1] != 0) return false;
    while (next < count - 1) {
        const size_t code = wire[next++];
        if (code == 0 || next + code - 1 > count - 1) return false;
        for (size_t i = 1; i < code; i++) {
            if (wire[next] == 0) return false;
            body[end++] = wire[next++];
        }
        if (next < count - 1 && code < 255) body[end++] = 0;
    }
    if (end < 6) return false;
    *body_count = end - 4;
    const uint32_t crc = host_crc(body, end - 4);
    for (size_t i = 0; i < 4; i++)
        if (body[end - 4 + i] != (uint8_t)(crc >> (8 * i))) return false;
    return true;
}

/* The current of a picture by the formula of PROTOCOL.md. */
static inline uint32_t host_ma(const lb_config *config, const uint8_t *rgb, uint32_t leds) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 3 * leds; i++) sum += rgb[i];
    return (uint32_t)((sum * config->ma_per_led + 764) / 765 + leds);
}

#endif
