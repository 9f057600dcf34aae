/* Zobrist keys, shared by all boards. */
#include "core.h"

#include <string.h>

/* SplitMix64. */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint64_t fill_keys(uint64_t *keys, int cells, uint64_t seed, const uint8_t *fold) {
    size_t row = (size_t)cells;
    uint64_t state = seed;
    for (size_t i = row; i < PIECES * row; i++) keys[i] = next_random(&state);
    uint64_t side_key = next_random(&state);
    for (size_t piece = 1; fold && piece < PIECES; piece++)
        if (fold[piece] != piece)
            memcpy(&keys[piece * row], &keys[fold[piece] * row], row * sizeof *keys);
    return side_key;
}

uint64_t position_key(const uint64_t *keys, int cells, const uint8_t *squares, uint64_t side_key) {
    uint64_t key = side_key;
    for (int at = 0; at < cells; at++) key ^= keys[(size_t)squares[at] * (size_t)cells + (size_t)at];
    return key;
}
