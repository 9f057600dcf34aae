/* The main program on a Raspberry Pi Pico: identity, input from two links, watchdog and lamp. */
#include <string.h>

#include "hardware/gpio.h"
#include "hardware/structs/vreg_and_chip_reset.h"
#include "hardware/watchdog.h"
#include "laserboard.h"
#include "leds.h"
#include "links.h"
#include "pico/time.h"
#include "pico/unique_id.h"

enum {
    CHIP_WATCHDOG_MS = 2000,
    MESSAGE_TIMEOUT_MS = 300, /* for the rest of a message */
    SHORT_NAP_US = 250, /* while a picture or an answer waits */
    LONG_NAP_MS = 2,
    BLINK_MS = 2000, LISTENING_ON_MS = 1000, LONELY_ON_MS = 100, LONELY_AFTER_MS = 2000,
    NACK = 0xff,
};

/* Scratch registers survive only a watchdog reset; the SDK uses 4 to 7. */
enum { SCRATCH_MARK, SCRATCH_BOOTS };
static const uint32_t boots_mark = 0x4c423031;

static lb_core core;

static int speaking = -1; /* the link with an incomplete message: the other one waits */
static uint32_t began_ms; /* when that message began */
static int receiving = -1;     /* the link whose bytes the core processes */
static int partner = LINK_USB; /* the link of the last accepted message */
static bool refused;
static uint32_t accepted_ms;

static uint32_t now_ms(void) { return to_ms_since_boot(get_absolute_time()); }

static void answer(void *self, const uint8_t *bytes, size_t count) {
    (void)self;
    /* The type is never zero, so in COBS it is the byte after the first code byte. */
    refused = refused || (count > 1 && bytes[1] == NACK);
    link_send(receiving >= 0 ? receiving : partner, bytes, count);
}

/* A lone zero ends no message: a host that connects sends one. */
static bool ends_a_message(const uint8_t *bytes, size_t count, bool begun) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == 0 && begun) {
            return true;
        }
        begun = begun || bytes[i] != 0;
    }
    return false;
}

static bool receive(int link) {
    if (speaking >= 0 && speaking != link) {
        return false;
    }
    /* Counted from the first byte: else slow noise would block the other link for ever. */
    bool overdue = speaking == link && now_ms() - began_ms >= MESSAGE_TIMEOUT_MS;
    uint8_t bytes[256];
    size_t count = overdue ? 0 : link_read(link, bytes, sizeof bytes);
    if (count == 0) {
        if (!overdue) {
            return false;
        }
        bytes[count++] = 0; /* end the incomplete message: the core refuses it and the other link is free */
    }
    bool ended = ends_a_message(bytes, count, speaking == link);
    receiving = link;
    refused = false;
    lb_receive(&core, bytes, count, now_ms());
    receiving = -1;
    uint32_t spoke_ms = now_ms();
    if (ended || speaking != link) {
        began_ms = spoke_ms;
    }
    speaking = bytes[count - 1] != 0 ? link : -1;
    if (ended && !refused) {
        partner = link;
        accepted_ms = spoke_ms;
    }
    return true;
}

static uint8_t reset_cause(void) {
    if (watchdog_enable_caused_reboot()) {
        return LB_RESET_WATCHDOG;
    }
    if (watchdog_caused_reboot()) {
        return LB_RESET_REQUEST; /* also after flashing */
    }
    uint32_t reset = vreg_and_chip_reset_hw->chip_reset;
    if (reset & VREG_AND_CHIP_RESET_CHIP_RESET_HAD_RUN_BITS) {
        return LB_RESET_PIN;
    }
    return reset & VREG_AND_CHIP_RESET_CHIP_RESET_HAD_POR_BITS ? LB_RESET_POWER : LB_RESET_UNKNOWN;
}

static lb_identity identify(void) {
    lb_identity identity = {.reset_cause = reset_cause()};
    if (watchdog_hw->scratch[SCRATCH_MARK] != boots_mark) {
        watchdog_hw->scratch[SCRATCH_MARK] = boots_mark;
        watchdog_hw->scratch[SCRATCH_BOOTS] = 0;
    }
    identity.boots = ++watchdog_hw->scratch[SCRATCH_BOOTS];

    pico_unique_board_id_t id;
    pico_get_unique_board_id(&id);
    _Static_assert(sizeof id.id == sizeof identity.board_id, "8 bytes each");
    /* A flash chip without a serial number answers with all ones: the id is then zero. */
    static const uint8_t none[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    if (memcmp(id.id, none, sizeof none) != 0) {
        memcpy(identity.board_id, id.id, sizeof id.id);
    }
    return identity;
}

static void blink(void) {
    uint32_t now = now_ms();
    bool lonely = now - accepted_ms > LONELY_AFTER_MS;
    gpio_put(PICO_DEFAULT_LED_PIN, now % BLINK_MS < (lonely ? LONELY_ON_MS : LISTENING_ON_MS));
}

static uint32_t nap_us(bool leaving) {
    uint32_t wait_ms = leaving ? 0 : lb_wait_ms(&core, now_ms());
    if (wait_ms == 0) {
        return SHORT_NAP_US;
    }
    return 1000 * (wait_ms < LONG_NAP_MS ? wait_ms : LONG_NAP_MS);
}

int main(void) {
    lb_identity identity = identify();
    accepted_ms = now_ms() - LONELY_AFTER_MS - 1;
    gpio_init(PICO_DEFAULT_LED_PIN);
    gpio_set_dir(PICO_DEFAULT_LED_PIN, GPIO_OUT);
    leds_init();
    links_init();
    lb_init(&core, &identity, (lb_port){.send = answer, .latch = leds_latch}, now_ms());

    watchdog_enable(CHIP_WATCHDOG_MS, true);
    while (true) {
        watchdog_update(); /* only here: a loop that hangs restarts the chip */
        links_run();
        bool busy = false;
        for (int link = 0; link < LINKS; link++) {
            busy = receive(link) || busy;
        }
        lb_tick(&core, now_ms());
        blink();
        bool leaving = links_run(); /* send answers before the nap */
        if (!busy) {
            best_effort_wfe_or_timeout(make_timeout_time_us(nap_us(leaving))); /* an interrupt ends it */
        }
    }
}
