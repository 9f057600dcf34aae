/* A board with one laser per side: the mover's laser fires after each move.
 *
 * Rows and columns are bit masks, so that a beam jumps from piece to piece. A move that touches no
 * square of the standing beam does not change it: the beam is fired only for the other moves.
 */
#include "laser.h"

#include <stdlib.h>
#include <string.h>

enum { UP, RIGHT, DOWN, LEFT };
enum { GONE = 255, MISSED = -1, KING_SLOT = 0, LASER_SLOT = 1, KEY_SEED = 20261117 };

typedef struct {
    Rules rules; /* first: a pointer to one is a pointer to the other */
    LaserTables t;
    uint64_t keys[PIECES][CELLS], side_key;
    uint8_t x[CELLS], y[CELLS];
    uint16_t ahead[4][COLUMNS]; /* by heading and place in the line: the places ahead */
    uint8_t bits[1024];         /* number of bits set */
    uint64_t spread[256][2];    /* the bits of a column as a mask of column 0 */
    Mask square[CELLS], around[CELLS];
} Laser;

typedef struct {
    Move move;
    int8_t hit;
    uint8_t victim, slot;
    int turns_since_capture, balance;
    uint64_t key;
} Undo;

typedef struct {
    Board head; /* first, as above */
    uint8_t squares[CELLS];
    uint8_t slot[CELLS];      /* the index in `where` of the piece there */
    uint8_t where[2][SLOTS];  /* squares of a side's pieces */
    uint16_t row[ROWS], column[COLUMNS];
    int balance; /* the sum of `worth`, for Blue */
    int turns;
    Undo undo[MAX_TURNS];
} LaserBoard;

typedef struct {
    Mask mask; /* the squares of the beam, including its start and its last piece */
    int hit;   /* the square of the captured piece, or MISSED */
    int reach, own, other, switches;
} Path;

static inline const Laser *laser_of(const Rules *rules) { return (const Laser *)rules; }

/* Masks have 16 bits per row and 4 rows per word. */
static inline bool has(const Mask *mask, int x, int y) {
    return mask->words[y >> 2] >> ((y & 3) * 16 + x) & 1;
}

static inline bool on(const Laser *game, const Mask *mask, int square) {
    return has(mask, game->x[square], game->y[square]);
}

static inline int lowest(uint32_t bits) { return __builtin_ctz(bits); }
static inline int highest(uint32_t bits) { return 31 - __builtin_clz(bits); }

/* The squares of the mask and all squares beside them. Bits outside the board may be set too. */
static inline Mask widened(const Mask *mask) {
    uint64_t low = mask->words[0], high = mask->words[1];
    low |= low << 1 | low >> 1;
    high |= high << 1 | high >> 1;
    return (Mask){{low | low << 16 | low >> 16 | high << 48,
                   high | high << 16 | high >> 16 | low >> 48}};
}

/* -- beams ------------------------------------------------------------------------------------ */

/* The pieces ahead of a beam in its line, as bits. Also sets its place in that line. */
static inline uint32_t pieces_ahead(const Laser *game, const LaserBoard *board, int x, int y,
                                    int heading, int *place) {
    *place = heading & 1 ? x : y;
    uint32_t line = heading & 1 ? board->row[y] : board->column[x];
    return line & game->ahead[heading][*place];
}

static inline int nearest(uint32_t pieces, int heading) {
    return heading == RIGHT || heading == DOWN ? lowest(pieces) : highest(pieces);
}

/* The square of the piece that a laser captures, or MISSED. */
static inline int fire(const Laser *game, const LaserBoard *board, int side) {
    int at = game->t.laser[side];
    int x = game->x[at], y = game->y[at], place;
    int heading = game->t.orientation[board->squares[at]];
    for (;;) {
        uint32_t pieces = pieces_ahead(game, board, x, y, heading, &place);
        if (!pieces) return MISSED;
        if (heading & 1) x = nearest(pieces, heading);
        else y = nearest(pieces, heading);
        at = y * COLUMNS + x;
        heading = game->t.hits[heading][board->squares[at]];
        if (heading >= HIT_KILLS) return heading == HIT_KILLS ? at : MISSED;
    }
}

