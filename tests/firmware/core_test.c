/* Tests of the firmware core with a controlled clock and busy LEDs. Usage: core_test PROTOCOL.md */
#include "../../firmware/fuzz/host.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    uint8_t type, seq;
    uint8_t payload[64];
    size_t count;
    uint8_t wire[80];
    size_t wire_count;
} answer;

static struct {
    lb_core core;
    bool busy;
    uint32_t now;
    answer answers[128];
    size_t count; /* answers received */
    size_t read;  /* answers that the test has read */
    size_t latches;
    lb_config config;
    uint8_t rgb[3 * LB_MAX_LEDS];
    uint16_t leds;
    struct {
        uint16_t leds;
        uint8_t lanes;
        bool dark;
    } before; /* the picture before the last */
    uint32_t crc;   /* of the last message that was sent */
} bench;

static const char *test;
static int failures;

#define CHECK(claim)                                                            \
    do {                                                                        \
        if (!(claim)) {                                                         \
            failures++;                                                         \
            printf("%s:%d: %s: failed: %s\n", __FILE__, __LINE__, test, #claim); \
        }                                                                       \
    } while (0)

static void on_send(void *self, const uint8_t *bytes, size_t count) {
    (void)self;
    if (bench.count == 128) abort(); /* more than any test expects */
    answer *got = &bench.answers[bench.count++];
    uint8_t body[80];
    size_t body_count = 0;
    CHECK(count <= sizeof got->wire);
    CHECK(host_answer(bytes, count, body, &body_count));
    memcpy(got->wire, bytes, count);
    got->wire_count = count;
    got->type = body[0];
    got->seq = body[1];
    got->count = body_count - 2;
    memcpy(got->payload, body + 2, got->count);
}

static bool all_dark(void) {
    for (size_t i = 0; i < 3u * (size_t)bench.leds; i++)
        if (bench.rgb[i] != 0) return false;
    return true;
}

static bool on_latch(void *self, const lb_config *config, const uint8_t *rgb, uint16_t leds) {
    (void)self;
    if (bench.busy) return false;
    bench.latches++;
    bench.before.leds = bench.leds;
    bench.before.lanes = bench.config.lanes;
    bench.before.dark = all_dark();
    bench.config = *config;
    bench.leds = leds;
    memcpy(bench.rgb, rgb, 3u * (size_t)leds);
    return true;
}

static void tick(uint32_t now) {
    bench.now = now;
    lb_tick(&bench.core, now);
}

static void start(uint32_t now) {
    static const lb_identity identity = {{1, 2, 3, 4, 5, 6, 7, 8}, 7, LB_RESET_POWER};
    memset(&bench, 0, sizeof bench);
    bench.now = now;
    lb_init(&bench.core, &identity, (lb_port){NULL, on_send, on_latch}, now);
}

static void receive(const uint8_t *bytes, size_t count) {
    lb_receive(&bench.core, bytes, count, bench.now);
}

static void say(uint8_t type, uint8_t seq, const uint8_t *payload, size_t count) {
    static uint8_t wire[HOST_WIRE];
    receive(wire, host_message(type, seq, payload, count, wire, &bench.crc));
}

#define SAY(type, seq, ...)                              \
    do {                                                 \
        const uint8_t payload_[] = {__VA_ARGS__};        \
        say(type, seq, payload_, sizeof payload_);       \
    } while (0)

/* The next unread answer, or an empty answer. */
static const answer *next(void) {
    static const answer none;
    return bench.read < bench.count ? &bench.answers[bench.read++] : &none;
}

static bool quiet(void) { return bench.read == bench.count; }

static bool acked_as(uint8_t seq, uint32_t crc, uint8_t state) {
    const answer *got = next();
    return got->type == BOARD_ACK && got->seq == seq && got->count == 5 &&
           lb_get32(got->payload) == crc && got->payload[4] == state;
}

static bool acked(uint8_t seq, uint8_t state) { return acked_as(seq, bench.crc, state); }

static bool nacked(uint8_t seq, uint8_t reason) {
    const answer *got = next();
    return got->type == BOARD_NACK && got->seq == seq && got->count == 1 && got->payload[0] == reason;
}

static bool led(size_t number, uint8_t r, uint8_t g, uint8_t b) {
    const uint8_t *at = bench.rgb + 3 * number;
    return at[0] == r && at[1] == g && at[2] == b;
}

static uint32_t count_of(enum lb_count which) {
    const size_t read = bench.read = bench.count;
    say(HOST_STATS, 250, NULL, 0);
    const answer *got = &bench.answers[read];
    CHECK(got->type == BOARD_STATS && got->seq == 250 && got->count == 32);
    bench.count = bench.read = read;
    return lb_get32(got->payload + 4 * which);
}

/* After HELLO and CONFIG: three dark LEDs, 3 A, a watchdog of 500 ms. */
static void ready(uint32_t now) {
    start(now);
    tick(now);
    SAY(HOST_HELLO, 1, 1, 0);
    SAY(HOST_CONFIG, 2, 255, 0xb8, 0x0b, 55, 0xf4, 0x01, 1, 1, 3, 0);
    bench.read = bench.count;
    bench.latches = 0;
}

static void showing(uint32_t now) {
    ready(now);
    SAY(HOST_FRAME, 3, 10, 11, 12, 20, 21, 22, 30, 31, 32);
    bench.read = bench.count;
    bench.latches = 0;
}

/* ---- the examples of PROTOCOL.md ---- */

static size_t from_hex(const char *text, uint8_t *bytes) {
    size_t count = 0;
    char *end = NULL;
    for (;; text = end) {
        const unsigned long value = strtoul(text, &end, 16);
        if (end == text) return count;
        bytes[count++] = (uint8_t)value;
    }
}

static void test_examples(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    char line[1024];
    bool inside = false;
    size_t sent = 0, compared = 0;
    start(1000);
    tick(1000);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "```", 3) == 0) inside = strncmp(line, "```frames", 9) == 0;
        if (!inside) continue;
        uint8_t bytes[512];
        const char *hex = strchr(line, ':');
        if (strncmp(line, "host ", 5) == 0) {
            receive(bytes, from_hex(hex + 1, bytes));
            sent++;
        } else if (strncmp(line, "board NACK", 10) == 0) {
            continue; /* an example value */
        } else if (strncmp(line, "board ", 6) == 0) {
            const answer *got = next();
            if (strncmp(line, "board STATS", 11) == 0) { /* an example value, too */
                CHECK(got->type == BOARD_STATS && lb_get32(got->payload) == 6);
                continue;
            }
            const size_t count = from_hex(hex + 1, bytes);
            CHECK(count == got->wire_count && memcmp(bytes, got->wire, count) == 0);
            compared++;
        }
    }
    CHECK(sent == 7 && compared == 6 && quiet());
    fclose(file);
}

