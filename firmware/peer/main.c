/* The smallest peer: answers every zero byte with one byte, over a pty.
 *
 * `laserboard bench light` uses it as the baseline for driver and firmware: the same bytes over the
 * same kind of line. Prints the path of the pty, then serves it until its input ends.
 */
#define _XOPEN_SOURCE 600
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

int main(void) {
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        perror("pty");
        return 1;
    }
    const char *path = ptsname(master);
    int slave = open(path, O_RDWR | O_NOCTTY); /* kept open, so that a host can close the port and open it again */
    struct termios raw;
    if (slave < 0 || tcgetattr(slave, &raw) != 0) {
        perror(path);
        return 1;
    }
    raw.c_iflag = raw.c_oflag = raw.c_lflag = 0;
    raw.c_cflag |= CS8;
    tcsetattr(slave, TCSANOW, &raw);
    puts(path);
    fflush(stdout);
    for (;;) {
        struct pollfd watched[2] = {{master, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
        if (poll(watched, 2, -1) < 0 || watched[1].revents != 0) return 0;
        unsigned char bytes[4096];
        ssize_t count = read(master, bytes, sizeof bytes);
        if (count <= 0) return 0;
        for (ssize_t i = 0; i < count; i++) {
            if (bytes[i] == 0 && write(master, "!", 1) != 1) return 1;
        }
    }
}
