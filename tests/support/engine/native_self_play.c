/* Plays fast games with the compiled core. Build it with sanitizers.
 *
 * usage: games laser|photon TABLES POSITIONS COUNT SEED
 * TABLES is a LaserTables or a PhotonTables; POSITIONS are squares and side, a byte each. Prints one
 * line for each game: the number of its position, its moves as numbers, and its result (0 or 1: the
 * winner, 2: drawn, -: not decided).
 * The last line has the number of searches that used more than 50 ms of CPU time between two calls
 * of `stop`, and the longest such time in microseconds. A slower machine gets proportionally more
 * than 50 ms.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../../engine/native/laser.h"
#include "../../../engine/native/photon.h"
#include "../../../engine/native/search.h"

enum { LONGEST_GAME = 160, MAX_POSITIONS = 64 };

/* A pause of the virtual machine counts as CPU time. A late search is therefore repeated, and counts
 * as late only if all of its ATTEMPTS runs are late. */
enum { LATE_US = 50000, ATTEMPTS = 3 };

/* The time of `speed_us` on the machine where the core used at most 24 ms between two calls. */
enum { USUAL_US = 17000, STEPS = 1 << 21, WORDS = 1 << 16 };

static int64_t end_us, called_us, longest_us, search_us;
static int late_count, calls, stop_call;

static int64_t now_us(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Measures the CPU time since the previous call, so that other processes do not count. */
static int32_t stop(void) {
    int64_t busy = now_us(CLOCK_THREAD_CPUTIME_ID);
    if (busy - called_us > search_us) search_us = busy - called_us;
    called_us = busy;
    calls++;
    if (!stop_call && now_us(CLOCK_MONOTONIC) >= end_us) stop_call = calls;
    return stop_call && calls >= stop_call;
}

/* The CPU time of a constant amount of work. */
static int64_t speed_us(void) {
    static uint32_t words[WORDS];
    int64_t begun = now_us(CLOCK_THREAD_CPUTIME_ID);
    uint32_t at = 1;
    for (int i = 0; i < STEPS; i++) {
        at = at * 1664525u + 1013904223u + words[at >> 16];
        words[at >> 16] += at;
    }
    return now_us(CLOCK_THREAD_CPUTIME_ID) - begun;
}

static int32_t enough(const Result *result) {
    (void)result;
    return 0;
}

static uint64_t random_state;

static uint32_t chance(uint32_t below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % below;
}

/* Search, and record the longest time between two calls of `stop`. A late search is repeated and
 * stopped at the same call. */
static bool timed_search(const Rules *rules, const Request *request, Result *result) {
    int64_t shortest = INT64_MAX, slower = 0;
    stop_call = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
        search_us = calls = 0;
        called_us = now_us(CLOCK_THREAD_CPUTIME_ID);
        if (search(rules, request, result) != 0 || result->root < 0) return false;
        int ended = stop_call;
        stop();
        if (!ended) stop_call = INT32_MAX; /* it ended without a stop, and will again */
        if (search_us < shortest) shortest = search_us;
        if (shortest <= LATE_US) break;
        int64_t now = speed_us();
        if (now > slower) slower = now;
    }
    if (shortest > longest_us) longest_us = shortest;
    if (slower < USUAL_US) slower = USUAL_US;
    late_count += shortest > LATE_US * slower / USUAL_US;
    return true;
}

/* The move that the core chooses in a few milliseconds, or NO_MOVE. */
static Move choose_move(const Rules *rules, Board *board, const uint8_t *squares,
                        const uint8_t *history, int turns_since_capture) {
    Option options[MAX_OPTIONS];
    Root roots[MAX_OPTIONS];
    Result result;
    int length = rules->options(rules, board, options);
    for (int i = 0; i < length; i++) {
        int ending = options[i].flags & WINS    ? WIN - 1
                     : options[i].flags & LOSES ? 1 - WIN
                     : options[i].flags & DRAWS ? 0
                                                : NO_ENDING;
        int error = chance(8) ? 0 : (int)chance(60) - 30;
        roots[i] = (Root){options[i].move, error, ending, chance(50) == 0};
    }
    bool plain = chance(10) == 0;
    Request request = {
        .squares = squares,
        .past = history,
        .past_length = turns_since_capture,
        .roots = roots,
        .stop = stop,
        .enough = enough,
        .node_limit = chance(4) ? UINT64_MAX : 1 + chance(3000),
        .side = board->side,
        .root_count = length,
        .repeats = 1,
        .no_capture_limit = 100,
        .claims = (int32_t)chance(2),
        .depth_limit = chance(4) ? 40 : 1 + (int)chance(4),
        .safe_depth = plain ? 2 : 1,
        .full_width = plain,
        .table_bits = 10 + (int)chance(8),
    };
    end_us = now_us(CLOCK_MONOTONIC) + 500 + chance(4000);
    if (!timed_search(rules, &request, &result)) return NO_MOVE;
    return (Move)roots[result.root].move;
}