/* ---- start ---- */

static void test_it_starts_dark_within_80_leds_and_500_ma(void) {
    start(0);
    bench.rgb[0] = 1; /* lit before the restart */
    tick(0);
    CHECK(bench.latches == 1 && bench.leds == 80 && all_dark());
    CHECK(bench.config.limit_ma == 500 && bench.config.lanes == 1 && bench.config.lane_leds[0] == 80);
    CHECK(lb_wait_ms(&bench.core, 0) == LB_NOTHING_DUE);
    SAY(HOST_HELLO, 1, 1, 0);
    (void)next();
    uint8_t white[240];
    memset(white, 255, sizeof white);
    say(HOST_FRAME, 2, white, sizeof white);
    CHECK(acked(2, 0));
    CHECK(host_ma(&bench.config, bench.rgb, 80) <= 500 && host_ma(&bench.config, bench.rgb, 80) > 450);
    CHECK(count_of(LB_LIMITED) == 1);
}

static void test_nothing_is_done_before_the_greeting(void) {
    start(0);
    tick(0);
    for (uint8_t type = 0; type < 12; type++) {
        if (type == HOST_HELLO) continue;
        SAY(type, 9, 255, 255, 255);
        CHECK(nacked(9, 7));
    }
    CHECK(bench.latches == 1 && quiet());
    SAY(HOST_HELLO, 4, 9); /* no version in it */
    CHECK(nacked(4, 4));
    say(HOST_PING, 5, NULL, 0);
    CHECK(nacked(5, 7));
    SAY(HOST_HELLO, 6, 9, 9, 9); /* an unknown version */
    CHECK(next()->type == BOARD_HELLO);
    say(HOST_PING, 5, NULL, 0);
    CHECK(acked(5, 1));
    CHECK(count_of(LB_REFUSED) == 13);
}

