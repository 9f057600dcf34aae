/* What a search is asked, what it answers, and what its parts share. */
#ifndef LASERBOARD_SEARCH_H
#define LASERBOARD_SEARCH_H

#include "core.h"

enum { NO_ENDING = INT32_MIN };

/* One move of the position to move in, with what only the game's own rules know of it. */
typedef struct {
    int32_t move;
    int32_t error;     /* by which it is misjudged */
    int32_t ending;    /* its score, if it ends the game; else NO_ENDING */
    int32_t claimable; /* may the other side claim a draw then? */
} Root;

typedef struct {
    int32_t root; /* which of the moves; -1 before any has been looked at */
    int32_t score, depth, length;
    uint64_t nodes;
    int32_t line[DEEPEST]; /* the play expected */
} Result;

typedef struct {
    const uint8_t *squares;
    const uint8_t *past; /* earlier positions since the last loss: squares and side of each */
    const Root *roots;
    int32_t (*stop)(void);
    int32_t (*enough)(const Result *result); /* after each depth */
    uint64_t node_limit;
    int32_t side, past_length, root_count;
    int32_t repeats;     /* coming back to a position is a draw */
    int32_t quiet_limit; /* so are this many single turns without a loss; 0: never */
    int32_t claims;      /* not at once then, but once somebody claims it */
    int32_t turns_left;  /* after so many single turns it is a draw, too; 0: not that soon */
    int32_t depth_limit, safe_depth; /* not stopped before the latter */
    int32_t full_width; /* every move to the same depth, nothing judged but by `evaluate` */
    int32_t table_bits;
} Request;

typedef struct {
    uint64_t key;
    int32_t score;
    Move move;
    int8_t depth;
    uint8_t bound;
} Entry;

enum { NO_BOUND, AT_MOST, AT_LEAST, EXACT };
enum { HISTORY = 32 * 128 };

typedef struct {
    const Rules *rules;
    const Request *request;
    Board *board;
    Entry *table;
    uint64_t table_mask;
    uint64_t *trail; /* keys of the positions that led here */
    int trail_length;
    uint64_t nodes, ask_at; /* `stop` is asked when so many have been looked at */
    bool stoppable, stopped;
    int depth; /* of this iteration */
    Move killers[MOST_TURNS][2];
    Move line[MOST_TURNS][MOST_TURNS];
    int line_length[MOST_TURNS];
    int16_t history[2][HISTORY];
    uint8_t reductions[DEEPEST][64];
} Search;

/* Deepen turn by turn until a limit, or `stop` or `enough` says so. 0, or -1 without memory. */
int search(const Rules *rules, const Request *request, Result *result);

/* The score of the position: by all that is known, or by looking at everything. */
int search_node(Search *search, int depth, int alpha, int beta, int ply, bool may_wait);
int full_width_node(Search *search, int depth, int alpha, int beta, int ply);

/* -- what both share -------------------------------------------------------------------------- */

static inline int history_index(Move move) {
    int turn = move_turn(move);
    return move_src(move) * 32 + (turn ? 23 + turn : move_dst(move) - move_src(move) + 11);
}

/* Whether it is time to leave; asks `stop` now and then. */
static inline bool leaving(Search *search) {
    enum { ASK_EVERY = 512 };
    if (search->stopped) return true;
    if (!search->stoppable) return false;
    if (search->nodes >= search->request->node_limit) search->stopped = true;
    if (search->nodes >= search->ask_at) {
        search->ask_at = search->nodes + ASK_EVERY;
        if (search->request->stop()) search->stopped = true;
    }
    return search->stopped;
}

static inline void play_move(Search *search, Move move) {
    search->trail[search->trail_length++] = search->board->key;
    search->nodes++;
    search->rules->play(search->rules, search->board, move);
}

static inline void take_back_move(Search *search) {
    search->rules->take_back(search->rules, search->board);
    search->trail_length--;
}

/* The score of a game that has just ended, for the one who moved. */
static inline int ended(int winner, int mover, int ply) {
    return winner == DRAWN ? 0 : winner == mover ? WIN - ply - 1 : ply + 1 - WIN;
}

/* Whether the side to move wins at once. */
static inline bool strikes(const Search *search) {
    return search->rules->strikes(search->rules, search->board, search->board->side);
}

/* Coming back once is as good as coming back twice. Not one turn down, though: there the answer
 * must be looked at, it may be a win. Nor does anyone claim a draw who can win, or overlook a second
 * time what was overlooked in the game. */
static inline bool drawn(const Search *search, int ply) {
    const Board *board = search->board;
    const Request *request = search->request;
    if (ply <= 1) return false;
    if (request->quiet_limit && board->quiet >= request->quiet_limit)
        return !request->claims || !strikes(search);
    if (!request->repeats) return false;
    int oldest = search->trail_length - board->quiet;
    for (int i = search->trail_length - 2; i >= 0 && i >= oldest; i -= 2)
        if (search->trail[i] == board->key) return i >= request->past_length || !strikes(search);
    return false;
}

/* Whether there is no turn left in which anybody could win. */
static inline bool run_out(const Search *search, int ply) {
    return search->request->turns_left && ply >= search->request->turns_left;
}

/* Scores of ends are counted from the root, and kept as counted from their position. */
static inline int kept(int score, int ply) {
    return score > DECIDED ? score + ply : score < -DECIDED ? score - ply : score;
}

static inline int counted(int score, int ply) {
    return score > DECIDED ? score - ply : score < -DECIDED ? score + ply : score;
}

/* Bring the most promising of the options from `first` on to the front. */
static inline Option *best_of(Option *options, int first, int length) {
    int best = first;
    for (int i = first + 1; i < length; i++)
        if (options[i].promise > options[best].promise) best = i;
    Option chosen = options[best];
    options[best] = options[first];
    options[first] = chosen;
    return &options[first];
}

/* Give every option its promise: what was best before, gains, killers, what cut elsewhere. */
void order(Search *search, Option *options, int length, Move known, int ply);
/* Remember a quiet move that cut, and those before it that did not. */
void reward(Search *search, const Option *options, int tried, int depth, int ply);
void extend_line(Search *search, Move move, int ply);

#endif
