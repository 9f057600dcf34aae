/* Iterative deepening with aspiration windows, and principal variation search with a transposition
 * table, null moves, late move reductions and quiescence.
 *
 * Most positions have a legal waiting move, so a null move does not overestimate.
 */
#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 35,             /* on both sides of the score of the last depth */
    WINDOW_DEPTH = 4,
    SAFE_MARGIN = 70,        /* per turn: reverse futility pruning */
    SAFE_DEPTH = 5,
    FUTILE_MARGIN = 90,      /* per turn: the most that a quiet move can gain */
    FUTILE_DEPTH = 3,
    WAIT_DEPTH = 2,
    DELTA_MARGIN = 120,
    LONGEST_QUIESCENCE = 8,
    SORTED = 24,             /* later moves are not sorted */
};

/* -- ordering --------------------------------------------------------------------------------- */

enum { KNOWN = 1 << 28, GAIN = 1 << 24, KILLER = 1 << 20, LOSS = -(1 << 24), HOPELESS = -(1 << 28) };

void order(Search *search, Option *options, int length, Move known, int ply) {
    const int16_t *history = search->history[search->board->side];
    for (int i = 0; i < length; i++) {
        Option *each = &options[i];
        int promise = history[history_index(each->move)];
        if (each->flags & AIMS) promise += 1500;
        if (each->flags & SHIELDS) promise += 1500;
        if (each->flags & LOSES) promise = HOPELESS;
        else if (each->gain > 0) promise = GAIN + 16 * each->gain;
        else if (each->gain < 0) promise = LOSS + 16 * each->gain;
        else if (each->move == search->killers[ply][0]) promise = KILLER + 1;
        else if (each->move == search->killers[ply][1]) promise = KILLER;
        each->promise = each->move == known ? KNOWN : promise;
    }
}

static void learn(int16_t *value, int bonus) {
    *value = (int16_t)(*value + bonus - *value * abs(bonus) / 16384);
}

void reward(Search *search, const Option *options, int tried, int depth, int ply) {
    const Option *best = &options[tried - 1];
    if (best->flags & CAPTURES) return;
    Move *killers = search->killers[ply];
    if (killers[0] != best->move) {
        killers[1] = killers[0];
        killers[0] = best->move;
    }
    int16_t *history = search->history[search->board->side];
    int bonus = 16 * depth * depth < 1600 ? 16 * depth * depth : 1600;
    learn(&history[history_index(best->move)], bonus);
    for (int i = 0; i < tried - 1; i++)
        if (!(options[i].flags & CAPTURES)) learn(&history[history_index(options[i].move)], -bonus);
}

void extend_line(Search *search, Move move, int ply) {
    int below = search->line_length[ply + 1];
    search->line[ply][0] = move;
    memcpy(&search->line[ply][1], search->line[ply + 1], (size_t)below * sizeof(Move));
    search->line_length[ply] = below + 1;
}

/* -- quiescence -------------------------------------------------------------------------------- */

static int quiesce(Search *search, int alpha, int beta, int ply, int deeper);

/* The score of a move for its player. */
static int quiet_score(Search *search, Move move, int alpha, int beta, int ply, int deeper) {
    Board *board = search->board;
    int side = board->side;
    play_move(search, move);
    int score = board->winner != NO_WINNER ? ended(board->winner, side, ply)
                                        : -quiesce(search, -beta, -alpha, ply + 1, deeper + 1);
    take_back_move(search);
    return score;
}

/* The side to move is threatened with a loss in one turn: search all moves, quiet ones too. */
static int parry(Search *search, int alpha, int beta, int ply, int deeper) {
    Option options[MAX_OPTIONS];
    int length = search->rules->options(search->rules, search->board, options);
    for (int i = 0; i < length; i++)
        if (options[i].flags & WINS) return WIN - ply - 1;
    order(search, options, length, NO_MOVE, ply);
    int best = ply + 1 - WIN;
    for (int i = 0; i < length && best < beta; i++) {
        const Option *option = best_of(options, i, length);
        if (option->flags & (LOSES | TWIN)) continue;
        int score = quiet_score(search, option->move, alpha, beta, ply, deeper);
        if (search->stopped) return 0;
        if (score > best) best = score;
        if (score > alpha) alpha = score;
    }
    return best;
}