static void test_a_host_of_protocol_1_0_is_served_and_its_beam_is_an_unknown_type(void) {
    start(0);
    tick(0);
    SAY(HOST_HELLO, 1, 1, 0);
    const answer *welcome = next();
    CHECK(welcome->type == BOARD_HELLO && welcome->payload[0] == 1 && welcome->payload[1] == 1);
    CHECK(lb_get16(welcome->payload + 13) == 1); /* DELTA only: a 1.0 host then sends no BEAM */
    SAY(HOST_FRAME, 2, 1, 2, 3);
    CHECK(acked(2, 0) && led(0, 1, 2, 3));
    SAY(HOST_RESERVED, 3, 255, 0, 255, 40, 0, 0, 0);
    CHECK(nacked(3, 5) && quiet() && led(0, 1, 2, 3));
}

/* ---- silence ---- */

static void silence_from(uint32_t now) {
    showing(now);
    tick(now + 499);
    CHECK(!all_dark() && bench.latches == 0 && lb_wait_ms(&bench.core, now + 499) == 1);
    tick(now + 500);
    CHECK(all_dark() && bench.latches == 1);
    tick(now + 501);
    tick(now + 2000);
    CHECK(bench.latches == 1 && quiet());
    CHECK(count_of(LB_BLANKED) == 1);
    say(HOST_PING, 9, NULL, 0);
    CHECK(acked(9, 1));
    SAY(HOST_DELTA, 10, 0, 0, 1, 2, 3);
    CHECK(nacked(10, 6));
    SAY(HOST_FRAME, 11, 1, 2, 3);
    CHECK(acked(11, 0) && led(0, 1, 2, 3) && led(1, 0, 0, 0));
}

static void test_silence_blanks_at_the_millisecond(void) { silence_from(1000); }
static void test_silence_blanks_when_the_clock_wraps(void) {
    silence_from(0xffffffffu - 499);
    silence_from(0xffffffffu - 498);
    silence_from(0xffffffffu - 10);
    silence_from(0xffffffffu);
}

static void test_any_good_frame_feeds_the_watchdog_and_no_other(void) {
    showing(0);
    tick(400);
    SAY(99, 4, 1); /* an unknown type also resets the watchdog */
    CHECK(nacked(4, 5));
    tick(899);
    CHECK(!all_dark());
    const uint8_t noise[] = {3, 1, 1, 0, 7, 8, 7, 0, 0, 0};
    receive(noise, sizeof noise);
    tick(900);
    CHECK(all_dark());
}

static void test_the_watchdog_that_was_configured_counts(void) {
    showing(0);
    SAY(HOST_CONFIG, 4, 255, 0xb8, 0x0b, 55, 50, 0, 1, 1, 3, 0);
    CHECK(acked(4, 0));
    tick(49);
    CHECK(!all_dark());
    tick(50);
    CHECK(all_dark());
}

/* ---- busy LEDs ---- */

static void test_an_ack_waits_for_the_leds(void) {
    showing(0);
    bench.busy = true;
    SAY(HOST_FRAME, 4, 1, 2, 3);
    CHECK(quiet() && lb_wait_ms(&bench.core, 0) == 0);
    const uint32_t crc = bench.crc;
    tick(1);
    say(HOST_PING, 5, NULL, 0); /* does not use the LEDs */
    CHECK(acked(5, 0) && quiet());
    bench.busy = false;
    tick(2);
    CHECK(acked_as(4, crc, 0) && led(0, 1, 2, 3) && led(1, 0, 0, 0) && bench.latches == 1);
    tick(3);
    CHECK(quiet() && bench.latches == 1);
}

