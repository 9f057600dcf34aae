/* The fields of lb_core and the functions its files share. Include laserboard.h instead. */
#ifndef LASERBOARD_CORE_H
#define LASERBOARD_CORE_H

/* The order is that of the STATS message. */
enum lb_count {
    LB_GOOD, LB_BAD_CRC, LB_OVERFLOW, LB_MALFORMED, LB_REFUSED,
    LB_REPEATS, /* always 0: repeated BEAMs of protocol 1.0 */
    LB_LIMITED, LB_BLANKED, LB_COUNTS,
};

/* A frame while it arrives. COBS and CRC are computed byte by byte, so that little work is left
 * after the last byte. */
typedef struct {
    uint8_t body[LB_MAX_BODY];
    size_t count;      /* bytes in body */
    uint32_t crc;      /* over the body, including the CRC at its end */
    uint8_t left;      /* bytes left in the COBS block */
    bool zero_follows; /* if another block comes, a zero belongs before it */
    bool begun;        /* a byte came since the last zero */
    bool overflow;
} lb_inbox;

struct lb_core {
    lb_identity identity;
    lb_port port;
    lb_config config;
    uint16_t leds; /* on all lanes */
    lb_inbox inbox;
    uint32_t counts[LB_COUNTS];
    uint32_t last_frame_ms; /* of the last good frame */
    bool greeted;
    bool dark; /* the `state` of the ACK */

    uint8_t picture[3 * LB_MAX_LEDS]; /* as the host sent it */
    uint8_t ready[3 * LB_MAX_LEDS];   /* after brightness and current limit: sent to the LEDs */
    uint8_t dimmed[256];              /* channel value -> value at this brightness */
    bool waiting;                     /* `picture` is not latched yet */
    bool computed;                    /* `ready` belongs to `picture` */

    bool clear_first; /* LEDs of the previous configuration may still be lit */
    lb_config clear_config;
    uint16_t clear_leds;

    bool ack_waiting; /* until `picture` is latched */
    uint8_t ack_seq;
    uint32_t ack_crc;
};

/* cobs.c */
enum lb_arrival { LB_MORE, LB_COMPLETE, LB_TOO_LONG, LB_BROKEN, LB_DAMAGED };
void lb_inbox_clear(lb_inbox *inbox);
/* Take one byte. Any result but LB_MORE means that a frame ended. The body stays valid until
 * `lb_inbox_clear`. */
enum lb_arrival lb_inbox_take(lb_inbox *inbox, uint8_t byte);
/* Encode up to 253 bytes and append the zero; `wire` needs 2 more bytes than the body. */
size_t lb_cobs_encode(const uint8_t *body, size_t count, uint8_t *wire);

/* crc32.c */
#define LB_CRC_START 0xffffffffu
/* The register after a body and its correct CRC. */
#define LB_CRC_RIGHT 0xdebb20e3u
extern const uint32_t lb_crc_table[256];
static inline uint32_t lb_crc_step(uint32_t crc, uint8_t byte) {
    return lb_crc_table[(crc ^ byte) & 0xffu] ^ (crc >> 8);
}
uint32_t lb_crc32(const uint8_t *bytes, size_t count);

/* power.c */
void lb_dim_table(uint8_t dimmed[256], uint8_t brightness);
/* Apply brightness and current limit; true if the limit dimmed the picture. */
bool lb_limit(const lb_config *config, const uint8_t dimmed[256], const uint8_t *rgb, uint16_t leds,
              uint8_t *ready);

/* show.c */
void lb_show_init(lb_core *core);
void lb_show_frame(lb_core *core, const uint8_t *rgb, size_t count);
void lb_show_delta(lb_core *core, size_t start, const uint8_t *rgb, size_t count);
void lb_show_dark(lb_core *core);
void lb_show_config(lb_core *core, const lb_config *config, uint16_t leds);
/* Latch the picture if it waits and the LEDs are free; true if it was latched now. */
bool lb_show_latch(lb_core *core);

/* Unaligned little-endian integers. */
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

#endif
