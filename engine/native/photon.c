/* A board on which all shooters of both sides fire simultaneously after each move, in lockstep.
 *
 * Beams depend only on the squares they touch: a move that touches none of those changes no beam.
 * So the beams of a position are kept until a move or a loss changes one of their squares.
 */
#include "photon.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = PHOTON_CELLS, SLOTS = PHOTON_PIECES + 1, BEAMS = 2 * PHOTON_PIECES };
enum { GONE = 255, KING_SLOT = 0, KEY_SEED = 20261118 };
enum { MAX_LOSSES = 4 * PHOTON_PIECES }; /* of a game: no piece has more than two hit points */

/* All beams of a position. */
typedef struct {
    Mask touched[2]; /* by owner: the squares of the shooters and of their beams */
    Mask all;        /* of both owners */
    Mask met;        /* where beams end by meeting others */
    int hits;
    uint8_t hit[BEAMS]; /* the squares of the pieces hit, one per beam */
} Volley;

typedef struct {
    Rules rules; /* first: a pointer to one is a pointer to the other */
    PhotonTables t;
    uint64_t keys[PIECES][CELLS], side_key;
    Mask around[CELLS];
} Photon;

typedef struct {
    uint8_t at, before, slot;
} Loss;

typedef struct {
    Move move;
    int losses, volley; /* before the move */
    int turns_since_capture, balance;
    uint64_t key;
} Undo;

typedef struct {
    Board head; /* first, as above */
    uint8_t squares[CELLS];
    uint8_t slot[CELLS];     /* the index in `where` of the piece there */
    uint8_t where[2][SLOTS]; /* squares of a side's pieces: king, shooters, others */
    int used[2];             /* slots */
    int first_other[2];      /* the first slot after the shooters */
    int shooters;            /* left, of both sides */
    int balance;             /* the sum of `worth`, for Red */
    int turns, losses;
    int volley; /* index of the volley of this position */
    Loss lost[MAX_LOSSES];
    Undo undo[MAX_TURNS];
    Volley volleys[MAX_TURNS + 1];
} PhotonBoard;

/* The losses that a volley causes. */
typedef struct {
    int balance; /* gain of Red */
    int kings;   /* bits of the sides that lose their king */
    int shooters;
} Toll;

static inline const Photon *photon_of(const Rules *rules) { return (const Photon *)rules; }

static inline bool on(const Mask *mask, int square) {
    return mask->words[square >> 6] >> (square & 63) & 1;
}

static inline void add(Mask *mask, int square) {
    mask->words[square >> 6] |= 1ull << (square & 63);
}

/* -- beams ------------------------------------------------------------------------------------ */

typedef struct {
    uint8_t at, to, heading, owner;
} Beam;

/* Remove beams that swap squares: they end on the edge. Returns the number left. */
static int without_swaps(Beam *beams, int length, Volley *volley) {
    bool ends[BEAMS];
    for (int i = 0; i < length; i++) {
        ends[i] = false;
        for (int k = 0; k < i; k++)
            if (beams[i].at == beams[k].to && beams[i].to == beams[k].at) ends[i] = ends[k] = true;
    }
    int left = 0;
    for (int i = 0; i < length; i++)
        if (ends[i]) add(&volley->met, beams[i].at);
        else beams[left++] = beams[i];
    return left;
}

/* Whether a beam meets another that arrives at the same time, on an empty square or on the same
 * face of a mirror. */
static bool meets_others(const Photon *game, int piece, const Beam *beams, int length, int which) {
    const Beam *beam = &beams[which];
    int onward = piece ? game->t.hits[beam->heading][piece] : PHOTON_HIT;
    for (int k = 0; k < length; k++) {
        if (beams[k].to != beam->to || beams[k].heading == beam->heading) continue;
        if (!piece || (onward != PHOTON_HIT && (onward ^ 2) == beams[k].heading)) return true;
    }
    return false;
}