static void test_a_picture_that_was_overtaken_is_never_acknowledged(void) {
    showing(0);
    bench.busy = true;
    SAY(HOST_FRAME, 4, 1, 2, 3);
    SAY(HOST_FRAME, 5, 4, 5, 6);
    bench.busy = false;
    tick(1);
    CHECK(acked(5, 0) && quiet() && led(0, 4, 5, 6) && bench.latches == 1);
}

static void test_a_picture_that_silence_took_is_never_acknowledged(void) {
    showing(0);
    bench.busy = true;
    SAY(HOST_FRAME, 4, 1, 2, 3);
    tick(500);
    bench.busy = false;
    tick(501);
    CHECK(quiet() && all_dark() && bench.latches == 1);
}

static void test_limited_counts_a_picture_once_however_long_it_waits(void) {
    showing(0);
    SAY(HOST_CONFIG, 4, 255, 50, 0, 55, 0xf4, 1, 1, 1, 3, 0);
    CHECK(acked(4, 0));
    bench.busy = true;
    SAY(HOST_FRAME, 5, 255, 255, 255, 255, 255, 255);
    for (uint32_t now = 1; now < 9; now++) tick(now);
    bench.busy = false;
    tick(9);
    CHECK(acked(5, 0) && count_of(LB_LIMITED) == 1);
}

/* ---- configuration ---- */

static void test_a_config_of_as_many_leds_keeps_the_picture(void) {
    showing(0);
    SAY(HOST_CONFIG, 5, 51, 0xb8, 0x0b, 55, 0xf4, 1, 1, 1, 3, 0);
    CHECK(acked(5, 0) && led(0, 2, 2, 2) && led(1, 4, 4, 4) && bench.latches == 1);
}

static void test_a_config_of_other_leds_makes_dark_also_those_it_does_not_reach(void) {
    showing(0);
    SAY(HOST_CONFIG, 5, 255, 0xb8, 0x0b, 55, 0xf4, 1, 1, 1, 2, 0);
    CHECK(acked(5, 1) && bench.latches == 2 && bench.leds == 2 && all_dark());
    CHECK(bench.before.leds == 3 && bench.before.dark);
    tick(80);
    CHECK(quiet());
    SAY(HOST_FRAME, 6, 1, 1, 1, 2, 2, 2);
    CHECK(acked(6, 0));
    bench.busy = true; /* the same number of LEDs on other lanes: the new lanes show the same picture */
    SAY(HOST_CONFIG, 7, 255, 0xb8, 0x0b, 55, 0xf4, 1, 1, 2, 1, 0, 1, 0);
    SAY(HOST_CONFIG, 8, 255, 0xb8, 0x0b, 55, 0xf4, 1, 1, 3, 1, 0, 1, 0, 0, 0);
    tick(81);
    CHECK(quiet());
    bench.busy = false;
    tick(82);
    CHECK(acked(8, 0) && quiet() && bench.latches == 5 && bench.config.lanes == 3 && led(1, 2, 2, 2));
    CHECK(bench.before.lanes == 1 && bench.before.leds == 2 && bench.before.dark);
}

static void test_darkness_that_is_still_on_its_way_reaches_the_old_leds(void) {
    showing(0);
    bench.busy = true;
    say(HOST_BLANK, 4, NULL, 0);
    SAY(HOST_CONFIG, 5, 255, 0xb8, 0x0b, 55, 0xf4, 1, 1, 1, 2, 0);
    bench.busy = false;
    tick(1);
    CHECK(acked(5, 1) && quiet() && bench.latches == 2 && bench.leds == 2 && all_dark());
    CHECK(bench.before.leds == 3 && bench.before.dark);
    SAY(HOST_CONFIG, 6, 255, 0xb8, 0x0b, 55, 0xf4, 1, 1, 1, 4, 0); /* dark: one latch is enough */
    CHECK(acked(6, 1) && bench.latches == 3);
}

