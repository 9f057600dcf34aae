/* The compiled core of the computer player: boards with make and unmake, and a search over them.
 *
 * No rules are coded here: boards get them as tables from the Python engine. A square is a number
 * below `SQUARES`, a piece a number below `PIECES` (0: none), a side 0 or 1. Scores are hundredths
 * of a common piece for the side to move. A win in n single turns is WIN - n.
 */
#ifndef LASERBOARD_CORE_H
#define LASERBOARD_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SQUARES = 100,      /* of the largest board */
    PIECES = 41,
    MAX_OPTIONS = 256, /* moves of one position: 42 Photon pieces have at most 6 each */
    DEEPEST = 64,       /* turns below the root, including quiescence */
    MAX_TURNS = DEEPEST + 4,
    NO_WINNER = -1,
    DRAWN = 2,
    MAX_FEATURES = 32,
    MAX_PROVEN = 15, /* turns of a proof */
};

enum { WIN = 1000000, DECIDED = WIN - 1000, INFINITE = 2 * WIN };

/* src, dst << 7, and << 14: 0 a step or swap, 1 a turn clockwise, 2 counter-clockwise, 3 a pass. */
typedef uint16_t Move;
enum { NO_MOVE = 0, PASS = 3 << 14 };

static inline int move_src(Move move) { return move & 127; }
static inline int move_dst(Move move) { return move >> 7 & 127; }
static inline int move_turn(Move move) { return move >> 14; }
static inline Move move_of(int src, int dst, int turn) { return (Move)(src | dst << 7 | turn << 14); }

/* The effects of a move after the beams have fired. */
enum {
    WINS = 1,        /* in one turn */
    LOSES = 2,       /* in one turn */
    DRAWS = 4,       /* in one turn */
    CAPTURES = 8,    /* a piece of either side is lost */
    AIMS = 16,       /* changes the path of a beam of the mover */
    SHIELDS = 32,    /* changes the path of a beam of the opponent */
    TWIN = 64,       /* another move in the list leads to the same position */
};

typedef struct {
    Move move;
    uint8_t flags;
    int16_t gain; /* value of the losses, for the mover */
    int32_t promise; /* for move ordering */
} Option;

/* The first member of every board. */
typedef struct {
    uint64_t key; /* equal for equivalent positions, as the draw rules compare them */
    int side;     /* to move */
    int winner;   /* NO_WINNER, 0, 1 or DRAWN */
    int turns_since_capture; /* single turns */
} Board;

typedef struct Rules Rules;
struct Rules {
    size_t board_size;
    int squares;
    void (*set_up)(const Rules *rules, Board *board, const uint8_t *squares, int side);
    void (*squares_of)(const Board *board, uint8_t *squares);
    uint64_t (*key)(const Rules *rules, const uint8_t *squares, int side);
    int (*options)(const Rules *rules, Board *board, Option *found);
    /* The moves that win or gain. One move stands for all that leave the beams unchanged. */
    int (*captures)(const Rules *rules, Board *board, Option *found);
    void (*play)(const Rules *rules, Board *board, Move move);
    void (*take_back)(const Rules *rules, Board *board);
    int (*evaluate)(const Rules *rules, const Board *board);
    /* Whether a side would win in one turn if it were to move. */
    bool (*strikes)(const Rules *rules, Board *board, int side);
    /* A legal move that changes no beam, or NO_MOVE. The search uses it as a null move. */
    Move (*waits)(const Rules *rules, const Board *board);
    int (*features)(const Rules *rules, const Board *board, int32_t *found);
};

/* -- shared by all boards ---------------------------------------------------------------------- */

static inline int count_bits(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(bits * 0x0101010101010101u >> 56);
}

/* A set of squares, one bit each. Each board has its own mapping of squares to bits. */
typedef struct {
    uint64_t words[2];
} Mask;

static inline bool meets(const Mask *a, const Mask *b) {
    return (a->words[0] & b->words[0]) | (a->words[1] & b->words[1]);
}

static inline int common(const Mask *a, const Mask *b) {
    return count_bits(a->words[0] & b->words[0]) + count_bits(a->words[1] & b->words[1]);
}

/* Which moves a list should have. */
typedef enum { EVERY_MOVE, GAINS, STRIKES } MoveFilter;

/* Zobrist keys, in common.c. `keys` is a table [PIECES][cells]. The same seed gives the same keys
 * in every run. Pieces with the same `fold` are equivalent and share their keys; NULL: none are.
 * Returns the key of the second side. */
uint64_t fill_keys(uint64_t *keys, int cells, uint64_t seed, const uint8_t *fold);
uint64_t position_key(const uint64_t *keys, int cells, const uint8_t *squares, uint64_t side_key);

#endif
