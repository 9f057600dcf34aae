/* Fuzz target: runs a conversation with the core and checks invariants after every operation.
 *
 * The input is a list of operations, not raw wire bytes: COBS and CRC of messages are added here,
 * so that mutations reach the code behind them. One operation sends raw bytes.
 *
 *   00 count bytes...                      raw bytes, unchanged
 *   01 ms                                  time passes, then a tick
 *   02 ms ms                               the same, up to a minute
 *   03 busy                                the LEDs are busy (odd) or free (even)
 *   04 type seq count count pattern bytes... a message; its payload repeats the pattern
 *   05 where mask + message as in 04       the same, damaged by one byte on its way
 * Any other operation is one of these, modulo 6. */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/* Limits that keep one input fast. */
enum { MAX_MESSAGES = 24, MAX_OPERATIONS = 100, MAX_PAYLOAD = 16000 };

static struct {
    lb_core core;
    uint8_t guard[64]; /* detects writes behind the core */
    uint32_t now_ms, last_bytes_ms;
    bool busy, raw, lit;
    struct {
        uint8_t type, seq;
        uint32_t crc;
    } sent[MAX_MESSAGES];
    size_t messages, payload, answers;
} run;

#define MUST(claim)                                                          \
    do {                                                                     \
        if (!(claim)) {                                                      \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #claim); \
            abort();                                                         \
        }                                                                    \
    } while (0)

/* An ACK must name a message that was sent, and its effect must be shown by then. */
static bool is_honest(uint8_t seq, uint32_t crc, uint8_t state) {
    for (size_t i = 0; i < run.messages; i++) {
        if (run.sent[i].seq != seq || run.sent[i].crc != crc) continue;
        switch (run.sent[i].type) {
        case HOST_FRAME: case HOST_DELTA: return state == 0 && !run.busy;
        case HOST_BLANK: return state == 1 && !run.busy && !run.lit;
        case HOST_CONFIG: return !run.busy;
        default: return run.sent[i].type == HOST_PING;
        }
    }
    return run.raw; /* raw bytes may have formed a message */
}

static void on_send(void *self, const uint8_t *wire, size_t count) {
    (void)self;
    uint8_t body[300];
    size_t length = 0;
    MUST(count <= 40);
    MUST(host_answer(wire, count, body, &length));
    const uint8_t seq = body[1], *payload = body + 2;
    length -= 2;
    run.answers++;
    switch (body[0]) {
    case BOARD_ACK:
        MUST(length == 5 && payload[4] <= 1 && is_honest(seq, lb_get32(payload), payload[4]));
        break;
    case BOARD_HELLO:
        MUST(length == 28 && lb_get16(payload + 5) == run.core.leds);
        MUST(lb_get16(payload + 5) <= LB_MAX_LEDS && payload[7] <= LB_MAX_LANES);
        break;
    case BOARD_STATS: MUST(length == 32); break;
    case BOARD_NACK:
        MUST(length == 1 && payload[0] >= 1 && payload[0] <= 7);
        MUST(payload[0] > 3 || seq == 0);
        break;
    default: MUST(false);
    }
}

static bool on_latch(void *self, const lb_config *config, const uint8_t *rgb, uint16_t leds) {
    (void)self;
    uint32_t configured = 0;
    MUST(config->lanes >= 1 && config->lanes <= LB_MAX_LANES && config->order <= LB_BGR);
    MUST(config->watchdog_ms >= 50 && config->ma_per_led > 0);
    for (size_t lane = 0; lane < config->lanes; lane++) configured += config->lane_leds[lane];
    MUST(leds == configured && leds >= 1 && leds <= LB_MAX_LEDS);
    const uint32_t ma = host_ma(config, rgb, leds);
    MUST(ma <= config->limit_ma || ma == leds); /* or all dark */
    if (run.busy) return false;
    run.lit = false;
    for (size_t i = 0; i < 3u * (size_t)leds; i++) {
        MUST(rgb[i] <= config->brightness);
        run.lit |= rgb[i] != 0;
    }
    return true;
}

