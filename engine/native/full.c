/* Full-width algorithms: alpha-beta without pruning by evaluation, perft, and proofs of wins. */
#include "search.h"

#include <stdlib.h>
#include <string.h>

/* Alpha-beta over all moves. The table is used only for move ordering. */
int full_width_node(Search *search, int depth, int alpha, int beta, int ply) {
    const Rules *rules = search->rules;
    Board *board = search->board;
    search->line_length[ply] = 0;
    if (run_out(search, ply)) return 0;
    if (depth == 0) return rules->evaluate(rules, board);
    if (leaving(search) || drawn(search, ply)) return 0;
    Option options[MAX_OPTIONS];
    int length = rules->options(rules, board, options), side = board->side;
    for (int i = 0; i < length; i++)
        if (options[i].flags & WINS) {
            search->line[ply][0] = options[i].move;
            search->line_length[ply] = 1;
            return WIN - ply - 1;
        }
    Entry *entry = &search->table[board->key & search->table_mask];
    order(search, options, length, entry->key == board->key ? entry->move : NO_MOVE, ply);
    int best = -INFINITE;
    Move chosen = NO_MOVE;
    for (int i = 0; i < length; i++) {
        const Option *option = best_of(options, i, length);
        if (option->flags & TWIN) continue;
        play_move(search, option->move);
        int score;
        if (board->winner != NO_WINNER) {
            search->line_length[ply + 1] = 0;
            score = ended(board->winner, side, ply);
        } else if (i == 0 || depth == 1) {
            score = -full_width_node(search, depth - 1, -beta, -alpha, ply + 1);
        } else {
            score = -full_width_node(search, depth - 1, -alpha - 1, -alpha, ply + 1);
            if (score > alpha && score < beta && !search->stopped)
                score = -full_width_node(search, depth - 1, -beta, -alpha, ply + 1);
        }
        take_back_move(search);
        if (search->stopped) return 0;
        if (score <= best) continue;
        best = score;
        chosen = option->move;
        if (score <= alpha) continue;
        alpha = score;
        extend_line(search, chosen, ply);
        if (alpha >= beta) {
            reward(search, options, i + 1, depth, ply);
            break;
        }
    }
    *entry = (Entry){board->key, 0, chosen, (int8_t)depth, NO_BOUND};
    return best;
}

/* Count all sequences of `depth` turns. */
uint64_t perft(const Rules *rules, Board *board, int depth) {
    Option options[MAX_OPTIONS];
    int length = rules->options(rules, board, options);
    if (depth == 1) return (uint64_t)length;
    uint64_t found = 0;
    for (int i = 0; i < length; i++) {
        if (options[i].flags & (WINS | LOSES | DRAWS)) continue;
        rules->play(rules, board, options[i].move);
        found += perft(rules, board, depth - 1);
        rules->take_back(rules, board);
    }
    return found;
}

/* -- proofs ------------------------------------------------------------------------------------ */

typedef struct {
    uint64_t key; /* of the position and the number of turns */
    int8_t known; /* 0: unknown, 1: won, -1: not won */
} Proof;

typedef struct {
    const Rules *rules;
    Board *board;
    Proof *proofs;
    int32_t (*stop)(void);
    uint64_t nodes;
    bool stopped;
    Move refutations[MAX_PROVEN + 1]; /* by turns left: the last successful defence */
} Prover;

enum { PROOF_BITS = 18 };

static bool wins(Prover *prover, int turns);

/* Whether the side to move loses within `turns` turns of the opponent in any case. */
static bool lost(Prover *prover, int turns) {
    const Rules *rules = prover->rules;
    Board *board = prover->board;
    Option options[MAX_OPTIONS];
    int length = rules->options(rules, board, options), side = board->side;
    for (int i = 0; i < length; i++) {
        if (options[i].flags & (WINS | DRAWS)) return false;
        options[i].promise = options[i].move == prover->refutations[turns] ? 1 << 20
                             : options[i].flags & LOSES                    ? -(1 << 20)
                                                                           : options[i].gain;
        if (options[i].flags & SHIELDS) options[i].promise += 1000;
    }
    for (int i = 0; i < length; i++) {
        Option *option = best_of(options, i, length);
        if (option->flags & (LOSES | TWIN)) continue;
        rules->play(rules, board, option->move);
        bool refuted = board->winner == NO_WINNER ? !wins(prover, turns) : board->winner != 1 - side;
        rules->take_back(rules, board);
        if (refuted) {
            prover->refutations[turns] = option->move;
            return false;
        }
    }
    return true;
}

/* Whether the side to move can force a win within `turns` of its own turns. */
static bool wins(Prover *prover, int turns) {
    const Rules *rules = prover->rules;
    Board *board = prover->board;
    Option options[MAX_OPTIONS];
    if (prover->stopped || (++prover->nodes % 1024 == 0 && prover->stop())) {
        prover->stopped = true;
        return false;
    }
    int length = rules->captures(rules, board, options);
    for (int i = 0; i < length; i++)
        if (options[i].flags & WINS) return true;
    if (turns == 1) return false;
    uint64_t key = board->key * 16 + (uint64_t)turns;
    Proof *proof = &prover->proofs[(key ^ key >> 32) & ((1u << PROOF_BITS) - 1)];
    if (proof->known && proof->key == key) return proof->known > 0;
    length = rules->options(rules, board, options);
    bool won = false;
    for (int i = 0; i < length && !won; i++) {
        if (options[i].flags & (LOSES | TWIN | DRAWS)) continue;
        rules->play(rules, board, options[i].move);
        won = lost(prover, turns - 1);
        rules->take_back(rules, board);
    }
    if (!prover->stopped) *proof = (Proof){key, won ? 1 : -1};
    return won;
}

int solve(const Rules *rules, const uint8_t *squares, int side, int turns,
          int32_t (*stop)(void), int32_t *moves) {
    Prover prover = {.rules = rules, .stop = stop};
    Option options[MAX_OPTIONS];
    prover.board = calloc(1, rules->board_size);
    prover.proofs = calloc((size_t)1 << PROOF_BITS, sizeof *prover.proofs);
    int found = -1;
    if (prover.board && prover.proofs) {
        found = 0;
        rules->set_up(rules, prover.board, squares, side);
        int length = rules->options(rules, prover.board, options);
        for (int i = 0; i < length; i++) {
            bool won = options[i].flags & WINS;
            if (!won && turns > 1 && !(options[i].flags & (LOSES | DRAWS))) {
                rules->play(rules, prover.board, options[i].move);
                won = lost(&prover, turns - 1);
                rules->take_back(rules, prover.board);
            }
            if (prover.stopped) break;
            if (won) moves[found++] = options[i].move;
        }
        if (prover.stopped) found = -2;
    }
    free(prover.board);
    free(prover.proofs);
    return found;
}