/* The score when no move gains in one turn any more. */
static int quiesce(Search *search, int alpha, int beta, int ply, int deeper) {
    Board *board = search->board;
    search->line_length[ply] = 0;
    if (leaving(search) || run_out(search, ply)) return 0;
    int best = search->rules->evaluate(search->rules, board);
    if (ply >= DEEPEST - 1) return best;
    if (deeper == 0 && search->rules->strikes(search->rules, board, 1 - board->side))
        return parry(search, alpha, beta, ply, deeper);
    if (best >= beta) return best;
    Option options[MAX_OPTIONS];
    int length = search->rules->captures(search->rules, board, options);
    for (int i = 0; i < length; i++)
        if (options[i].flags & WINS) return WIN - ply - 1;
    if (deeper >= LONGEST_QUIESCENCE) return best;
    int static_score = best;
    if (best > alpha) alpha = best;
    for (int i = 0; i < length; i++) options[i].promise = options[i].gain;
    for (int i = 0; i < length; i++) {
        const Option *option = best_of(options, i, length);
        if (static_score + option->gain + DELTA_MARGIN <= alpha) break;
        if (option->flags & TWIN) continue;
        int score = quiet_score(search, option->move, alpha, beta, ply, deeper);
        if (search->stopped) return 0;
        if (score > best) best = score;
        if (score > alpha) alpha = score;
        if (best >= beta) break;
    }
    return best;
}

/* -- one position ------------------------------------------------------------------------------ */

static int reduction(const Search *search, const Option *option, int depth, int tried, bool wide) {
    if (depth < 2 || tried < 2 || option->gain > 0) return 0;
    int reduced = search->reductions[depth < DEEPEST ? depth : DEEPEST - 1][tried < 64 ? tried : 63];
    if (!(option->flags & (AIMS | SHIELDS))) reduced++;
    if (option->promise >= KILLER) reduced--;
    if (wide) reduced--;
    if (option->gain < 0) reduced++;
    return reduced < 0 ? 0 : reduced >= depth ? depth - 1 : reduced;
}

