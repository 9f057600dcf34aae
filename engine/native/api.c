/* The functions that Python calls through ctypes. */
#include <stdlib.h>

#include "laser.h"
#include "photon.h"
#include "search.h"

uint64_t perft(const Rules *rules, Board *board, int depth);
int solve(const Rules *rules, const uint8_t *squares, int side, int turns,
          int32_t (*stop)(void), int32_t *moves);

#define API __attribute__((visibility("default")))

/* The sizes of shared structures. A library with other sizes is of another release. */
API int32_t lb_sizes(int32_t which) {
    const int32_t sizes[] = {1,
                             sizeof(LaserTables),
                             sizeof(PhotonTables),
                             sizeof(Request),
                             sizeof(Result),
                             FEATURES,
                             PHOTON_FEATURES,
                             MAX_FEATURES,
                             MAX_OPTIONS,
                             DEEPEST,
                             MAX_PROVEN};
    return which >= 0 && which < (int32_t)(sizeof sizes / sizeof *sizes) ? sizes[which] : 0;
}

API Rules *lb_laser(const LaserTables *tables) { return laser_rules(tables); }

API Rules *lb_photon(const PhotonTables *tables) { return photon_rules(tables); }

API void lb_free(Rules *rules) { free(rules); }

static Board *board_of(const Rules *rules, const uint8_t *squares, int32_t side) {
    Board *board = calloc(1, rules->board_size);
    if (board) rules->set_up(rules, board, squares, side);
    return board;
}

API int32_t lb_search(const Rules *rules, const Request *request, Result *result) {
    return search(rules, request, result);
}

/* The number of moves that win within `turns`. -1 if memory is out, -2 if stopped. */
API int32_t lb_solve(const Rules *rules, const uint8_t *squares, int32_t side, int32_t turns,
                     int32_t (*stop)(void), int32_t *moves) {
    return solve(rules, squares, side, turns, stop, moves);
}

API int64_t lb_perft(const Rules *rules, const uint8_t *squares, int32_t side, int32_t depth) {
    Board *board = board_of(rules, squares, side);
    if (!board) return -1;
    int64_t found = board->winner == NO_WINNER ? (int64_t)perft(rules, board, depth) : 0;
    free(board);
    return found;
}

/* All moves as three numbers each: move, gain, flags. */
API int32_t lb_moves(const Rules *rules, const uint8_t *squares, int32_t side, int32_t *found) {
    Option options[MAX_OPTIONS];
    Board *board = board_of(rules, squares, side);
    if (!board) return -1;
    int length = rules->options(rules, board, options);
    for (int i = 0; i < length; i++) {
        found[3 * i] = options[i].move;
        found[3 * i + 1] = options[i].gain;
        found[3 * i + 2] = options[i].flags;
    }
    free(board);
    return length;
}

/* The score for the side to move. Writes the number of features and the features to `found`. */
API int32_t lb_evaluate(const Rules *rules, const uint8_t *squares, int32_t side, int32_t *found) {
    Board *board = board_of(rules, squares, side);
    if (!board) return INT32_MIN;
    int32_t score = rules->evaluate(rules, board);
    found[0] = rules->features(rules, board, found + 1);
    free(board);
    return score;
}