/* The beams that stay on the board in this step, with their targets. */
static int setting_out(const Photon *game, const Beam *beams, int length, Beam *moving) {
    int found = 0;
    for (int i = 0; i < length; i++) {
        moving[found] = beams[i];
        moving[found].to = game->t.ahead[beams[i].heading][beams[i].at];
        if (moving[found].to != PHOTON_OFF) found++;
    }
    return found;
}

/* One step of beams that may meet. Writes those left to `next` and returns their number. */
static int step_closely(const Photon *game, const uint8_t *squares, const Beam *beams, int length,
                        Beam *next, Volley *volley) {
    Beam moving[BEAMS];
    int count = setting_out(game, beams, length, moving), left = 0;
    count = without_swaps(moving, count, volley);
    for (int i = 0; i < count; i++) {
        Beam beam = moving[i];
        int piece = squares[beam.to];
        add(&volley->touched[beam.owner], beam.to);
        if (meets_others(game, piece, moving, count, i)) {
            add(&volley->met, beam.to);
            continue;
        }
        beam.at = beam.to;
        if (piece) beam.heading = game->t.hits[beam.heading][piece];
        if (beam.heading == PHOTON_HIT) volley->hit[volley->hits++] = beam.to;
        else next[left++] = beam;
    }
    return left;
}

/* Fire all shooters simultaneously. Without `marks`, only the hits are recorded. */
static inline void fire(const Photon *game, const PhotonBoard *board, Volley *volley,
                        const bool marks) {
    const uint8_t *squares = board->squares;
    Beam places[2][BEAMS];
    uint16_t last[CELLS] = {0}; /* the last step at which a beam arrived at each square */
    int length = 0, now = 1;
    memset(volley, 0, offsetof(Volley, hit));
    for (int side = 0; side < 2; side++)
        for (int slot = KING_SLOT + 1; slot < board->first_other[side]; slot++) {
            int at = board->where[side][slot];
            if (at == GONE) continue;
            if (marks) add(&volley->touched[side], at);
            last[at] = 1;
            places[1][length++] =
                (Beam){(uint8_t)at, 0, game->t.orientation[squares[at]], (uint8_t)side};
        }
    while (length) {
        const Beam *beams = places[now & 1];
        Beam *next = places[~now & 1];
        int left = 0, hits = volley->hits, i;
        now++;
        for (i = 0; i < length; i++) {
            Beam beam = beams[i];
            int to = game->t.ahead[beam.heading][beam.at];
            if (to == PHOTON_OFF) continue;
            /* Another beam arrives there too, or comes from there. */
            if (last[to] >= now - 1 && game->t.meeting) break;
            last[to] = (uint16_t)now;
            if (marks) add(&volley->touched[beam.owner], to);
            int piece = squares[to];
            beam.at = (uint8_t)to;
            if (piece) {
                beam.heading = game->t.hits[beam.heading][piece];
                if (beam.heading == PHOTON_HIT) {
                    volley->hit[hits++] = (uint8_t)to;
                    continue;
                }
            }
            next[left++] = beam;
        }
        if (i < length) {
            left = step_closely(game, squares, beams, length, next, volley);
            for (int k = 0; k < left; k++) last[next[k].at] = (uint16_t)now;
        } else {
            volley->hits = hits;
        }
        length = left;
    }
    for (int word = 0; word < 2; word++)
        volley->all.words[word] = volley->touched[0].words[word] | volley->touched[1].words[word];
}

/* All squares from which a beam with the right heading strikes the king, including the king's
 * square and the pieces on the way. */
static inline Mask beam_paths_to(const Photon *game, const PhotonBoard *board, int king) {
    Mask ways = {{0, 0}};
    add(&ways, king);
    for (int first = 0; first < 4; first++) {
        int at = king, heading = first;
        while ((at = game->t.ahead[heading][at]) != PHOTON_OFF) {
            add(&ways, at);
            int piece = board->squares[at];
            if (!piece) continue;
            heading = game->t.hits[heading][piece];
            if (heading == PHOTON_HIT) break;
        }
    }
    return ways;
}

/* The piece left after all hits on the square of hit `which`. GONE if an earlier hit is on that
 * square: it counts once. */