/* ---- the limit ---- */

static void test_the_limit_is_the_formula_for_every_channel(void) {
    enum { LEDS = 86 };
    uint8_t rgb[3 * LEDS], dimmed[256], ready_[3 * LEDS], wanted[3 * LEDS];
    for (size_t i = 0; i < sizeof rgb; i++) rgb[i] = (uint8_t)i;
    for (uint32_t brightness = 1; brightness <= 255; brightness += 127) {
        for (uint32_t limit = 0; limit < 3000; limit++) {
            const lb_config config = {
                .brightness = (uint8_t)brightness, .limit_ma = (uint16_t)limit, .ma_per_led = 55,
            };
            uint64_t sum = 0, scale = 65536;
            for (size_t i = 0; i < sizeof rgb; i++) {
                wanted[i] = (uint8_t)(rgb[i] * brightness / 255);
                sum += wanted[i];
            }
            const bool above = (sum * 55 + 764) / 765 + LEDS > limit;
            const uint64_t room = limit > LEDS ? limit - LEDS : 0;
            if (above && sum > 0) scale = room * 765 * 65536 / (sum * 55);
            for (size_t i = 0; i < sizeof rgb; i++) wanted[i] = (uint8_t)(wanted[i] * scale / 65536);
            lb_dim_table(dimmed, config.brightness);
            CHECK(lb_limit(&config, dimmed, rgb, LEDS, ready_) == (above && sum > 0));
            CHECK(memcmp(ready_, wanted, sizeof rgb) == 0);
        }
    }
}

/* ---- refusals ---- */

static void test_a_config_that_cannot_be_changes_nothing(void) {
    static const uint8_t good[] = {255, 0xb8, 0x0b, 55, 0xf4, 1, 1, 1, 3, 0};
    static const struct {
        size_t at;
        uint8_t value;
    } wrong[] = {{3, 0}, {6, 6}, {7, 0}, {7, 2}, {7, 5}, {7, 255}, {8, 0}, {9, 9}, {9, 255}};
    showing(0);
    const lb_config before = bench.core.config;
    uint8_t payload[20] = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        memcpy(payload, good, sizeof good);
        payload[wrong[i].at] = wrong[i].value;
        say(HOST_CONFIG, 5, payload, sizeof good);
        CHECK(nacked(5, 4));
    }
    memcpy(payload, good, sizeof good);
    payload[4] = 49; /* a watchdog of 49 ms */
    payload[5] = 0;
    say(HOST_CONFIG, 6, payload, sizeof good);
    CHECK(nacked(6, 4));
    for (size_t count = 0; count < 13; count++) {
        if (count == sizeof good) continue;
        memcpy(payload, good, sizeof good);
        say(HOST_CONFIG, 7, payload, count);
        CHECK(nacked(7, 4));
    }
    SAY(HOST_CONFIG, 8, 255, 0xb8, 0x0b, 55, 0xf4, 1, 1, 4, 0, 9, 0, 0, 0, 0, 1, 0); /* 2304 + 1 */
    CHECK(nacked(8, 4));
    SAY(HOST_CONFIG, 8, 255, 0xb8, 0x0b, 55, 0xf4, 1, 1, 5, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0);
    CHECK(nacked(8, 4));
    CHECK(memcmp(&before, &bench.core.config, sizeof before) == 0);
    CHECK(bench.latches == 0 && led(2, 30, 31, 32) && quiet());
    SAY(HOST_CONFIG, 9, 255, 0xb8, 0x0b, 55, 0xf4, 1, 5, 4, 0, 9, 0, 0, 0, 0, 0, 0); /* 2304 */
    CHECK(acked(9, 1) && bench.leds == LB_MAX_LEDS);
}

