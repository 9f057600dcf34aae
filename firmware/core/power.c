/* Brightness and current limit: the integer formula of PROTOCOL.md.
 *
 * Computed once per channel value (256) and looked up for each LED, because a Cortex-M0+ has no
 * divide instruction. */
#include "laserboard.h"

enum { FULL = 255, WHITE = 3 * FULL, ONE = 65536 };

void lb_dim_table(uint8_t dimmed[256], uint8_t brightness) {
    for (uint32_t channel = 0; channel < 256; channel++)
        dimmed[channel] = (uint8_t)(channel * brightness / FULL);
}

bool lb_limit(const lb_config *config, const uint8_t dimmed[256], const uint8_t *rgb, uint16_t leds,
              uint8_t *ready) {
    const size_t channels = 3u * (size_t)leds;
    uint32_t sum = 0; /* at most 2304 * 765; 255 times that fits into 32 bits */
    for (size_t i = 0; i < channels; i++) {
        ready[i] = dimmed[rgb[i]];
        sum += ready[i];
    }
    const uint32_t weight = sum * config->ma_per_led;
    const uint32_t ma = (weight + WHITE - 1) / WHITE + leds;
    if (ma <= config->limit_ma || weight == 0) return false;

    const uint32_t room = config->limit_ma > leds ? (uint32_t)(config->limit_ma - leds) : 0;
    /* Below ONE, because room * WHITE < weight here. */
    const uint32_t scale = (uint32_t)((uint64_t)room * WHITE * ONE / weight);
    uint8_t scaled[256];
    for (uint32_t channel = 0; channel < 256; channel++)
        scaled[channel] = (uint8_t)(channel * scale / ONE);
    for (size_t i = 0; i < channels; i++) ready[i] = scaled[ready[i]];
    return true;
}
