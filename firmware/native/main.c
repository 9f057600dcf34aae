/* The firmware as a Linux program: the same core, with a pipe or a pty as the cable and a file
 * descriptor as the LEDs. Build: cc -O2 -o OUT native/main.c and every .c file of core/. */
#define _GNU_SOURCE
#include "../core/laserboard.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { RECORD = 2 + 3 * LB_MAX_LEDS, QUEUE = 1 << 16, USAGE = 2 };

/* A queue of bytes for a descriptor; writing never blocks. */
typedef struct {
    int fd;    /* -1: closed */
    int flags; /* original flags of the descriptor, restored at the end: other processes may share it */
    size_t first, count;
    uint8_t bytes[QUEUE];
} outlet;

typedef struct {
    outlet host;
    outlet pixels;
    uint8_t newest[RECORD]; /* the last picture, if the queue is full */
    size_t newest_count;
    uint64_t latch_ns;
    uint64_t busy_until_ns;
} board;

static volatile sig_atomic_t ended;

static void on_signal(int number) {
    (void)number;
    ended = 1;
}

static void fail(const char *what, const char *value) {
    fprintf(stderr, "laserboard-firmware: %s: %s\n", what, value);
    exit(USAGE);
}

static uint64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint32_t ms_of(uint64_t ns) { return (uint32_t)(ns / 1000000u); }

static void outlet_open(outlet *out, int fd) {
    out->fd = fd;
    out->first = out->count = 0;
    out->flags = fcntl(fd, F_GETFL);
    if (out->flags < 0 || fcntl(fd, F_SETFL, out->flags | O_NONBLOCK) < 0)
        fail("cannot write to a descriptor that was named", strerror(errno));
}

static void outlet_close(outlet *out) {
    if (out->fd >= 0) (void)fcntl(out->fd, F_SETFL, out->flags);
    out->fd = -1;
}

static void outlet_flush(outlet *out) {
    while (out->fd >= 0 && out->count > 0) {
        const ssize_t wrote = write(out->fd, out->bytes + out->first, out->count);
        if (wrote < 0) {
            if (errno == EINTR) continue;
            if (errno != EAGAIN && errno != EWOULDBLOCK) outlet_close(out); /* the reader is gone */
            return;
        }
        out->first += (size_t)wrote;
        out->count -= (size_t)wrote;
    }
}

/* Add all bytes or none. */
static bool outlet_add(outlet *out, const uint8_t *bytes, size_t count) {
    if (out->fd < 0) return true;
    if (count > QUEUE - out->count) return false;
    if (out->first + out->count + count > QUEUE) {
        memmove(out->bytes, out->bytes + out->first, out->count);
        out->first = 0;
    }
    memcpy(out->bytes + out->first + out->count, bytes, count);
    out->count += count;
    return true;
}

static void flush(board *self) {
    outlet_flush(&self->host);
    outlet_flush(&self->pixels);
    if (self->newest_count > 0 && outlet_add(&self->pixels, self->newest, self->newest_count)) {
        self->newest_count = 0;
        outlet_flush(&self->pixels);
    }
}

static void send_answer(void *context, const uint8_t *bytes, size_t count) {
    board *self = context;
    (void)outlet_add(&self->host, bytes, count); /* answers for a host that never reads are dropped */
    outlet_flush(&self->host);
}

static bool latch(void *context, const lb_config *config, const uint8_t *rgb, uint16_t leds) {
    board *self = context;
    (void)config;
    if (self->latch_ns > 0) {
        const uint64_t now_ns = clock_ns();
        if (now_ns < self->busy_until_ns) return false;
        self->busy_until_ns = now_ns + self->latch_ns;
    }
    uint8_t record[RECORD];
    const size_t count = 2 + 3 * (size_t)leds;
    lb_put16(record, leds);
    memcpy(record + 2, rgb, count - 2);
    /* A slow reader misses pictures, but never the last one. */
    if (self->newest_count > 0 || !outlet_add(&self->pixels, record, count)) {
        memcpy(self->newest, record, count);
        self->newest_count = count;
    }
    flush(self);
    return true;
}

/* Keeps the slave end open too, so that a host can close the port and open it again. */
static int open_pty(void) {
    const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
        fail("no pty can be made", strerror(errno));
    const char *path = ptsname(master);
    const int slave = path == NULL ? -1 : open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct termios raw;
    if (slave < 0 || tcgetattr(slave, &raw) < 0) fail("the pty cannot be opened", strerror(errno));
    cfmakeraw(&raw);
    if (tcsetattr(slave, TCSANOW, &raw) < 0) fail("the pty stays cooked", strerror(errno));
    printf("%s\n", path);
    fflush(stdout);
    return master;
}

/* False at the end of the input. Without a core the bytes are dropped. */
static bool take_input(int fd, lb_core *core) {
    uint8_t bytes[4096];
    const ssize_t got = read(fd, bytes, sizeof bytes);
    if (got < 0) return errno == EAGAIN || errno == EINTR || errno == EWOULDBLOCK;
    if (got > 0 && core != NULL) lb_receive(core, bytes, (size_t)got, ms_of(clock_ns()));
    return got > 0;
}

/* When there is work even if no byte arrives; UINT64_MAX: never. */
static uint64_t next_ns(const board *self, const lb_core *core, uint64_t now_ns) {
    const uint32_t wait_ms = lb_wait_ms(core, ms_of(now_ns));
    if (wait_ms == LB_NOTHING_DUE) return UINT64_MAX;
    if (wait_ms == 0) return self->busy_until_ns > now_ns ? self->busy_until_ns : now_ns;
    return (now_ns / 1000000u + wait_ms) * 1000000u;
}