/* Follow a beam from `at` and add it to `path`. */
static inline void trace(const Laser *game, const LaserBoard *board, int at, int heading, int side,
                         Path *path) {
    int x = game->x[at], y = game->y[at], place;
    path->hit = MISSED;
    for (;;) {
        uint32_t pieces = pieces_ahead(game, board, x, y, heading, &place);
        uint32_t crossed = game->ahead[heading][place];
        int next = 0;
        if (pieces) {
            next = nearest(pieces, heading);
            crossed &= ~(uint32_t)game->ahead[heading][next];
        }
        path->reach += game->bits[crossed];
        if (heading & 1) {
            path->mask.words[y >> 2] |= (uint64_t)crossed << (y & 3) * 16;
            x = next;
        } else {
            path->mask.words[0] |= game->spread[crossed][0] << x;
            path->mask.words[1] |= game->spread[crossed][1] << x;
            y = next;
        }
        if (!pieces) return;
        int piece = board->squares[y * COLUMNS + x];
        heading = game->t.hits[heading][piece];
        if (heading >= HIT_KILLS) {
            if (heading == HIT_KILLS) path->hit = y * COLUMNS + x;
            return;
        }
        if (game->t.owner[piece] == side) path->own++;
        else path->other++;
        path->switches += game->t.is_switch[piece];
    }
}

/* The beam of a side's laser in the present position. */
static inline Path standing(const Laser *game, const LaserBoard *board, int side) {
    int at = game->t.laser[side];
    Path path = {.mask = game->square[at]};
    trace(game, board, at, game->t.orientation[board->squares[at]], side, &path);
    return path;
}

/* All squares from which a beam with the right heading strikes the king. Beams are reversible:
 * trace them from the king. */
static inline Mask beam_paths_to(const Laser *game, const LaserBoard *board, int king) {
    Path ways = {0};
    for (int heading = UP; heading <= LEFT; heading++) trace(game, board, king, heading, 0, &ways);
    return ways.mask;
}

/* -- setting up, playing and taking back ------------------------------------------------------- */

static uint64_t key_of(const Rules *rules, const uint8_t *squares, int side) {
    const Laser *game = laser_of(rules);
    return position_key(&game->keys[0][0], CELLS, squares, side ? game->side_key : 0);
}

static void set_up(const Rules *rules, Board *head, const uint8_t *squares, int side) {
    const Laser *game = laser_of(rules);
    LaserBoard *board = (LaserBoard *)head;
    memset(board, 0, offsetof(LaserBoard, undo));
    memset(board->where, GONE, sizeof board->where);
    memcpy(board->squares, squares, CELLS);
    int used[2] = {LASER_SLOT + 1, LASER_SLOT + 1};
    head->winner = NO_WINNER;
    for (int at = 0; at < CELLS; at++) {
        int piece = squares[at];
        if (!piece) continue;
        int owner = game->t.owner[piece];
        int slot = game->t.is_king[piece]         ? KING_SLOT
                   : at == game->t.laser[owner] ? LASER_SLOT
                                                : used[owner]++;
        board->where[owner][slot] = (uint8_t)at;
        board->slot[at] = (uint8_t)slot;
        board->row[game->y[at]] |= (uint16_t)(1u << game->x[at]);
        board->column[game->x[at]] |= (uint16_t)(1u << game->y[at]);
        board->balance += game->t.worth[piece][at];
    }
    for (int loser = 0; loser < 2; loser++)
        if (board->where[loser][KING_SLOT] == GONE) head->winner = 1 - loser;
    head->side = side;
    head->key = key_of(rules, squares, side);
}

static void squares_of(const Board *head, uint8_t *squares) {
    memcpy(squares, ((const LaserBoard *)head)->squares, CELLS);
}

static inline void flip(const Laser *game, LaserBoard *board, int at) {
    board->row[game->y[at]] ^= (uint16_t)(1u << game->x[at]);
    board->column[game->x[at]] ^= (uint16_t)(1u << game->y[at]);
}

/* Exchange the pieces on two squares temporarily: slots, key and balance do not change. */
static inline void exchange(const Laser *game, LaserBoard *board, int src, int dst) {
    uint8_t moved = board->squares[src];
    board->squares[src] = board->squares[dst];
    board->squares[dst] = moved;
    if (!board->squares[src] || !moved) {
        flip(game, board, src);
        flip(game, board, dst);
    }
}