static void test_what_does_not_fit_is_out_of_range(void) {
    showing(0);
    SAY(HOST_FRAME, 5, 1, 2);
    CHECK(nacked(5, 4));
    SAY(HOST_FRAME, 5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    CHECK(nacked(5, 4));
    SAY(HOST_DELTA, 5, 1);
    CHECK(nacked(5, 4));
    SAY(HOST_DELTA, 5, 1, 0, 9);
    CHECK(nacked(5, 4));
    SAY(HOST_DELTA, 5, 3, 0, 9, 9, 9);
    CHECK(nacked(5, 4));
    SAY(HOST_DELTA, 5, 0xff, 0xff, 9, 9, 9);
    CHECK(nacked(5, 4));
    SAY(HOST_DELTA, 5, 2, 0, 9, 9, 9, 9, 9, 9);
    CHECK(nacked(5, 4));
    for (uint8_t type = HOST_STATS; type <= HOST_PING; type++) {
        SAY(type, 5, 1);
        CHECK(nacked(5, 4));
    }
    say(0, 5, NULL, 0);
    CHECK(nacked(5, 5));
    say(9, 5, NULL, 0);
    CHECK(nacked(5, 5));
    CHECK(bench.latches == 0 && count_of(LB_REFUSED) == 12);
    SAY(HOST_DELTA, 6, 2, 0, 9, 9, 9);
    CHECK(acked(6, 0) && led(2, 9, 9, 9) && led(1, 20, 21, 22));
    say(HOST_FRAME, 7, NULL, 0); /* a picture that reaches no LED */
    CHECK(acked(7, 0) && all_dark());
}

static void test_a_dark_board_takes_no_part_of_a_picture(void) {
    ready(0);
    SAY(HOST_DELTA, 5, 0, 0, 9, 9, 9);
    CHECK(nacked(5, 6));
    SAY(HOST_DELTA, 7, 3, 0, 9, 9, 9); /* both apply: out of range comes before no picture */
    CHECK(nacked(7, 4) && bench.latches == 0);
}

/* ---- damage ---- */

static void test_a_damaged_frame_is_refused_and_the_next_one_shown(void) {
    static uint8_t wire[HOST_WIRE];
    static const uint8_t picture[] = {1, 2, 3};
    uint32_t crc;
    const size_t count = host_message(HOST_FRAME, 4, picture, 3, wire, &crc);
    for (size_t at = 0; at + 1 < count; at++) {
        for (int bit = 0; bit < 8; bit++) {
            showing(0);
            wire[at] = (uint8_t)(wire[at] ^ (1 << bit));
            receive(wire, count);
            wire[at] = (uint8_t)(wire[at] ^ (1 << bit));
            CHECK(bench.latches == 0 && bench.count > bench.read);
            while (!quiet()) { /* several if the flipped bit made a zero */
                const answer *got = next();
                CHECK(got->type == BOARD_NACK && got->seq == 0);
                CHECK(got->payload[0] == 1 || got->payload[0] == 3);
            }
            SAY(HOST_FRAME, 5, 7, 8, 9);
            CHECK(acked(5, 0) && led(0, 7, 8, 9));
        }
    }
}

static void test_reasons_of_damage(void) {
    showing(0);
    const uint8_t bad_crc[] = {8, 8, 6, 0xc2, 0x3d, 0x63, 0x60, 9, 0};
    receive(bad_crc, sizeof bad_crc);
    CHECK(nacked(0, 1) && count_of(LB_BAD_CRC) == 1);
    const uint8_t cut[] = {9, 8, 6, 0xc2, 0x3d, 0x63, 0x60, 0}, brief[] = {6, 1, 1, 1, 1, 1, 0};
    receive(cut, sizeof cut);
    CHECK(nacked(0, 3));
    receive(brief, sizeof brief);
    CHECK(nacked(0, 3));
    const uint8_t empty[] = {1, 0};
    receive(empty, sizeof empty);
    CHECK(nacked(0, 3) && count_of(LB_MALFORMED) == 3);
    const uint8_t nothing[] = {0, 0, 0};
    receive(nothing, sizeof nothing);
    CHECK(quiet() && bench.latches == 0);
}

static void test_a_frame_longer_than_any_overflows(void) {
    static uint8_t payload[HOST_LONGEST];
    memset(payload, 0xee, sizeof payload);
    showing(0);
    SAY(HOST_CONFIG, 4, 255, 0xff, 0xff, 1, 0xf4, 1, 1, 1, 0, 9);
    CHECK(acked(4, 1));
    say(HOST_FRAME, 5, payload, 3 * LB_MAX_LEDS);
    CHECK(acked(5, 0) && led(LB_MAX_LEDS - 1, 0xee, 0xee, 0xee));
    payload[0] = payload[1] = 0;
    say(HOST_DELTA, 6, payload, LB_MAX_PAYLOAD);
    CHECK(acked(6, 0));
    const size_t latches = bench.latches;
    say(HOST_DELTA, 7, payload, LB_MAX_PAYLOAD + 1);
    CHECK(nacked(0, 2));
    say(HOST_FRAME, 8, payload, HOST_LONGEST);
    CHECK(nacked(0, 2));
    memset(payload, 0, sizeof payload);
    say(HOST_FRAME, 9, payload, HOST_LONGEST);
    CHECK(nacked(0, 2) && bench.latches == latches && count_of(LB_OVERFLOW) == 3);
    memset(payload, 1, sizeof payload); /* endless bytes without a zero */
    for (int i = 0; i < 10; i++) receive(payload, sizeof payload);
    CHECK(quiet());
    receive((const uint8_t[]){0}, 1);
    CHECK(nacked(0, 2));
    SAY(HOST_FRAME, 10, 7, 8, 9);
    CHECK(acked(10, 0) && led(0, 7, 8, 9));
}

static void test_bytes_may_come_one_at_a_time(void) {
    static uint8_t wire[HOST_WIRE];
    static const uint8_t picture[] = {1, 0, 3, 0, 0, 0, 9, 9, 0};
    showing(0);
    const size_t count = host_message(HOST_FRAME, 4, picture, 9, wire, &bench.crc);
    for (size_t i = 0; i < count; i++) {
        CHECK(quiet());
        receive(wire + i, 1);
    }
    CHECK(acked(4, 0) && memcmp(bench.rgb, picture, 9) == 0);
}

#define RUN(name)            \
    do {                     \
        test = #name;        \
        name();              \
        ran++;               \
    } while (0)

int main(int count, char **arguments) {
    int ran = 1;
    if (count != 2) {
        fprintf(stderr, "usage: core_test PROTOCOL.md\n");
        return 2;
    }
    test = "test_examples";
    test_examples(arguments[1]);
    RUN(test_it_starts_dark_within_80_leds_and_500_ma);
    RUN(test_nothing_is_done_before_the_greeting);
    RUN(test_a_host_of_protocol_1_0_is_served_and_its_beam_is_an_unknown_type);
    RUN(test_silence_blanks_at_the_millisecond);
    RUN(test_silence_blanks_when_the_clock_wraps);
    RUN(test_any_good_frame_feeds_the_watchdog_and_no_other);
    RUN(test_the_watchdog_that_was_configured_counts);
    RUN(test_an_ack_waits_for_the_leds);
    RUN(test_a_picture_that_was_overtaken_is_never_acknowledged);
    RUN(test_a_picture_that_silence_took_is_never_acknowledged);
    RUN(test_limited_counts_a_picture_once_however_long_it_waits);
    RUN(test_a_config_of_as_many_leds_keeps_the_picture);
    RUN(test_a_config_of_other_leds_makes_dark_also_those_it_does_not_reach);
    RUN(test_darkness_that_is_still_on_its_way_reaches_the_old_leds);
    RUN(test_the_limit_is_the_formula_for_every_channel);
    RUN(test_a_config_that_cannot_be_changes_nothing);
    RUN(test_what_does_not_fit_is_out_of_range);
    RUN(test_a_dark_board_takes_no_part_of_a_picture);
    RUN(test_a_damaged_frame_is_refused_and_the_next_one_shown);
    RUN(test_reasons_of_damage);
    RUN(test_a_frame_longer_than_any_overflows);
    RUN(test_bytes_may_come_one_at_a_time);
    printf("%d tests, %d failed checks\n", ran, failures);
    return failures > 0;
}