static inline int left_of(const Photon *game, const PhotonBoard *board, const Volley *volley,
                          int which) {
    int at = volley->hit[which], times = 0;
    for (int i = 0; i < which; i++)
        if (volley->hit[i] == at) return GONE;
    for (int i = which + 1; i < volley->hits; i++) times += volley->hit[i] == at;
    return game->t.damaged[times < PHOTON_HITS ? times : PHOTON_HITS - 1][board->squares[at]];
}

static Toll toll_of(const Photon *game, const PhotonBoard *board, const Volley *volley) {
    const PhotonTables *t = &game->t;
    Toll toll = {0, 0, 0};
    for (int i = 0; i < volley->hits; i++) {
        int after = left_of(game, board, volley, i), before = board->squares[volley->hit[i]];
        if (after == GONE) continue;
        toll.balance += t->worth[after] - t->worth[before];
        if (t->is_king[before] && !after) toll.kings |= 1 << t->owner[before];
        if (t->is_shooter[before] && !after) toll.shooters++;
    }
    return toll;
}

static inline int verdict(int kings_lost, int shooters) {
    if (kings_lost == 3) return DRAWN;
    if (kings_lost) return kings_lost == 1 ? 1 : 0;
    return shooters ? NO_WINNER : DRAWN;
}

/* -- setting up, playing and taking back ------------------------------------------------------- */

static uint64_t key_of(const Rules *rules, const uint8_t *squares, int side) {
    const Photon *game = photon_of(rules);
    return position_key(&game->keys[0][0], CELLS, squares, side ? game->side_key : 0);
}

static void set_up(const Rules *rules, Board *head, const uint8_t *squares, int side) {
    const Photon *game = photon_of(rules);
    PhotonBoard *board = (PhotonBoard *)head;
    memset(board, 0, offsetof(PhotonBoard, lost));
    memset(board->where, GONE, sizeof board->where);
    memcpy(board->squares, squares, CELLS);
    for (int owner = 0; owner < 2; owner++) {
        int slot = KING_SLOT + 1;
        for (int shooters = 1; shooters >= 0; shooters--) {
            for (int at = 0; at < CELLS; at++) {
                int piece = squares[at];
                if (!piece || game->t.owner[piece] != owner) continue;
                if (game->t.is_shooter[piece] != shooters) continue;
                int place = game->t.is_king[piece] ? KING_SLOT : slot++;
                board->where[owner][place] = (uint8_t)at;
                board->slot[at] = (uint8_t)place;
                board->balance += game->t.worth[piece];
                board->shooters += shooters;
            }
            if (shooters) board->first_other[owner] = slot;
        }
        board->used[owner] = slot;
    }
    int kings_lost = 0;
    for (int owner = 0; owner < 2; owner++)
        if (board->where[owner][KING_SLOT] == GONE) kings_lost |= 1 << owner;
    head->winner = verdict(kings_lost, board->shooters);
    head->side = side;
    head->key = key_of(rules, squares, side);
    fire(game, board, &board->volleys[0], true);
}

static void squares_of(const Board *head, uint8_t *squares) {
    memcpy(squares, ((const PhotonBoard *)head)->squares, CELLS);
}

static inline void put(const Photon *game, PhotonBoard *board, int at, int piece) {
    int old = board->squares[at];
    board->head.key ^= game->keys[old][at] ^ game->keys[piece][at];
    board->balance += game->t.worth[piece] - game->t.worth[old];
    board->squares[at] = (uint8_t)piece;
}

/* Move a piece. Its value does not depend on the square. */
static inline void carry(PhotonBoard *board, int side, int from, int to) {
    int slot = board->slot[from];
    board->squares[to] = board->squares[from];
    board->squares[from] = 0;
    board->slot[to] = (uint8_t)slot;
    board->where[side][slot] = (uint8_t)to;
}

static inline bool touches(const Volley *volley, Move move) {
    return on(&volley->all, move_src(move)) || on(&volley->all, move_dst(move));
}

