/* The picture, the beams on top of it, and the way into the LEDs. */
#include "laserboard.h"

#include <string.h>

enum { BEAM_HEAD = 5 }; /* r g b, ms_per_step u16 */

/* Of a picture with all the LEDs there are: what lies beyond is never looked at. */
static size_t bytes(const lb_core *core) { return 3 * (size_t)core->leds; }

static void changed(lb_core *core) {
    core->waiting = true;
    core->computed = false;
}

/* What the host sent becomes what is shown, without any beam. */
static void replace(lb_core *core) {
    memcpy(core->shown, core->picture, bytes(core));
    core->beam.running = false;
    changed(core);
}

void lb_show_frame(lb_core *core, const uint8_t *rgb, size_t count) {
    memcpy(core->picture, rgb, count);
    memset(core->picture + count, 0, bytes(core) - count);
    core->dark = false;
    replace(core);
}

void lb_show_delta(lb_core *core, size_t start, const uint8_t *rgb, size_t count) {
    memcpy(core->picture + 3 * start, rgb, count);
    replace(core);
}

void lb_show_dark(lb_core *core) {
    memset(core->picture, 0, bytes(core));
    core->dark = true;
    replace(core);
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
    /* LEDs keep their colour until they are told another: those that the new lanes do not reach
     * would burn for ever. */
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

uint16_t lb_beam_steps(const lb_beam *beam) { return (uint16_t)((beam->count - BEAM_HEAD) / 2); }

void lb_show_beam(lb_core *core, uint32_t now_ms) {
    core->beam.running = true;
    core->beam.lit = 0;
    core->beam.next_at_ms = now_ms;
    lb_show_steps(core, now_ms);
    changed(core);
}

void lb_show_steps(lb_core *core, uint32_t now_ms) {
    lb_beam *beam = &core->beam;
    if (!beam->running) return;
    const uint16_t steps = lb_beam_steps(beam);
    while (beam->lit < steps && lb_due(beam->next_at_ms, now_ms)) {
        const size_t led = lb_get16(beam->payload + BEAM_HEAD + 2 * (size_t)beam->lit);
        memcpy(core->shown + 3 * led, beam->payload, 3);
        beam->lit++;
        beam->next_at_ms += lb_get16(beam->payload + 3);
        changed(core);
    }
}

bool lb_show_latch(lb_core *core) {
    const lb_port *port = &core->port;
    if (core->clear_first) {
        memset(core->ready, 0, sizeof core->ready); /* `shown` is not computed yet */
        if (!port->latch(port->self, &core->clear_config, core->ready, core->clear_leds)) return false;
        core->clear_first = false;
    }
    if (!core->waiting) return false;
    if (!core->computed) {
        if (lb_limit(&core->config, core->dimmed, core->shown, core->leds, core->ready))
            core->counts[LB_LIMITED]++;
        core->computed = true;
    }
    if (!port->latch(port->self, &core->config, core->ready, core->leds)) return false;
    core->waiting = false;
    return true;
}
