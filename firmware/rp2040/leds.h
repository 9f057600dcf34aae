/* WS2812 LEDs on up to four lanes: GPIO 2 to 5, one PIO state machine and one DMA channel each. */
#ifndef LEDS_H
#define LEDS_H

#include "laserboard.h"

enum { LEDS_FIRST_PIN = 2 };

/* Claims PIO and DMA, and starts to make the maximum number of LEDs dark. */
void leds_init(void);

/* The `latch` of lb_port: false until the previous transfer and its reset pause are over. */
bool leds_latch(void *self, const lb_config *config, const uint8_t *rgb, uint16_t leds);

#endif