static inline void put(const Laser *game, LaserBoard *board, int at, int piece) {
    int old = board->squares[at];
    board->head.key ^= game->keys[old][at] ^ game->keys[piece][at];
    board->balance += game->t.worth[piece][at] - game->t.worth[old][at];
    board->squares[at] = (uint8_t)piece;
}

static inline void place_slot(const Laser *game, LaserBoard *board, int at, int slot) {
    int piece = board->squares[at];
    if (!piece) return;
    board->slot[at] = (uint8_t)slot;
    board->where[game->t.owner[piece]][slot] = (uint8_t)at;
}

static void play(const Rules *rules, Board *head, Move move) {
    const Laser *game = laser_of(rules);
    LaserBoard *board = (LaserBoard *)head;
    Undo *undo = &board->undo[board->turns++];
    int src = move_src(move), dst = move_dst(move), turn = move_turn(move), side = head->side;
    *undo = (Undo){move, MISSED, 0, 0, head->turns_since_capture, board->balance, head->key};
    if (turn) {
        put(game, board, src, game->t.turned[turn - 1][board->squares[src]]);
    } else {
        int moved = board->squares[src], other = board->squares[dst];
        int moved_slot = board->slot[src], other_slot = board->slot[dst];
        put(game, board, src, other);
        put(game, board, dst, moved);
        place_slot(game, board, dst, moved_slot);
        place_slot(game, board, src, other_slot);
        if (!other) {
            flip(game, board, src);
            flip(game, board, dst);
        }
    }
    head->turns_since_capture++;
    int hit = fire(game, board, side);
    if (hit != MISSED) {
        int victim = board->squares[hit];
        undo->hit = (int8_t)hit;
        undo->victim = (uint8_t)victim;
        undo->slot = board->slot[hit];
        put(game, board, hit, 0);
        flip(game, board, hit);
        board->where[game->t.owner[victim]][undo->slot] = GONE;
        if (game->t.is_king[victim]) head->winner = 1 - game->t.owner[victim];
        head->turns_since_capture = 0;
    }
    head->side ^= 1;
    head->key ^= game->side_key;
}

static void take_back(const Rules *rules, Board *head) {
    const Laser *game = laser_of(rules);
    LaserBoard *board = (LaserBoard *)head;
    const Undo *undo = &board->undo[--board->turns];
    int src = move_src(undo->move), dst = move_dst(undo->move), turn = move_turn(undo->move);
    if (undo->hit != MISSED) {
        board->squares[undo->hit] = undo->victim;
        place_slot(game, board, undo->hit, undo->slot);
        flip(game, board, undo->hit);
        head->winner = NO_WINNER;
    }
    if (turn) {
        board->squares[src] = game->t.turned[2 - turn][board->squares[src]];
    } else {
        int moved_slot = board->slot[dst], other_slot = board->slot[src];
        exchange(game, board, src, dst);
        place_slot(game, board, src, moved_slot);
        place_slot(game, board, dst, other_slot);
    }
    head->side ^= 1;
    head->key = undo->key;
    head->turns_since_capture = undo->turns_since_capture;
    board->balance = undo->balance;
}

/* -- moves ------------------------------------------------------------------------------------- */

typedef struct {
    const Laser *game;
    LaserBoard *board;
    Option *found;
    int length, side;
    MoveFilter filter;
} List;

/* Add a move that captures the piece on `hit` to the list. Returns true if a search for strikes has
 * found one. */
static inline bool note(List *list, Move move, int hit, int flags) {
    const LaserTables *t = &list->game->t;
    int gain = 0;
    if (hit != MISSED) {
        int victim = list->board->squares[hit], mine = t->owner[victim] == list->side;
        gain = list->side ? t->worth[victim][hit] : -t->worth[victim][hit];
        flags |= CAPTURES;
        if (t->is_king[victim]) flags |= mine ? LOSES : WINS;
        if (list->filter == GAINS && mine) return false;
    } else if (list->filter == GAINS) {
        return false;
    }
    if (list->filter == STRIKES) return flags & WINS;
    list->found[list->length++] = (Option){move, (uint8_t)flags, (int16_t)gain, 0};
    return false;
}

