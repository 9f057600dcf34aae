#include "leds.h"

#include "hardware/clocks.h"
#include "hardware/dma.h"
#include "hardware/pio.h"
#include "pico/time.h"
#include "ws2812.pio.h"

enum {
    BITS = 24,
    RESET_US = 300, /* a WS2812B v5 latches after 280 us of low, older ones after 50 us */
};
_Static_assert(SYS_CLK_HZ == 125000000, "the pulses of ws2812.pio are counted in cycles of 8 ns");

static const uint8_t channel_order[][3] = {
    [LB_RGB] = {0, 1, 2}, [LB_GRB] = {1, 0, 2}, [LB_BRG] = {2, 0, 1},
    [LB_RBG] = {0, 2, 1}, [LB_GBR] = {1, 2, 0}, [LB_BGR] = {2, 1, 0},
};

static struct {
    uint sm;
    int dma;
    uint32_t words[LB_MAX_LEDS];
} lanes[LB_MAX_LANES];

static enum { IDLE, FEEDING, DRAINING, RESETTING } phase;
static uint32_t stalls; /* FDEBUG bits: TX FIFO of a lane is empty */
static uint64_t dark_since_us;

static void start(int lane, uint count) {
    if (count > 0) {
        dma_channel_transfer_from_buffer_now(lanes[lane].dma, lanes[lane].words, count);
        phase = FEEDING;
    }
}

void leds_init(void) {
    uint program = pio_add_program(pio0, &ws2812_program);
    for (int lane = 0; lane < LB_MAX_LANES; lane++) {
        uint pin = LEDS_FIRST_PIN + lane;
        uint sm = lanes[lane].sm = pio_claim_unused_sm(pio0, true);
        pio_sm_config machine = ws2812_program_get_default_config(program);
        sm_config_set_out_pins(&machine, pin, 1);
        sm_config_set_set_pins(&machine, pin, 1);
        sm_config_set_out_shift(&machine, false, true, BITS);
        sm_config_set_fifo_join(&machine, PIO_FIFO_JOIN_TX);
        pio_sm_set_pins_with_mask(pio0, sm, 0, 1u << pin);
        pio_sm_set_consecutive_pindirs(pio0, sm, pin, 1, true);
        pio_gpio_init(pio0, pin);
        pio_sm_init(pio0, sm, program, &machine);
        pio_sm_set_enabled(pio0, sm, true);
        stalls |= 1u << (PIO_FDEBUG_TXSTALL_LSB + sm);

        lanes[lane].dma = dma_claim_unused_channel(true);
        dma_channel_config feed = dma_channel_get_default_config(lanes[lane].dma);
        channel_config_set_dreq(&feed, pio_get_dreq(pio0, sm, true));
        dma_channel_configure(lanes[lane].dma, &feed, &pio0->txf[sm], lanes[lane].words, 0, false);

        /* After a restart the number of lit LEDs is unknown: make the maximum dark. */
        start(lane, LB_MAX_LEDS);
    }
}

static bool fed(void) {
    for (int lane = 0; lane < LB_MAX_LANES; lane++) {
        if (dma_channel_is_busy(lanes[lane].dma) || !pio_sm_is_tx_fifo_empty(pio0, lanes[lane].sm)) {
            return false;
        }
    }
    return true;
}

static bool ready(void) {
    if (phase == FEEDING && fed()) {
        /* The last LED of each lane has left the FIFO. Stall bits are sticky: cleared here, they
         * are set again when that LED is sent. */
        pio0->fdebug = stalls;
        phase = DRAINING;
    }
    if (phase == DRAINING && (pio0->fdebug & stalls) == stalls) {
        dark_since_us = time_us_64();
        phase = RESETTING;
    }
    if (phase == RESETTING && time_us_64() - dark_since_us > RESET_US) {
        phase = IDLE;
    }
    return phase == IDLE;
}

bool leds_latch(void *self, const lb_config *config, const uint8_t *rgb, uint16_t leds) {
    (void)self;
    if (!ready()) {
        return false;
    }
    const uint8_t *order = channel_order[config->order];
    const uint8_t *end = rgb + 3 * (uint32_t)leds;
    for (int lane = 0; lane < LB_MAX_LANES; lane++) {
        uint16_t lane_leds = lane < config->lanes ? config->lane_leds[lane] : 0;
        uint32_t *words = lanes[lane].words;
        uint16_t led = 0;
        for (; led < lane_leds && rgb < end; led++, rgb += 3) {
            words[led] = (uint32_t)rgb[order[0]] << 24 | (uint32_t)rgb[order[1]] << 16 | (uint32_t)rgb[order[2]] << 8;
        }
        start(lane, led);
    }
    return true;
}
