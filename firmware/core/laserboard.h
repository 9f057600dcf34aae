/* The firmware's core: bytes in, pictures and answers out. See ../PROTOCOL.md.
 *
 * Plain C11: no operating system, no malloc, no clock. The caller owns one `lb_core`, hands it
 * every byte that arrives and calls `lb_tick` often; the core calls back to send bytes and to
 * put a picture into the LEDs. All times are milliseconds of any clock that wraps at 2^32.
 */
#ifndef LASERBOARD_H
#define LASERBOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LB_MAJOR = 1, LB_MINOR = 0,           /* of the protocol */
    LB_FIRMWARE_MAJOR = 0, LB_FIRMWARE_MINOR = 1, LB_FIRMWARE_PATCH = 0,
    LB_MAX_LEDS = 2304, LB_MAX_LANES = 4, /* 16 x 16 cells of 3 x 3 LEDs */
    LB_MAX_PAYLOAD = 2 + 3 * LB_MAX_LEDS,
    LB_MAX_BODY = 2 + LB_MAX_PAYLOAD + 4, /* type, seq, payload, CRC */
    LB_MAX_WIRE = LB_MAX_BODY + LB_MAX_BODY / 254 + 2, /* with COBS and the zero at the end */
    LB_BOOT_LEDS = 80, LB_BOOT_LIMIT_MA = 500, LB_BOOT_WATCHDOG_MS = 500, LB_BOOT_MA_PER_LED = 55,
};

enum lb_order { LB_RGB, LB_GRB, LB_BRG, LB_RBG, LB_GBR, LB_BGR };
enum lb_reset { LB_RESET_UNKNOWN, LB_RESET_POWER, LB_RESET_PIN, LB_RESET_WATCHDOG, LB_RESET_REQUEST };

typedef struct {
    uint8_t board_id[8];
    uint32_t boots;
    uint8_t reset_cause;
} lb_identity;

typedef struct {
    uint8_t brightness;
    uint16_t limit_ma;
    uint8_t ma_per_led;
    uint16_t watchdog_ms;
    uint8_t order;
    uint8_t lanes;
    uint16_t lane_leds[LB_MAX_LANES];
} lb_config;

/* What the chip can do for the core. */
typedef struct {
    void *self;
    /* Send bytes to the host, all of them. */
    void (*send)(void *self, const uint8_t *bytes, size_t count);
    /* Put a picture into the LEDs: r, g, b for each, brightness and limit done, order not.
     * False while the picture before it is still on its way: the core asks again in `lb_tick`.
     * `config` and `rgb` are the core's again when this returns. */
    bool (*latch)(void *self, const lb_config *config, const uint8_t *rgb, uint16_t leds);
} lb_port;

typedef struct lb_core lb_core;

void lb_init(lb_core *core, const lb_identity *identity, lb_port port, uint32_t now_ms);
void lb_receive(lb_core *core, const uint8_t *bytes, size_t count, uint32_t now_ms);
void lb_tick(lb_core *core, uint32_t now_ms);

/* How long `lb_tick` has nothing to do if nothing arrives: for callers that can sleep. */
#define LB_NOTHING_DUE UINT32_MAX
uint32_t lb_wait_ms(const lb_core *core, uint32_t now_ms);

#include "laserboard_core.h" /* the fields of lb_core: the caller needs its size, nobody else its insides */

#endif
