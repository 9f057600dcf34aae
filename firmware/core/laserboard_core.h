/* The fields of lb_core, and what the core's own files share. Include laserboard.h instead. */
#ifndef LASERBOARD_CORE_H
#define LASERBOARD_CORE_H

/* The order is that of the STATS message. */
enum lb_count {
    LB_GOOD, LB_BAD_CRC, LB_OVERFLOW, LB_MALFORMED, LB_REFUSED, LB_REPEATS, LB_LIMITED, LB_BLANKED,
    LB_COUNTS,
};

/* A frame while it arrives: COBS is undone and the CRC computed byte by byte, so that little is
 * left to do after the last one. */
typedef struct {
    uint8_t body[LB_MAX_BODY];
    size_t count;      /* bytes in body */
    uint32_t crc;      /* over all of them, the CRC at their end included */
    uint8_t left;      /* bytes that the block still has */
    bool zero_follows; /* another block means that there was a zero before it */
    bool begun;        /* anything came since the last zero */
    bool overflow;
} lb_inbox;

/* The beam that runs, or ran last, kept as it came: a repeat is recognised byte for byte. */
typedef struct {
    uint8_t payload[LB_MAX_PAYLOAD];
    size_t count;
    uint8_t seq;
    bool running;        /* DONE was not sent yet */
    bool last_accepted;  /* nothing was accepted after it */
    uint16_t lit;        /* steps done */
    uint32_t next_at_ms; /* when the next one is due */
} lb_beam;

struct lb_core {
    lb_identity identity;
    lb_port port;
    lb_config config;
    uint16_t leds; /* on all lanes */
    lb_inbox inbox;
    lb_beam beam;
    uint32_t counts[LB_COUNTS];
    uint32_t heard_ms; /* when the last good frame came */
    bool greeted;
    bool dark; /* the `state` of the ACK */

    uint8_t picture[3 * LB_MAX_LEDS]; /* as the host sent it */
    uint8_t shown[3 * LB_MAX_LEDS];   /* with the beams on top */
    uint8_t ready[3 * LB_MAX_LEDS];   /* what the LEDs get */
    uint8_t dimmed[256];              /* what the brightness makes of a channel */
    bool waiting;                     /* `shown` is not in the LEDs yet */
    bool computed;                    /* `ready` is what `shown` becomes */

    bool clear_first; /* LEDs that the new configuration does not reach are still lit */
    lb_config clear_config;
    uint16_t clear_leds;

    bool ack_waiting; /* until `shown` is on its way */
    uint8_t ack_seq;
    uint32_t ack_crc;
};

/* cobs.c */
enum lb_arrival { LB_MORE, LB_COMPLETE, LB_TOO_LONG, LB_BROKEN, LB_DAMAGED };
void lb_inbox_clear(lb_inbox *inbox);
/* Take one byte; anything but LB_MORE says that a frame has ended, and how. The body stays until
 * `lb_inbox_clear`. */
enum lb_arrival lb_inbox_take(lb_inbox *inbox, uint8_t byte);
/* Encode up to 253 bytes and add the zero at the end; `wire` has room for 2 more. */
size_t lb_cobs_encode(const uint8_t *body, size_t count, uint8_t *wire);

/* crc32.c */
#define LB_CRC_START 0xffffffffu
/* What is in the register when a body and its own CRC have gone through it. */
#define LB_CRC_RIGHT 0xdebb20e3u
extern const uint32_t lb_crc_table[256];
static inline uint32_t lb_crc_step(uint32_t crc, uint8_t byte) {
    return lb_crc_table[(crc ^ byte) & 0xffu] ^ (crc >> 8);
}
uint32_t lb_crc32(const uint8_t *bytes, size_t count);

/* power.c */
void lb_dim_table(uint8_t dimmed[256], uint8_t brightness);
/* From channels to what the LEDs may get; whether the limit made them darker. */
bool lb_limit(const lb_config *config, const uint8_t dimmed[256], const uint8_t *rgb, uint16_t leds,
              uint8_t *ready);

/* show.c */
void lb_show_init(lb_core *core);
void lb_show_frame(lb_core *core, const uint8_t *rgb, size_t count);
void lb_show_delta(lb_core *core, size_t start, const uint8_t *rgb, size_t count);
void lb_show_dark(lb_core *core);
void lb_show_config(lb_core *core, const lb_config *config, uint16_t leds);
/* The beam is in core->beam: begin it. */
void lb_show_beam(lb_core *core, uint32_t now_ms);
/* Light the steps of the beam that are due. */
void lb_show_steps(lb_core *core, uint32_t now_ms);
/* Give the picture to the LEDs if it waits; true if it is on its way now and was not before. */
bool lb_show_latch(lb_core *core);
uint16_t lb_beam_steps(const lb_beam *beam);

/* Little-endian numbers, anywhere in memory. */
static inline uint16_t lb_get16(const uint8_t *bytes) {
    return (uint16_t)(bytes[0] | (uint16_t)(bytes[1] << 8));
}
static inline uint32_t lb_get32(const uint8_t *bytes) {
    return lb_get16(bytes) | (uint32_t)lb_get16(bytes + 2) << 16;
}
static inline void lb_put16(uint8_t *bytes, uint16_t value) {
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}
static inline void lb_put32(uint8_t *bytes, uint32_t value) {
    lb_put16(bytes, (uint16_t)value);
    lb_put16(bytes + 2, (uint16_t)(value >> 16));
}
/* Whether a time has come, on a clock that wraps. */
static inline bool lb_due(uint32_t at_ms, uint32_t now_ms) {
    return (uint32_t)(now_ms - at_ms) < 0x80000000u;
}

#endif