/* Whether `strikes` agrees, for both sides, with the flag WINS of the generated moves. */
static bool strikes_agree(const Rules *rules, Board *board, const uint8_t *squares, int turn) {
    Option options[MAX_OPTIONS];
    bool ok = true;
    for (int side = 1 - turn, k = 0; k < 2; side = turn, k++) {
        rules->set_up(rules, board, squares, side);
        int length = rules->options(rules, board, options);
        bool wins = false;
        for (int i = 0; i < length; i++) wins |= (options[i].flags & WINS) != 0;
        ok &= rules->strikes(rules, board, side) == wins;
        rules->set_up(rules, board, squares, 1 - side);
        ok &= rules->strikes(rules, board, side) == wins;
    }
    rules->set_up(rules, board, squares, turn);
    return ok;
}

static bool play_game(const Rules *rules, const uint8_t *start, int number) {
    uint8_t squares[SQUARES], history[LONGEST_GAME * (SQUARES + 1)];
    size_t cells = (size_t)rules->squares;
    Board *board = calloc(1, rules->board_size);
    if (!board) return false;
    memcpy(squares, start, cells);
    int side = start[cells], turns_since_capture = 0, winner = NO_WINNER;
    printf("%d", number);
    for (int turn = 0; turn < LONGEST_GAME && winner == NO_WINNER && turns_since_capture < 100;
         turn++) {
        if (!strikes_agree(rules, board, squares, side)) {
            fprintf(stderr, "strikes and moves disagree in game %d, turn %d\n", number, turn);
            free(board);
            return false;
        }
        Option options[MAX_OPTIONS];
        int length = rules->options(rules, board, options);
        Move move = turn < 4 ? options[chance((uint32_t)length)].move
                             : choose_move(rules, board, squares, history, turns_since_capture);
        if (move == NO_MOVE) {
            fprintf(stderr, "no answer in game %d, turn %d\n", number, turn);
            free(board);
            return false;
        }
        printf(" %d", move);
        uint8_t *earlier = &history[(size_t)turns_since_capture * (cells + 1)];
        memcpy(earlier, squares, cells);
        earlier[cells] = (uint8_t)side;
        rules->play(rules, board, move);
        turns_since_capture = board->turns_since_capture ? turns_since_capture + 1 : 0;
        winner = board->winner;
        side = board->side;
        rules->squares_of(board, squares);
    }
    if (winner == NO_WINNER) printf(" -\n");
    else printf(" %d\n", winner);
    free(board);
    return true;
}

/* Reads a file of at most `most` bytes. Returns its length, or 0. */
static size_t content(const char *name, void *into, size_t most) {
    FILE *file = fopen(name, "rb");
    if (!file) return 0;
    size_t length = fread(into, 1, most, file);
    fclose(file);
    return length;
}

int main(int count, char **arguments) {
    static union {
        LaserTables laser;
        PhotonTables photon;
    } tables;
    static uint8_t positions[MAX_POSITIONS * (SQUARES + 1)];
    if (count != 6) return 2;
    bool laser = strcmp(arguments[1], "laser") == 0;
    if (content(arguments[2], &tables, sizeof tables) !=
        (laser ? sizeof tables.laser : sizeof tables.photon))
        return 2;
    Rules *rules = laser ? laser_rules(&tables.laser) : photon_rules(&tables.photon);
    if (!rules) return 2;
    size_t each = (size_t)rules->squares + 1;
    int known = (int)(content(arguments[3], positions, sizeof positions) / each);
    random_state = strtoull(arguments[5], NULL, 10);
    bool ok = known > 0;
    for (int game = 0; game < atoi(arguments[4]) && ok; game++)
        ok = play_game(rules, &positions[(size_t)(game % known) * each], game % known);
    printf("late %d %lld\n", late_count, (long long)longest_us);
    free(rules);
    return ok ? 0 : 1;
}