static void serve(board *self, lb_core *core, int input, int parent) {
    sigset_t during;
    sigprocmask(SIG_SETMASK, NULL, &during);
    sigdelset(&during, SIGTERM);
    sigdelset(&during, SIGINT);
    while (!ended) {
        lb_tick(core, ms_of(clock_ns()));
        flush(self);
        struct pollfd fds[4] = {
            {.fd = input, .events = POLLIN},
            {.fd = self->host.count > 0 ? self->host.fd : -1, .events = POLLOUT},
            {.fd = self->pixels.count > 0 ? self->pixels.fd : -1, .events = POLLOUT},
            {.fd = parent, .events = POLLIN},
        };
        const uint64_t now_ns = clock_ns(), until_ns = next_ns(self, core, now_ns);
        const uint64_t wait_ns = until_ns > now_ns ? until_ns - now_ns : 0;
        const struct timespec wait = {
            .tv_sec = (time_t)(wait_ns / 1000000000u),
            .tv_nsec = (long)(wait_ns % 1000000000u),
        };
        const int ready = ppoll(fds, 4, until_ns == UINT64_MAX ? NULL : &wait, &during);
        if (ready < 0 && errno != EINTR) fail("cannot wait for bytes", strerror(errno));
        if (ready <= 0) continue;
        if (fds[0].revents != 0 && !take_input(input, core)) return;
        if (fds[3].revents != 0 && !take_input(parent, NULL)) return;
    }
}

static unsigned long number(const char *name, const char *text, unsigned long most) {
    char *end = NULL;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 10);
    if (errno != 0 || end == text || *end != 0 || text[0] == '-' || value > most) {
        fprintf(stderr, "laserboard-firmware: --%s wants a number from 0 to %lu, got '%s'\n", name,
                most, text);
        exit(USAGE);
    }
    return value;
}

static void parse_board_id(const char *text, uint8_t id[8]) {
    if (strlen(text) != 16 || strspn(text, "0123456789abcdefABCDEF") != 16)
        fail("--board-id wants 16 hexadecimal digits, got", text);
    for (size_t i = 0; i < 8; i++) {
        const char pair[3] = {text[2 * i], text[2 * i + 1], 0};
        id[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
}

static const char HELP[] =
    "usage: laserboard-firmware [--pty] [--pixels FD] [--boots N] [--cause N]\n"
    "                           [--board-id HEX16] [--latch-us N]\n"
    "The LED board's firmware as a program. It speaks firmware/PROTOCOL.md on standard input and\n"
    "output, and ends when its input ends.\n"
    "  --pty            make a pty, print its path as one line, and serve it; ends with\n"
    "                   standard input if that is a pipe or a socket, else on SIGTERM\n"
    "  --pixels FD      write every picture that goes into the LEDs to this descriptor: u16\n"
    "                   little-endian number of LEDs, then r g b for each. A slow reader misses\n"
    "                   pictures, but never the last\n"
    "  --boots N        boot counter in HELLO (1)\n"
    "  --cause N        reset cause in HELLO (1: power)\n"
    "  --board-id HEX16 board id in HELLO (0000000000000001)\n"
    "  --latch-us N     duration of the transfer of a picture to the LEDs, in microseconds (0)\n";

int main(int count, char **arguments) {
    static board self; /* static: too large for some stacks */
    static lb_core core;
    static const struct option options[] = {
        {"pty", no_argument, NULL, 't'},           {"pixels", required_argument, NULL, 'p'},
        {"boots", required_argument, NULL, 'b'},   {"cause", required_argument, NULL, 'c'},
        {"board-id", required_argument, NULL, 'i'}, {"latch-us", required_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
    };
    lb_identity identity = {
        .board_id = {0, 0, 0, 0, 0, 0, 0, 1}, .boots = 1, .reset_cause = LB_RESET_POWER,
    };
    bool pty = false;
    self.pixels.fd = -1;
    int option;
    while ((option = getopt_long(count, arguments, "", options, NULL)) != -1) {
        switch (option) {
        case 't': pty = true; break;
        case 'p': outlet_open(&self.pixels, (int)number("pixels", optarg, 1u << 20)); break;
        case 'b': identity.boots = (uint32_t)number("boots", optarg, UINT32_MAX); break;
        case 'c': identity.reset_cause = (uint8_t)number("cause", optarg, UINT8_MAX); break;
        case 'i': parse_board_id(optarg, identity.board_id); break;
        case 'l': self.latch_ns = 1000u * (uint64_t)number("latch-us", optarg, 10000000u); break;
        case 'h': fputs(HELP, stdout); return 0;
        default: fputs(HELP, stderr); return USAGE;
        }
    }
    if (optind < count) fail("an argument that means nothing", arguments[optind]);

    sigset_t blocked; /* signals are delivered only inside ppoll */
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    const struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    signal(SIGPIPE, SIG_IGN);

    int input = STDIN_FILENO, parent = -1;
    if (pty) {
        struct stat about;
        if (fstat(STDIN_FILENO, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode)))
            parent = STDIN_FILENO;
        input = open_pty();
    }
    outlet_open(&self.host, pty ? input : STDOUT_FILENO);
    const lb_port port = {.self = &self, .send = send_answer, .latch = latch};
    lb_init(&core, &identity, port, ms_of(clock_ns()));
    serve(&self, &core, input, parent);
    outlet_close(&self.host);
    outlet_close(&self.pixels);
    return 0;
}