static void suffer(const Photon *game, PhotonBoard *board, const Volley *volley) {
    const PhotonTables *t = &game->t;
    Toll toll = toll_of(game, board, volley);
    uint8_t after[BEAMS];
    for (int i = 0; i < volley->hits; i++) after[i] = (uint8_t)left_of(game, board, volley, i);
    for (int i = 0; i < volley->hits; i++) {
        if (after[i] == GONE) continue;
        int at = volley->hit[i], before = board->squares[at], slot = board->slot[at];
        board->lost[board->losses++] = (Loss){(uint8_t)at, (uint8_t)before, (uint8_t)slot};
        put(game, board, at, after[i]);
        if (!after[i]) board->where[t->owner[before]][slot] = GONE;
    }
    board->shooters -= toll.shooters;
    board->head.winner = verdict(toll.kings, board->shooters);
    board->head.turns_since_capture = 0;
}

static void play(const Rules *rules, Board *head, Move move) {
    const Photon *game = photon_of(rules);
    PhotonBoard *board = (PhotonBoard *)head;
    int src = move_src(move), dst = move_dst(move), turn = move_turn(move), side = head->side;
    board->undo[board->turns++] =
        (Undo){move, board->losses, board->volley, head->turns_since_capture,
               board->balance, head->key};
    bool stands = move == PASS || !touches(&board->volleys[board->volley], move);
    if (move != PASS && turn) {
        put(game, board, src, game->t.turned[turn - 1][board->squares[src]]);
    } else if (move != PASS) {
        int piece = board->squares[src];
        head->key ^= game->keys[piece][src] ^ game->keys[piece][dst];
        carry(board, side, src, dst);
    }
    head->turns_since_capture++;
    Volley *next = &board->volleys[board->turns];
    if (!stands) {
        board->volley = board->turns;
        fire(game, board, next, true);
    }
    const Volley *volley = &board->volleys[board->volley];
    if (volley->hits) {
        suffer(game, board, volley);
        board->volley = board->turns;
        fire(game, board, next, true);
    }
    head->side ^= 1;
    head->key ^= game->side_key;
}

static void take_back(const Rules *rules, Board *head) {
    const Photon *game = photon_of(rules);
    PhotonBoard *board = (PhotonBoard *)head;
    const Undo *undo = &board->undo[--board->turns];
    int src = move_src(undo->move), dst = move_dst(undo->move), turn = move_turn(undo->move);
    head->side ^= 1;
    while (board->losses > undo->losses) {
        Loss loss = board->lost[--board->losses];
        if (game->t.is_shooter[loss.before] && !board->squares[loss.at]) board->shooters++;
        board->squares[loss.at] = loss.before;
        board->slot[loss.at] = loss.slot;
        board->where[game->t.owner[loss.before]][loss.slot] = loss.at;
    }
    if (undo->move != PASS) {
        if (turn) board->squares[src] = game->t.turned[2 - turn][board->squares[src]];
        else carry(board, head->side, dst, src);
    }
    head->winner = NO_WINNER;
    head->key = undo->key;
    head->turns_since_capture = undo->turns_since_capture;
    board->balance = undo->balance;
    board->volley = undo->volley;
}

/* -- moves ------------------------------------------------------------------------------------- */

typedef struct {
    const Photon *game;
    PhotonBoard *board;
    Option *found;
    int length, side;
    MoveFilter filter;
} List;

/* Add a move with this toll to the list. Returns true if a search for strikes has found one. */
static inline bool note(List *list, Move move, const Toll *toll, bool captures, int flags) {
    int gain = list->side ? -toll->balance : toll->balance;
    if (captures) {
        int winner = verdict(toll->kings, list->board->shooters - toll->shooters);
        flags |= CAPTURES;
        if (winner == DRAWN) flags |= DRAWS;
        else if (winner != NO_WINNER) flags |= winner == list->side ? WINS : LOSES;
    }
    if (list->filter == STRIKES) return flags & WINS;
    if (list->filter == GAINS && !(flags & WINS) && (gain <= 0 || flags & (LOSES | DRAWS)))
        return false;
    list->found[list->length++] = (Option){move, (uint8_t)flags, (int16_t)gain, 0};
    return false;
}