static void receive(const uint8_t *bytes, size_t count) {
    run.last_bytes_ms = run.now_ms;
    lb_receive(&run.core, bytes, count, run.now_ms);
}

static void pass(uint32_t ms) {
    run.now_ms += ms;
    const uint32_t wait_ms = lb_wait_ms(&run.core, run.now_ms);
    const size_t answers = run.answers;
    lb_tick(&run.core, run.now_ms);
    if (wait_ms > 0) MUST(run.answers == answers); /* lb_wait_ms said that nothing is due */
    if (run.busy) return;
    if (run.now_ms - run.last_bytes_ms >= run.core.config.watchdog_ms) MUST(!run.lit);
    MUST(run.core.waiting == false && run.core.ack_waiting == false);
}

/* Reads the input byte by byte; zeros after its end. */
typedef struct {
    const uint8_t *next, *end;
} input;

static uint8_t byte_of(input *in) { return in->next < in->end ? *in->next++ : 0; }

static void message(input *in, bool damage) {
    static uint8_t payload[HOST_LONGEST], wire[HOST_WIRE];
    const uint8_t where = damage ? byte_of(in) : 0, mask = damage ? byte_of(in) : 0;
    const uint8_t type = byte_of(in), seq = byte_of(in);
    const uint8_t low = byte_of(in), high = byte_of(in);
    size_t count = (size_t)(low | high << 8) % (HOST_LONGEST + 1);
    if (run.payload + count > MAX_PAYLOAD) count = low;
    run.payload += count;
    const size_t pattern = byte_of(in);
    const size_t left = (size_t)(in->end - in->next), given = pattern < left ? pattern : left;
    for (size_t i = 0; i < count; i++) payload[i] = given > 0 ? in->next[i % given] : 0;
    in->next += given;
    if (run.messages == MAX_MESSAGES) return;

    if (run.raw) receive((const uint8_t[]){0}, 1); /* end a frame that raw bytes began */
    run.sent[run.messages].type = type;
    run.sent[run.messages].seq = seq;
    const size_t length = host_message(type, seq, payload, count, wire, &run.sent[run.messages].crc);
    run.messages++;
    if (mask != 0) {
        wire[where % length] ^= mask;
        run.raw = true; /* the damage may add or remove a zero */
    }
    const size_t answers = run.answers;
    const bool waited = run.core.ack_waiting; /* its ACK may arrive too */
    receive(wire, length);
    if (!run.busy && mask == 0 && !waited) MUST(run.answers == answers + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static const lb_identity identity = {{1, 2, 3, 4, 5, 6, 7, 8}, 7, LB_RESET_POWER};
    input in = {bytes, bytes + count};
    memset(&run, 0, sizeof run);
    memset(run.guard, 0xa5, sizeof run.guard);
    run.now_ms = run.last_bytes_ms = 0xffffff00u; /* the clock wraps soon */
    lb_init(&run.core, &identity, (lb_port){NULL, on_send, on_latch}, run.now_ms);
    for (int i = 0; i < MAX_OPERATIONS && in.next < in.end; i++) {
        switch (byte_of(&in) % 6) {
        case 0: {
            const size_t wanted = byte_of(&in), left = (size_t)(in.end - in.next);
            const size_t given = wanted < left ? wanted : left;
            run.raw = true;
            receive(in.next, given);
            in.next += given;
            break;
        }
        case 1: pass(byte_of(&in)); break;
        case 2: {
            const uint32_t low = byte_of(&in), high = byte_of(&in);
            pass(low | high << 8);
            break;
        }
        case 3: run.busy = byte_of(&in) & 1; break;
        case 4: message(&in, false); break;
        case 5: message(&in, true); break;
        }
    }
    run.busy = false;
    pass(0);
    pass(0x10000); /* longer than any watchdog */
    MUST(!run.lit);
    for (size_t i = 0; i < sizeof run.guard; i++) MUST(run.guard[i] == 0xa5);
    return 0;
}
