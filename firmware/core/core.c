/* Handles messages: validates each one, applies it, answers it, and runs the silence watchdog. */
#include "laserboard.h"

#include <string.h>

enum {
    /* 0x04 and 0x84 are reserved: BEAM and DONE of protocol 1.0. */
    HELLO = 0x01, FRAME, DELTA, CONFIG = 0x05, STATS, BLANK, PING,
    ACK = 0x80, HELLO_ANSWER = 0x81, STATS_ANSWER = 0x86, NACK = 0xff,
};
enum {
    ACCEPTED, BAD_CRC, OVERFLOWED, MALFORMED, OUT_OF_RANGE, UNKNOWN_TYPE, NO_PICTURE, NOT_GREETED,
};
enum { CAN_DELTA = 1 };
enum { LONGEST_ANSWER = 2 + 4 * LB_COUNTS + 4, SHORTEST_WATCHDOG_MS = 50 };

typedef struct {
    uint8_t type, seq;
    const uint8_t *payload;
    size_t count; /* bytes of payload */
    uint32_t crc;
} message;

static void answer(lb_core *core, uint8_t type, uint8_t seq, const uint8_t *payload, size_t count) {
    uint8_t body[LONGEST_ANSWER];
    uint8_t wire[LONGEST_ANSWER + 2];
    body[0] = type;
    body[1] = seq;
    if (count > 0) memcpy(body + 2, payload, count);
    lb_put32(body + 2 + count, lb_crc32(body, 2 + count));
    core->port.send(core->port.self, wire, lb_cobs_encode(body, count + 6, wire));
}

static void acknowledge(lb_core *core, uint8_t seq, uint32_t crc) {
    uint8_t payload[5];
    lb_put32(payload, crc);
    payload[4] = core->dark;
    answer(core, ACK, seq, payload, sizeof payload);
}

static void refuse(lb_core *core, uint8_t seq, uint8_t reason) {
    answer(core, NACK, seq, &reason, 1);
}

/* Latch the picture if the LEDs are free, then send the ACK that waits for it. */
static void show(lb_core *core) {
    if (!lb_show_latch(core)) return;
    if (core->ack_waiting) {
        core->ack_waiting = false;
        acknowledge(core, core->ack_seq, core->ack_crc);
    }
}

/* Send the ACK of a message that changes the picture when the picture is latched. An older ACK that
 * is still waiting is dropped: its picture is never latched. */
static void acknowledge_when_latched(lb_core *core, const message *got) {
    core->ack_waiting = true;
    core->ack_seq = got->seq;
    core->ack_crc = got->crc;
}

static uint8_t on_hello(lb_core *core, const message *got) {
    if (got->count < 2) return OUT_OF_RANGE; /* later versions may append fields */
    core->greeted = true;
    uint8_t payload[28] = {
        LB_MAJOR, LB_MINOR, LB_FIRMWARE_MAJOR, LB_FIRMWARE_MINOR, LB_FIRMWARE_PATCH,
    };
    lb_put16(payload + 5, core->leds);
    payload[7] = core->config.lanes;
    lb_put16(payload + 8, LB_MAX_LEDS);
    payload[10] = LB_MAX_LANES;
    lb_put16(payload + 11, LB_MAX_PAYLOAD);
    lb_put16(payload + 13, CAN_DELTA);
    memcpy(payload + 15, core->identity.board_id, 8);
    lb_put32(payload + 23, core->identity.boots);
    payload[27] = core->identity.reset_cause;
    answer(core, HELLO_ANSWER, got->seq, payload, sizeof payload);
    return ACCEPTED;
}

static uint8_t on_frame(lb_core *core, const message *got) {
    if (got->count % 3 != 0 || got->count > 3u * (size_t)core->leds) return OUT_OF_RANGE;
    lb_show_frame(core, got->payload, got->count);
    acknowledge_when_latched(core, got);
    return ACCEPTED;
}

static uint8_t on_delta(lb_core *core, const message *got) {
    if (got->count < 2 || (got->count - 2) % 3 != 0) return OUT_OF_RANGE;
    const size_t start = lb_get16(got->payload);
    if (start + (got->count - 2) / 3 > core->leds) return OUT_OF_RANGE;
    if (core->dark) return NO_PICTURE;
    lb_show_delta(core, start, got->payload + 2, got->count - 2);
    acknowledge_when_latched(core, got);
    return ACCEPTED;
}

static uint8_t on_config(lb_core *core, const message *got) {
    const uint8_t *from = got->payload;
    if (got->count < 8 || from[7] < 1 || from[7] > LB_MAX_LANES) return OUT_OF_RANGE;
    if (got->count != 8u + 2u * from[7]) return OUT_OF_RANGE;
    lb_config config = {
        .brightness = from[0],
        .limit_ma = lb_get16(from + 1),
        .ma_per_led = from[3],
        .watchdog_ms = lb_get16(from + 4),
        .order = from[6],
        .lanes = from[7],
    };
    uint32_t leds = 0;
    for (size_t lane = 0; lane < config.lanes; lane++) {
        config.lane_leds[lane] = lb_get16(from + 8 + 2 * lane);
        leds += config.lane_leds[lane];
    }
    if (leds < 1 || leds > LB_MAX_LEDS || config.ma_per_led == 0 || config.order > LB_BGR ||
        config.watchdog_ms < SHORTEST_WATCHDOG_MS)
        return OUT_OF_RANGE;
    lb_show_config(core, &config, (uint16_t)leds);
    acknowledge_when_latched(core, got);
    return ACCEPTED;
}