/* The same for a move that is made on the board temporarily. */
static inline bool note_fired(List *list, Move move, int flags) {
    Volley volley;
    fire(list->game, list->board, &volley, false);
    Toll toll = toll_of(list->game, list->board, &volley);
    return note(list, move, &toll, volley.hits, flags);
}

/* A move must change one of these squares to strike the opponent's king. They are the squares from
 * which a beam can strike it, or all squares if the king is struck already or if beams that meet
 * now might go on to it. */
static inline Mask striking(const Photon *game, const PhotonBoard *board, const Volley *volley,
                            const Toll *standing, int side) {
    const Mask everywhere = {{~0ull, ~0ull}};
    int king = board->where[1 - side][KING_SLOT];
    if (king == GONE || standing->kings) return everywhere;
    Mask ways = beam_paths_to(game, board, king);
    return meets(&ways, &volley->met) ? everywhere : ways;
}

static inline int touch_flags(const Volley *volley, int side, int at) {
    return (on(&volley->touched[side], at) ? AIMS : 0) |
           (on(&volley->touched[1 - side], at) ? SHIELDS : 0);
}

static int list_moves(const Photon *game, PhotonBoard *board, Option *found, int side,
                      MoveFilter filter) {
    const PhotonTables *t = &game->t;
    const Volley *volley = &board->volleys[board->volley];
    List list = {game, board, found, 0, side, filter};
    Toll standing = toll_of(game, board, volley);
    Mask fatal = {{~0ull, ~0ull}};
    if (filter == STRIKES) fatal = striking(game, board, volley, &standing, side);
    Move idle = PASS; /* a move that changes no beam, or the pass if there is none */
    bool any = false;
    for (int slot = 0; slot < board->used[side]; slot++) {
        int at = board->where[side][slot];
        if (at == GONE) continue;
        int piece = board->squares[at], flags = touch_flags(volley, side, at);
        for (int turn = 0; turn < 2; turn++) {
            int turned = t->turned[turn][piece];
            if (!turned) continue;
            Move move = move_of(at, at, turn + 1);
            bool done = false;
            any = true;
            if (flags) {
                if (!on(&fatal, at)) continue;
                board->squares[at] = (uint8_t)turned;
                done = note_fired(&list, move, flags);
                board->squares[at] = (uint8_t)piece;
            } else if (filter == EVERY_MOVE) {
                note(&list, move, &standing, volley->hits, 0);
            } else {
                idle = move;
            }
            if (done) return 1;
        }
        for (int i = 0; i < t->near_count[at]; i++) {
            int to = t->near[at][i];
            if (board->squares[to]) continue;
            Move move = move_of(at, to, 0);
            int both = flags | touch_flags(volley, side, to);
            bool done = false;
            any = true;
            if (both) {
                if (!on(&fatal, at) && !on(&fatal, to)) continue;
                carry(board, side, at, to);
                done = note_fired(&list, move, both);
                carry(board, side, to, at);
            } else if (filter == EVERY_MOVE) {
                note(&list, move, &standing, volley->hits, 0);
            } else {
                idle = move;
            }
            if (done) return 1;
        }
    }
    bool passes = !any, stands = filter != EVERY_MOVE && idle != PASS;
    if ((passes || stands) && note(&list, idle, &standing, volley->hits, 0)) return 1;
    return list.length;
}

static int options(const Rules *rules, Board *head, Option *found) {
    return list_moves(photon_of(rules), (PhotonBoard *)head, found, head->side, EVERY_MOVE);
}

static int captures(const Rules *rules, Board *head, Option *found) {
    return list_moves(photon_of(rules), (PhotonBoard *)head, found, head->side, GAINS);
}

static bool strikes(const Rules *rules, Board *head, int side) {
    return list_moves(photon_of(rules), (PhotonBoard *)head, NULL, side, STRIKES);
}

/* A rotation of a piece that no beam touches. */
static Move waits(const Rules *rules, const Board *head) {
    const Photon *game = photon_of(rules);
    const PhotonBoard *board = (const PhotonBoard *)head;
    for (int slot = board->first_other[head->side]; slot < board->used[head->side]; slot++) {
        int at = board->where[head->side][slot];
        if (at == GONE || on(&board->volleys[board->volley].all, at)) continue;
        if (game->t.turned[0][board->squares[at]]) return move_of(at, at, 1);
    }
    return NO_MOVE;
}

