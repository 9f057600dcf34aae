/* The computer player's compiled core: boards that play and take back, and one search over them.
 *
 * No game's rules are written here: boards get them as tables, from the engine that everyone else
 * uses. A square is a number below `SQUARES`, a piece a number below `PIECES` (0: none), sides are
 * 0 and 1. Scores are hundredths of a common piece, seen from the side to move; a win in n single
 * turns is WIN - n.
 */
#ifndef LASERBOARD_CORE_H
#define LASERBOARD_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SQUARES = 100,      /* of the largest board */
    PIECES = 41,
    MOST_OPTIONS = 256, /* moves of one position: of 42 Photon pieces each has at most 6 */
    DEEPEST = 64,       /* turns below the root, quiescence included */
    MOST_TURNS = DEEPEST + 4,
    NOBODY = -1,
    DRAWN = 2,
    MOST_FEATURES = 32,
    MOST_PROVEN = 15, /* turns in which a win is proven */
};

enum { WIN = 1000000, DECIDED = WIN - 1000, INFINITE = 2 * WIN };

/* src, dst << 7, and << 14: 0 a step or swap, 1 a turn clockwise, 2 counter-clockwise, 3 a pass. */
typedef uint16_t Move;
enum { NO_MOVE = 0, PASS = 3 << 14 };

static inline int move_src(Move move) { return move & 127; }
static inline int move_dst(Move move) { return move >> 7 & 127; }
static inline int move_turn(Move move) { return move >> 14; }
static inline Move move_of(int src, int dst, int turn) { return (Move)(src | dst << 7 | turn << 14); }

/* What a move comes to once the beams have fired. */
enum {
    WINS = 1,        /* at once */
    LOSES = 2,       /* at once */
    DRAWS = 4,       /* at once */
    CAPTURES = 8,    /* something is lost, by whomever */
    AIMS = 16,       /* it changes the way of a beam that the mover fires */
    SHIELDS = 32,    /* it changes the way of a beam that the other side fires */
    TWIN = 64,       /* another move of the list comes to the very same position */
};

typedef struct {
    Move move;
    uint8_t flags;
    int16_t gain; /* of what is lost, in score for the mover */
    int32_t promise;
} Option;

/* What every board begins with. */
typedef struct {
    uint64_t key; /* equal for positions that play alike, as the draw rules compare them */
    int side;     /* to move */
    int winner;   /* NOBODY, 0, 1 or DRAWN */
    int quiet;    /* single turns since something was last lost */
} Board;

typedef struct Rules Rules;
struct Rules {
    size_t board_size;
    int squares;
    void (*set_up)(const Rules *rules, Board *board, const uint8_t *squares, int side);
    void (*squares_of)(const Board *board, uint8_t *squares);
    uint64_t (*key)(const Rules *rules, const uint8_t *squares, int side);
    int (*options)(const Rules *rules, Board *board, Option *found);
    /* Those that win or gain; where all that do nothing gain the same, one of them stands for all. */
    int (*captures)(const Rules *rules, Board *board, Option *found);
    void (*play)(const Rules *rules, Board *board, Move move);
    void (*take_back)(const Rules *rules, Board *board);
    int (*evaluate)(const Rules *rules, const Board *board);
    /* Whether a side would win at once, were it to move. */
    bool (*strikes)(const Rules *rules, Board *board, int side);
    /* A legal move that changes no beam, or NO_MOVE. */
    Move (*waits)(const Rules *rules, const Board *board);
    int (*features)(const Rules *rules, const Board *board, int32_t *found);
};

/* -- what boards share -------------------------------------------------------------------------- */

static inline int count_bits(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(bits * 0x0101010101010101u >> 56);
}

/* A set of squares, a bit each; which bit is whose is up to the board. */
typedef struct {
    uint64_t words[2];
} Mask;

static inline bool meets(const Mask *a, const Mask *b) {
    return (a->words[0] & b->words[0]) | (a->words[1] & b->words[1]);
}

static inline int common(const Mask *a, const Mask *b) {
    return count_bits(a->words[0] & b->words[0]) + count_bits(a->words[1] & b->words[1]);
}

/* What is looked for among all moves. */
typedef enum { EVERY_MOVE, GAINS, STRIKES } Want;

/* SplitMix64: from the same seed the same keys in every run. */
static inline uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

#endif
