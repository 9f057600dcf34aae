/* Framing: decodes COBS and checks the CRC byte by byte, encodes answers. */
#include "laserboard.h"

enum { SHORTEST_BODY = 2 + 4, FULL_BLOCK = 0xff };

void lb_inbox_clear(lb_inbox *inbox) {
    inbox->count = 0;
    inbox->crc = LB_CRC_START;
    inbox->left = 0;
    inbox->zero_follows = false;
    inbox->begun = false;
    inbox->overflow = false;
}

static void push(lb_inbox *inbox, uint8_t byte) {
    if (inbox->count == LB_MAX_BODY) {
        inbox->overflow = true;
        return;
    }
    inbox->body[inbox->count++] = byte;
    inbox->crc = lb_crc_step(inbox->crc, byte);
}

static enum lb_arrival frame_result(const lb_inbox *inbox) {
    if (!inbox->begun) return LB_MORE; /* an empty frame is ignored */
    if (inbox->overflow) return LB_TOO_LONG;
    if (inbox->left > 0 || inbox->count < SHORTEST_BODY) return LB_BROKEN;
    return inbox->crc == LB_CRC_RIGHT ? LB_COMPLETE : LB_DAMAGED;
}

enum lb_arrival lb_inbox_take(lb_inbox *inbox, uint8_t byte) {
    if (byte == 0) return frame_result(inbox);
    inbox->begun = true;
    if (inbox->left > 0) {
        inbox->left--;
        push(inbox, byte);
        return LB_MORE;
    }
    if (inbox->zero_follows) push(inbox, 0);
    inbox->zero_follows = byte != FULL_BLOCK;
    inbox->left = (uint8_t)(byte - 1);
    return LB_MORE;
}

size_t lb_cobs_encode(const uint8_t *body, size_t count, uint8_t *wire) {
    size_t block = 0; /* where the length of the current block goes */
    size_t end = 1;
    for (size_t i = 0; i < count; i++) {
        if (body[i] == 0) {
            wire[block] = (uint8_t)(end - block);
            block = end++;
        } else {
            wire[end++] = body[i];
        }
    }
    wire[block] = (uint8_t)(end - block);
    wire[end++] = 0;
    return end;
}