int search_node(Search *search, int depth, int alpha, int beta, int ply, bool may_wait) {
    const Rules *rules = search->rules;
    Board *board = search->board;
    search->line_length[ply] = 0;
    if (drawn(search, ply) || run_out(search, ply)) return 0;
    if (depth <= 0 || ply >= DEEPEST - 1) return quiesce(search, alpha, beta, ply, 0);
    if (leaving(search)) return 0;
    /* No score here is better than a win in one or worse than a loss in two. */
    if (beta > WIN - ply - 1) beta = WIN - ply - 1;
    if (alpha < ply + 2 - WIN) alpha = ply + 2 - WIN;
    if (alpha >= beta) return alpha;

    bool wide = beta - alpha > 1;
    Entry *entry = &search->table[board->key & search->table_mask];
    Move known = NO_MOVE;
    if (entry->key == board->key && entry->bound != NO_BOUND) {
        known = entry->move;
        int score = counted(entry->score, ply);
        /* The key does not include the turns left. */
        if (!wide && !search->request->turns_left && entry->depth >= depth &&
            (entry->bound == EXACT || (entry->bound == AT_LEAST ? score >= beta : score <= alpha)))
            return score;
    }

    int side = board->side;
    /* With a wide window, search on: the expected line must include the winning move. */
    if (!wide && rules->strikes(rules, board, side)) return WIN - ply - 1;

    int static_score = rules->evaluate(rules, board);
    bool threatened = rules->strikes(rules, board, 1 - side);
    if (threatened && ply < 2 * search->depth) depth++;
    if (!wide && !threatened && abs(beta) < DECIDED) {
        if (depth <= SAFE_DEPTH && static_score - SAFE_MARGIN * depth >= beta) return static_score;
        if (depth <= FUTILE_DEPTH && static_score + FUTILE_MARGIN * depth <= alpha) {
            int score = quiesce(search, alpha, beta, ply, 1);
            if (score <= alpha || search->stopped) return score;
        }
        bool waits = may_wait && depth >= WAIT_DEPTH && static_score >= beta;
        Move wait = waits ? rules->waits(rules, board) : NO_MOVE;
        if (wait != NO_MOVE) {
            int rest = depth - 3 - depth / 4;
            play_move(search, wait);
            int score = board->winner != NO_WINNER
                            ? ended(board->winner, side, ply)
                            : -search_node(search, rest, -beta, 1 - beta, ply + 1, false);
            take_back_move(search);
            if (search->stopped) return 0;
            if (score >= beta) return score > DECIDED ? beta : score;
        }
    }
    Option options[MAX_OPTIONS];
    int length = rules->options(rules, board, options);
    for (int i = 0; i < length; i++)
        if (options[i].flags & WINS) {
            search->line[ply][0] = options[i].move;
            search->line_length[ply] = 1;
            return WIN - ply - 1;
        }

    if (known == NO_MOVE && depth >= 5) depth--; /* internal iterative reduction */

    order(search, options, length, known, ply);
    int best = ply + 1 - WIN, first_alpha = alpha, tried = 0, quiet = 0;
    Move chosen = NO_MOVE;
    for (int i = 0; i < length; i++) {
        const Option *option = i < SORTED ? best_of(options, i, length) : &options[i];
        if (option->flags & (LOSES | TWIN)) continue;
        bool is_quiet = !(option->flags & CAPTURES);
        if (!wide && !threatened && best > -DECIDED && option->gain <= 0) {
            if (depth <= FUTILE_DEPTH && option->promise < KILLER &&
                static_score + FUTILE_MARGIN * depth <= alpha)
                break;
            if (depth <= FUTILE_DEPTH && quiet >= 8 + 8 * depth * depth &&
                !(option->flags & (AIMS | SHIELDS)))
                continue;
        }
        tried++;
        quiet += is_quiet;
        int reduced = threatened ? 0 : reduction(search, option, depth, tried, wide);
        play_move(search, option->move);
        int score;
        if (board->winner != NO_WINNER) {
            search->line_length[ply + 1] = 0;
            score = ended(board->winner, side, ply);
        } else if (tried == 1) {
            score = -search_node(search, depth - 1, -beta, -alpha, ply + 1, true);
        } else {
            score = -search_node(search, depth - 1 - reduced, -alpha - 1, -alpha, ply + 1, true);
            if (score > alpha && reduced && !search->stopped)
                score = -search_node(search, depth - 1, -alpha - 1, -alpha, ply + 1, true);
            if (score > alpha && score < beta && !search->stopped)
                score = -search_node(search, depth - 1, -beta, -alpha, ply + 1, true);
        }
        take_back_move(search);
        if (search->stopped) return 0;
        if (score <= best) continue;
        best = score;
        if (score <= alpha) continue;
        alpha = score;
        chosen = option->move;
        extend_line(search, chosen, ply);
        if (alpha >= beta) {
            reward(search, options, i + 1, depth, ply);
            break;
        }
    }
    int bound = best >= beta ? AT_LEAST : best > first_alpha ? EXACT : AT_MOST;
    if (chosen == NO_MOVE) chosen = known;
    *entry = (Entry){board->key, kept(best, ply), chosen, (int8_t)depth, (uint8_t)bound};
    return best;
}

/* -- the root ---------------------------------------------------------------------------------- */

static int root_score(Search *search, const Root *root, int depth, int alpha, int beta, bool first) {
    const Request *request = search->request;
    Board *board = search->board;
    search->line_length[1] = 0;
    if (root->ending != NO_ENDING) return root->ending;
    int side = board->side, score;
    play_move(search, (Move)root->move);
    if (board->winner != NO_WINNER) {
        score = ended(board->winner, side, 0);
    } else if (request->full_width) {
        score = -full_width_node(search, depth - 1, -beta, -alpha, 1);
    } else if (first) {
        score = -search_node(search, depth - 1, -beta, -alpha, 1, true);
    } else {
        score = -search_node(search, depth - 1, -alpha - 1, -alpha, 1, true);
        if (score > alpha && score < beta && !search->stopped)
            score = -search_node(search, depth - 1, -beta, -alpha, 1, true);
    }
    take_back_move(search);
    return root->claimable && score > 0 ? 0 : score;
}

/* Store the best root move so far and its line. */
static void answer(Search *search, Result *result, int root, int score, int depth) {
    extend_line(search, (Move)search->request->roots[root].move, 0);
    result->root = root;
    result->score = score;
    result->depth = depth;
    result->length = search->line_length[0] < DEEPEST ? search->line_length[0] : DEEPEST;
    for (int k = 0; k < result->length; k++) result->line[k] = search->line[0][k];
}

