/* The firmware's core: takes bytes from the host, latches pictures, sends answers (../PROTOCOL.md).
 *
 * Plain C11: no operating system, no malloc, no clock. The caller owns one `lb_core`, passes it
 * every received byte and calls `lb_tick` often. The core calls back to send bytes and to latch a
 * picture into the LEDs. All times are milliseconds of a clock that wraps at 2^32.
 */
#ifndef LASERBOARD_H
#define LASERBOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LB_MAJOR = 1, LB_MINOR = 1,           /* of the protocol */
    LB_FIRMWARE_MAJOR = 0, LB_FIRMWARE_MINOR = 2, LB_FIRMWARE_PATCH = 0,
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

/* Callbacks of the chip. */
typedef struct {
    void *self;
    /* Send all bytes to the host. */
    void (*send)(void *self, const uint8_t *bytes, size_t count);
    /* Start the transfer of a picture to the LEDs: r, g, b for each LED. Brightness and limit are
     * applied, the colour order is not. Returns false while the previous transfer runs; the core
     * tries again in `lb_tick`. `config` and `rgb` are valid only during the call. */
    bool (*latch)(void *self, const lb_config *config, const uint8_t *rgb, uint16_t leds);
} lb_port;

typedef struct lb_core lb_core;

void lb_init(lb_core *core, const lb_identity *identity, lb_port port, uint32_t now_ms);
void lb_receive(lb_core *core, const uint8_t *bytes, size_t count, uint32_t now_ms);
void lb_tick(lb_core *core, uint32_t now_ms);

/* Milliseconds until `lb_tick` has work if no byte arrives: for callers that sleep. */
#define LB_NOTHING_DUE UINT32_MAX
uint32_t lb_wait_ms(const lb_core *core, uint32_t now_ms);

#include "laserboard_core.h" /* callers need only the size of lb_core */

#endif