/* -- evaluation -------------------------------------------------------------------------------- */

/* The features of the pieces that each side would lose now. */
static inline void evaluate_hits(const Photon *game, const PhotonBoard *board,
                                 const Volley *volley, int32_t *f) {
    const PhotonTables *t = &game->t;
    for (int i = 0; i < volley->hits; i++) {
        int after = left_of(game, board, volley, i), before = board->squares[volley->hit[i]];
        if (after == GONE) continue;
        int gain = t->worth[after] - t->worth[before]; /* for Red */
        bool next = (t->owner[before] == 1) == (board->head.side == 0);
        f[P_STRUCK] += gain;
        if (next) f[P_STRUCK_NEXT] += gain;
        if (!t->is_king[before]) continue;
        int sign = t->owner[before] ? 1 : -1;
        f[P_KING_STRUCK] += sign;
        if (next) f[P_KING_STRUCK_NEXT] += sign;
    }
}

static inline void evaluate_features(const Photon *game, const PhotonBoard *board, int32_t *f) {
    const Volley *volley = &board->volleys[board->volley];
    Mask ways[2] = {{{0, 0}}, {{0, 0}}};
    f[P_TEMPO] = board->head.side ? -1 : 1;
    for (int side = 0; side < 2; side++) {
        int king = board->where[side][KING_SLOT];
        if (king != GONE) ways[side] = beam_paths_to(game, board, king);
    }
    for (int side = 0; side < 2; side++) {
        int sign = side ? -1 : 1, next = board->head.side == side ? sign : 0;
        const Mask *mine = &volley->touched[side];
        int king = board->where[side][KING_SLOT], target = board->where[1 - side][KING_SLOT];
        int crossed = common(mine, &ways[1 - side]);
        f[P_REACH] += sign * common(mine, mine);
        f[P_CROSSED] += sign * crossed;
        f[P_CROSSED_NEXT] += next * crossed;
        f[P_CROSSED_OWN] += sign * common(mine, &ways[side]);
        f[P_OPEN] += sign * common(&ways[side], &ways[side]);
        if (target != GONE) f[P_NEAR_KING] += sign * common(mine, &game->around[target]);
        if (king != GONE) f[P_NEAR_OWN] += sign * common(mine, &game->around[king]);
    }
    evaluate_hits(game, board, volley, f);
}

static int evaluate(const Rules *rules, const Board *head) {
    const Photon *game = photon_of(rules);
    const PhotonBoard *board = (const PhotonBoard *)head;
    int32_t f[PHOTON_FEATURES] = {0}, promise = 0;
    evaluate_features(game, board, f);
    for (int i = 0; i < PHOTON_FEATURES; i++) promise += game->t.weights[i] * f[i];
    int score = board->balance + promise / 100;
    return head->side ? -score : score;
}

static int features(const Rules *rules, const Board *head, int32_t *found) {
    memset(found, 0, PHOTON_FEATURES * sizeof *found);
    evaluate_features(photon_of(rules), (const PhotonBoard *)head, found);
    return PHOTON_FEATURES;
}

/* -- tables ------------------------------------------------------------------------------------ */

Rules *photon_rules(const PhotonTables *tables) {
    Photon *game = calloc(1, sizeof *game);
    if (!game) return NULL;
    game->t = *tables;
    game->rules = (Rules){
        .board_size = sizeof(PhotonBoard),
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
    game->side_key = fill_keys(&game->keys[0][0], CELLS, KEY_SEED, NULL);
    for (int at = 0; at < CELLS; at++)
        for (int i = 0; i < tables->near_count[at]; i++) {
            int beside = tables->near[at][i];
            add(&game->around[at], beside);
            for (int k = 0; k < tables->near_count[beside]; k++)
                add(&game->around[at], tables->near[beside][k]);
        }
    return &game->rules;
}