/* Search all root moves in the order of `turn`. Returns the best score. */
static int search_root(Search *search, int *turn, int depth, int alpha, int beta, Result *result) {
    const Request *request = search->request;
    int best = -INFINITE, floor = alpha, before = result->score;
    for (int i = 0; i < request->root_count; i++) {
        const Root *root = &request->roots[turn[i]];
        /* Its error may lift a move above the best. */
        int from = abs(floor) < DECIDED ? floor - root->error : floor;
        int score = root_score(search, root, depth, from, beta, i == 0);
        if (search->stopped) {
            /* The moves before this one were searched, and all lose. Prefer this one, whose score
             * is not known yet. */
            if (i > 0 && best < -DECIDED && before > -DECIDED) {
                search->line_length[1] = 0;
                answer(search, result, turn[i], before, depth - 1);
            }
            return best;
        }
        if (abs(score) < DECIDED) score += root->error;
        if (score <= best) continue;
        best = score;
        if (score <= floor) continue;
        floor = score;
        answer(search, result, turn[i], score, depth);
        int chosen = turn[i];
        memmove(&turn[1], &turn[0], (size_t)i * sizeof *turn);
        turn[0] = chosen;
        if (score >= beta) break;
    }
    return best;
}

static void deepen(Search *search, int *turn, Result *result) {
    const Request *request = search->request;
    bool has_errors = false;
    for (int i = 0; i < request->root_count; i++) has_errors |= request->roots[i].error != 0;
    for (int depth = 1; depth <= request->depth_limit; depth++) {
        search->stoppable = depth > request->safe_depth;
        search->depth = depth;
        bool full_window = has_errors || request->full_width || depth < WINDOW_DEPTH ||
                           abs(result->score) > DECIDED;
        int width = WINDOW;
        int alpha = full_window ? -INFINITE : result->score - width;
        int beta = full_window ? INFINITE : result->score + width;
        for (;;) {
            int score = search_root(search, turn, depth, alpha, beta, result);
            if (search->stopped || (score > alpha && score < beta)) break;
            width *= 3;
            if (score <= alpha) alpha = width > 1000 ? -INFINITE : score - width;
            else beta = width > 1000 ? INFINITE : score + width;
        }
        result->nodes = search->nodes;
        if (search->stopped) return;
        if (abs(result->score) > DECIDED && WIN - abs(result->score) <= depth) return;
        if (request->enough(result) && depth >= request->safe_depth) return;
    }
}

static void fill_reductions(Search *search) {
    for (int depth = 1; depth < DEEPEST; depth++)
        for (int tried = 1; tried < 64; tried++)
            search->reductions[depth][tried] =
                (uint8_t)(0.4 + log((double)depth) * log((double)tried) / 1.9);
}

int search(const Rules *rules, const Request *request, Result *result) {
    Search *state = calloc(1, sizeof *state);
    Board *board = calloc(1, rules->board_size);
    Entry *table = calloc((size_t)1 << request->table_bits, sizeof *table);
    uint64_t *trail = calloc((size_t)request->past_length + MAX_TURNS, sizeof *trail);
    int *turn = calloc((size_t)request->root_count, sizeof *turn);
    *result = (Result){.root = -1};
    bool enough_memory = state && board && table && trail && turn;
    if (enough_memory) {
        state->rules = rules;
        state->request = request;
        state->board = board;
        state->table = table;
        state->table_mask = ((uint64_t)1 << request->table_bits) - 1;
        state->trail = trail;
        fill_reductions(state);
        rules->set_up(rules, board, request->squares, request->side);
        board->turns_since_capture = request->past_length;
        for (int i = 0; i < request->past_length; i++) {
            const uint8_t *earlier = request->past + (size_t)i * (size_t)(rules->squares + 1);
            trail[state->trail_length++] = rules->key(rules, earlier, earlier[rules->squares]);
        }
        for (int i = 0; i < request->root_count; i++) turn[i] = i;
        deepen(state, turn, result);
    }
    free(state);
    free(board);
    free(table);
    free(trail);
    free(turn);
    return enough_memory ? 0 : -1;
}