static uint8_t on_stats(lb_core *core, const message *got) {
    if (got->count != 0) return OUT_OF_RANGE;
    uint8_t payload[4 * LB_COUNTS];
    for (size_t i = 0; i < LB_COUNTS; i++) lb_put32(payload + 4 * i, core->counts[i]);
    answer(core, STATS_ANSWER, got->seq, payload, sizeof payload);
    return ACCEPTED;
}

static uint8_t on_blank(lb_core *core, const message *got) {
    if (got->count != 0) return OUT_OF_RANGE;
    lb_show_dark(core);
    acknowledge_when_latched(core, got);
    return ACCEPTED;
}

static uint8_t on_ping(lb_core *core, const message *got) {
    if (got->count != 0) return OUT_OF_RANGE;
    acknowledge(core, got->seq, got->crc);
    return ACCEPTED;
}

static uint8_t on_message(lb_core *core, const message *got) {
    if (got->type != HELLO && !core->greeted) return NOT_GREETED;
    switch (got->type) {
    case HELLO: return on_hello(core, got);
    case FRAME: return on_frame(core, got);
    case DELTA: return on_delta(core, got);
    case CONFIG: return on_config(core, got);
    case STATS: return on_stats(core, got);
    case BLANK: return on_blank(core, got);
    case PING: return on_ping(core, got);
    default: return UNKNOWN_TYPE;
    }
}

static void on_complete(lb_core *core, uint32_t now_ms) {
    const lb_inbox *inbox = &core->inbox;
    const message got = {
        .type = inbox->body[0],
        .seq = inbox->body[1],
        .payload = inbox->body + 2,
        .count = inbox->count - 6,
        .crc = lb_get32(inbox->body + inbox->count - 4),
    };
    core->last_frame_ms = now_ms;
    core->counts[LB_GOOD]++;
    const uint8_t reason = on_message(core, &got);
    if (reason != ACCEPTED) {
        core->counts[LB_REFUSED]++;
        refuse(core, got.seq, reason);
    }
    show(core);
}

/* The seq of a damaged frame cannot be trusted: the NACK carries seq 0. */
static void on_damage(lb_core *core, enum lb_count count, uint8_t reason) {
    core->counts[count]++;
    refuse(core, 0, reason);
}

void lb_init(lb_core *core, const lb_identity *identity, lb_port port, uint32_t now_ms) {
    memset(core, 0, sizeof *core);
    core->identity = *identity;
    core->port = port;
    core->last_frame_ms = now_ms;
    core->config.brightness = 255;
    core->config.limit_ma = LB_BOOT_LIMIT_MA;
    core->config.ma_per_led = LB_BOOT_MA_PER_LED;
    core->config.watchdog_ms = LB_BOOT_WATCHDOG_MS;
    core->config.order = LB_GRB;
    core->config.lanes = 1;
    core->config.lane_leds[0] = core->leds = LB_BOOT_LEDS;
    lb_inbox_clear(&core->inbox);
    lb_show_init(core);
}

void lb_receive(lb_core *core, const uint8_t *bytes, size_t count, uint32_t now_ms) {
    for (size_t i = 0; i < count; i++) {
        switch (lb_inbox_take(&core->inbox, bytes[i])) {
        case LB_MORE: break;
        case LB_COMPLETE: on_complete(core, now_ms); break;
        case LB_TOO_LONG: on_damage(core, LB_OVERFLOW, OVERFLOWED); break;
        case LB_BROKEN: on_damage(core, LB_MALFORMED, MALFORMED); break;
        case LB_DAMAGED: on_damage(core, LB_BAD_CRC, BAD_CRC); break;
        }
        if (bytes[i] == 0) lb_inbox_clear(&core->inbox);
    }
}

void lb_tick(lb_core *core, uint32_t now_ms) {
    if (!core->dark && (uint32_t)(now_ms - core->last_frame_ms) >= core->config.watchdog_ms) {
        core->counts[LB_BLANKED]++;
        core->ack_waiting = false; /* its picture is gone */
        lb_show_dark(core);
    }
    show(core);
}

uint32_t lb_wait_ms(const lb_core *core, uint32_t now_ms) {
    if (core->waiting) return 0;
    if (core->dark) return LB_NOTHING_DUE;
    const uint32_t silent_ms = now_ms - core->last_frame_ms;
    return silent_ms < core->config.watchdog_ms ? core->config.watchdog_ms - silent_ms : 0;
}