static inline int list_moves(const Laser *game, LaserBoard *board, Option *found, int side,
                             MoveFilter filter) {
    const LaserTables *t = &game->t;
    List list = {game, board, found, 0, side, filter};
    Path mine = standing(game, board, side), theirs = {0};
    Mask reached = widened(&mine.mask), fatal = {{~0ull, ~0ull}};
    int target = board->where[1 - side][KING_SLOT];
    if (filter == EVERY_MOVE) theirs = standing(game, board, 1 - side);
    /* A beam strikes the king only if a move changes a square from which a beam can strike it. */
    if (filter == STRIKES && target != GONE) {
        fatal = beam_paths_to(game, board, target);
        if (!meets(&reached, &fatal)) return 0;
    }
    for (int slot = 0; slot < SLOTS; slot++) {
        int at = board->where[side][slot];
        if (at == GONE) continue;
        if (filter != EVERY_MOVE && !on(game, &reached, at)) continue;
        int piece = board->squares[at];
        int aims = on(game, &mine.mask, at) ? AIMS : 0;
        int shields = on(game, &theirs.mask, at) ? SHIELDS : 0;
        int alike = t->fold[t->turned[0][piece]] == t->fold[t->turned[1][piece]] ? TWIN : 0;
        for (int turn = 0; turn < 2; turn++) {
            int turned = t->turned[turn][piece];
            if (!turned || (filter != EVERY_MOVE && !aims) || !on(game, &fatal, at)) continue;
            int flags = aims | shields | (turn ? alike : 0);
            int hit = mine.hit;
            board->squares[at] = (uint8_t)turned;
            if (aims) hit = fire(game, board, side);
            bool done = note(&list, move_of(at, at, turn + 1), hit, flags);
            board->squares[at] = (uint8_t)piece;
            if (done) return 1;
        }
        for (int i = 0; i < t->near_count[side][at]; i++) {
            int to = t->near[side][at][i], other = board->squares[to];
            if (other && !(t->is_switch[piece] && t->swappable[other] && t->home[t->owner[other]][at]))
                continue;
            int aims_too = aims | (on(game, &mine.mask, to) ? AIMS : 0);
            if (filter != EVERY_MOVE && !aims_too) continue;
            if (!on(game, &fatal, at) && !on(game, &fatal, to)) continue;
            int flags = aims_too | shields | (on(game, &theirs.mask, to) ? SHIELDS : 0);
            bool done;
            if (aims_too) {
                exchange(game, board, at, to);
                done = note(&list, move_of(at, to, 0), fire(game, board, side), flags);
                exchange(game, board, to, at);
            } else {
                done = note(&list, move_of(at, to, 0), mine.hit, flags);
            }
            if (done) return 1;
        }
    }
    /* A rotation of the king stands for all moves that do not touch the beam. */
    int king = board->where[side][KING_SLOT];
    if (filter != EVERY_MOVE && mine.hit != MISSED && king != GONE) {
        int victim = board->squares[mine.hit];
        if (t->owner[victim] != side && note(&list, move_of(king, king, 1), mine.hit, 0)) return 1;
    }
    return list.length;
}

static int options(const Rules *rules, Board *head, Option *found) {
    return list_moves(laser_of(rules), (LaserBoard *)head, found, head->side, EVERY_MOVE);
}

static int captures(const Rules *rules, Board *head, Option *found) {
    return list_moves(laser_of(rules), (LaserBoard *)head, found, head->side, GAINS);
}

static bool strikes(const Rules *rules, Board *head, int side) {
    return list_moves(laser_of(rules), (LaserBoard *)head, NULL, side, STRIKES);
}

static Move waits(const Rules *rules, const Board *head) {
    (void)rules;
    int king = ((const LaserBoard *)head)->where[head->side][KING_SLOT];
    return king == GONE ? NO_MOVE : move_of(king, king, 1);
}

/* -- evaluation -------------------------------------------------------------------------------- */

