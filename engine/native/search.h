/* The request and the result of a search, and the parts shared by search.c and full.c. */
#ifndef LASERBOARD_SEARCH_H
#define LASERBOARD_SEARCH_H

#include "core.h"

enum { NO_ENDING = INT32_MIN };

/* A root move, with values that the caller computes from the rules of the game. */
typedef struct {
    int32_t move;
    int32_t error;     /* random error added to its score */
    int32_t ending;    /* its score if it ends the game, else NO_ENDING */
    int32_t claimable; /* whether the opponent may then claim a draw */
} Root;

typedef struct {
    int32_t root; /* index of the best move; -1 before the first is searched */
    int32_t score, depth, length;
    uint64_t nodes;
    int32_t line[DEEPEST]; /* the expected line */
} Result;

typedef struct {
    const uint8_t *squares;
    const uint8_t *past; /* positions since the last loss: squares and side of each */
    const Root *roots;
    int32_t (*stop)(void);
    int32_t (*enough)(const Result *result); /* after each depth */
    uint64_t node_limit;
    int32_t side, past_length, root_count;
    int32_t repeats;     /* a repeated position is a draw */
    int32_t no_capture_limit; /* single turns without a loss until a draw; 0: no limit */
    int32_t claims;      /* such a draw needs a claim */
    int32_t turns_left;  /* single turns until a certain draw; 0: none in sight */
    int32_t depth_limit, safe_depth; /* no stop before `safe_depth` */
    int32_t full_width; /* all moves to the same depth, without quiescence */
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
    uint64_t *trail; /* keys of all positions on the path to this one */
    int trail_length;
    uint64_t nodes, ask_at; /* call `stop` again at this number of nodes */
    bool stoppable, stopped;
    int depth; /* of this iteration */
    Move killers[MAX_TURNS][2];
    Move line[MAX_TURNS][MAX_TURNS];
    int line_length[MAX_TURNS];
    int16_t history[2][HISTORY];
    uint8_t reductions[DEEPEST][64];
} Search;

/* Iterative deepening until a limit, `stop` or `enough`. Returns 0, or -1 if memory is out. */
int search(const Rules *rules, const Request *request, Result *result);

/* The score of the position: with all pruning, or full width. */
int search_node(Search *search, int depth, int alpha, int beta, int ply, bool may_wait);
int full_width_node(Search *search, int depth, int alpha, int beta, int ply);

/* -- shared by both --------------------------------------------------------------------------- */

static inline int history_index(Move move) {
    int turn = move_turn(move);
    return move_src(move) * 32 + (turn ? 23 + turn : move_dst(move) - move_src(move) + 11);
}

/* Whether to stop. Calls `stop` every ASK_EVERY nodes. */
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

/* The score of a game that has just ended, for the mover. */
static inline int ended(int winner, int mover, int ply) {
    return winner == DRAWN ? 0 : winner == mover ? WIN - ply - 1 : ply + 1 - WIN;
}

/* Whether the side to move wins in one turn. */
static inline bool strikes(const Search *search) {
    return search->rules->strikes(search->rules, search->board, search->board->side);
}

/* Whether the position counts as a draw. In the search, one repetition is enough. Exceptions:
 * - one turn below the root, the reply is searched, because it may win;
 * - a draw that needs a claim, or a repetition of a position from the game, is no draw if the side
 *   to move can win in one turn. */
static inline bool drawn(const Search *search, int ply) {
    const Board *board = search->board;
    const Request *request = search->request;
    if (ply <= 1) return false;
    if (request->no_capture_limit && board->turns_since_capture >= request->no_capture_limit)
        return !request->claims || !strikes(search);
    if (!request->repeats) return false;
    int oldest = search->trail_length - board->turns_since_capture;
    for (int i = search->trail_length - 2; i >= 0 && i >= oldest; i -= 2)
        if (search->trail[i] == board->key) return i >= request->past_length || !strikes(search);
    return false;
}

/* Whether the certain draw is reached. */
static inline bool run_out(const Search *search, int ply) {
    return search->request->turns_left && ply >= search->request->turns_left;
}

/* Scores of wins count from the root. The table keeps them as counted from their position. */
static inline int kept(int score, int ply) {
    return score > DECIDED ? score + ply : score < -DECIDED ? score - ply : score;
}

static inline int counted(int score, int ply) {
    return score > DECIDED ? score - ply : score < -DECIDED ? score + ply : score;
}

/* Swap the most promising of the options from `first` on to the front. */
static inline Option *best_of(Option *options, int first, int length) {
    int best = first;
    for (int i = first + 1; i < length; i++)
        if (options[i].promise > options[best].promise) best = i;
    Option chosen = options[best];
    options[best] = options[first];
    options[first] = chosen;
    return &options[first];
}

/* Set the promise of all options: known best move, gains, killers, history. */
void order(Search *search, Option *options, int length, Move known, int ply);
/* Reward a quiet move that caused a cutoff, and penalise those tried before it. */
void reward(Search *search, const Option *options, int tried, int depth, int ply);
void extend_line(Search *search, Move move, int ply);

#endif
