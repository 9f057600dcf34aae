/* The picture: FRAME, DELTA, CONFIG and BLANK change it, lb_show_latch puts it into the LEDs. */
#include "laserboard.h"

#include <string.h>

/* Size of the configured part of the picture; bytes beyond it are never read. */
static size_t bytes(const lb_core *core) { return 3 * (size_t)core->leds; }

static void changed(lb_core *core) {
    core->waiting = true;
    core->computed = false;
}

void lb_show_frame(lb_core *core, const uint8_t *rgb, size_t count) {
    memcpy(core->picture, rgb, count);
    memset(core->picture + count, 0, bytes(core) - count);
    core->dark = false;
    changed(core);
}

void lb_show_delta(lb_core *core, size_t start, const uint8_t *rgb, size_t count) {
    memcpy(core->picture + 3 * start, rgb, count);
    changed(core);
}

void lb_show_dark(lb_core *core) {
    memset(core->picture, 0, bytes(core));
    core->dark = true;
    changed(core);
}

void lb_show_init(lb_core *core) {
    lb_dim_table(core->dimmed, core->config.brightness);
    lb_show_dark(core); /* after a restart the LEDs may still be lit */
}

static bool same_lanes(const lb_config *one, const lb_config *other) {
    return one->lanes == other->lanes &&
           memcmp(one->lane_leds, other->lane_leds, sizeof one->lane_leds) == 0;
}

void lb_show_config(lb_core *core, const lb_config *config, uint16_t leds) {
    /* LEDs keep their colour until they get a new one: LEDs that the new lanes do not reach would
     * stay lit. */
    if (!core->clear_first && !same_lanes(&core->config, config) && (core->waiting || !core->dark)) {
        core->clear_first = true;
        core->clear_config = core->config;
        core->clear_leds = core->leds;
    }
    const bool keep = leds == core->leds;
    core->config = *config;
    core->leds = leds;
    lb_dim_table(core->dimmed, config->brightness);
    if (!keep) lb_show_dark(core);
    changed(core);
}

bool lb_show_latch(lb_core *core) {
    const lb_port *port = &core->port;
    if (core->clear_first) {
        memset(core->ready, 0, sizeof core->ready); /* `ready` is not computed yet */
        if (!port->latch(port->self, &core->clear_config, core->ready, core->clear_leds)) return false;
        core->clear_first = false;
    }
    if (!core->waiting) return false;
    if (!core->computed) {
        if (lb_limit(&core->config, core->dimmed, core->picture, core->leds, core->ready))
            core->counts[LB_LIMITED]++;
        core->computed = true;
    }
    if (!port->latch(port->self, &core->config, core->ready, core->leds)) return false;
    core->waiting = false;
    return true;
}