static inline void evaluate_features(const Laser *game, const LaserBoard *board, int32_t *f) {
    f[F_TEMPO] = board->head.side ? -1 : 1;
    Path paths[2];
    Mask ways[2] = {{{0}}, {{0}}};
    for (int side = 0; side < 2; side++) {
        int king = board->where[side][KING_SLOT];
        paths[side] = standing(game, board, side);
        if (king != GONE) ways[side] = beam_paths_to(game, board, king);
    }
    for (int side = 0; side < 2; side++) {
        int sign = side ? -1 : 1, next = board->head.side == side ? sign : 0;
        const Path *path = &paths[side];
        f[F_REACH] += sign * path->reach;
        f[F_BOUNCE_OWN] += sign * path->own;
        f[F_BOUNCE_OTHER] += sign * path->other;
        f[F_SWITCHES] += sign * path->switches;
        if (path->hit != MISSED) {
            bool own = game->t.owner[board->squares[path->hit]] == side;
            f[own ? F_BURNS : F_AIMED] += sign;
            f[own ? F_BURNS_NEXT : F_AIMED_NEXT] += next;
        }
        int crossed = common(&path->mask, &ways[1 - side]);
        f[F_CROSSED] += sign * crossed;
        f[F_CROSSED_NEXT] += next * crossed;
        f[F_OPEN] += sign * common(&ways[side], &ways[side]);
        int king = board->where[side][KING_SLOT], target = board->where[1 - side][KING_SLOT];
        if (king != GONE) f[F_NEAR_OWN] += sign * common(&path->mask, &game->around[king]);
        if (target != GONE) f[F_NEAR_KING] += sign * common(&path->mask, &game->around[target]);
    }
}

static int evaluate(const Rules *rules, const Board *head) {
    const Laser *game = laser_of(rules);
    const LaserBoard *board = (const LaserBoard *)head;
    int32_t f[FEATURES] = {0};
    evaluate_features(game, board, f);
    int score = board->balance;
    for (int i = 0; i < FEATURES; i++) score += game->t.weights[i] * f[i];
    return head->side ? -score : score;
}

static int features(const Rules *rules, const Board *head, int32_t *found) {
    memset(found, 0, FEATURES * sizeof *found);
    evaluate_features(laser_of(rules), (const LaserBoard *)head, found);
    return FEATURES;
}

/* -- tables ------------------------------------------------------------------------------------ */


static void fill_lines(Laser *game) {
    for (int place = 0; place < COLUMNS; place++) {
        uint32_t before = (1u << place) - 1, after = ~(before | 1u << place);
        game->ahead[UP][place] = (uint16_t)(before & 0xff);
        game->ahead[DOWN][place] = (uint16_t)(after & 0xff);
        game->ahead[LEFT][place] = (uint16_t)(before & 0x3ff);
        game->ahead[RIGHT][place] = (uint16_t)(after & 0x3ff);
    }
    for (int bits = 0; bits < 1024; bits++) game->bits[bits] = (uint8_t)count_bits((uint64_t)bits);
    for (int bits = 0; bits < 256; bits++)
        for (int y = 0; y < ROWS; y++)
            if (bits >> y & 1) game->spread[bits][y >> 2] |= 1ull << (y & 3) * 16;
}

static void fill_squares(Laser *game) {
    for (int at = 0; at < CELLS; at++) {
        int x = at % COLUMNS, y = at / COLUMNS;
        game->x[at] = (uint8_t)x;
        game->y[at] = (uint8_t)y;
        game->square[at].words[y >> 2] |= 1ull << ((y & 3) * 16 + x);
    }
    for (int a = 0; a < CELLS; a++)
        for (int b = 0; b < CELLS; b++)
            if (abs(game->x[a] - game->x[b]) <= 1 && abs(game->y[a] - game->y[b]) <= 1)
                for (int word = 0; word < 2; word++)
                    game->around[a].words[word] |= game->square[b].words[word];
}

Rules *laser_rules(const LaserTables *tables) {
    Laser *game = calloc(1, sizeof *game);
    if (!game) return NULL;
    game->t = *tables;
    game->rules = (Rules){
        .board_size = sizeof(LaserBoard),
        .squares = CELLS,
        .set_up = set_up,
        .squares_of = squares_of,
        .key = key_of,
        .options = options,
        .captures = captures,
        .play = play,
        .take_back = take_back,
        .evaluate = evaluate,
        .strikes = strikes,
        .waits = waits,
        .features = features,
    };
    game->side_key = fill_keys(&game->keys[0][0], CELLS, KEY_SEED, game->t.fold);
    fill_lines(game);
    fill_squares(game);
    return &game->rules;
}
