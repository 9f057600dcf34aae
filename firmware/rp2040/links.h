/* The two ways to a host: USB-CDC, and UART0 on GPIO 0 (TX) and 1 (RX) at 1 Mbaud, 8N1. */
#ifndef LINKS_H
#define LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINK_USB, LINK_UART, LINKS };
enum { LINK_UART_BAUD = 1000000 };

void links_init(void);

/* Moves bytes between the chip and its buffers, without waiting; true if the UART has not taken all. */
bool links_run(void);

/* Takes up to `room` bytes that have arrived; returns how many. */
size_t link_read(int link, uint8_t *bytes, size_t room);

/* Sends all bytes, or none when the host has not read what was sent before. */
void link_send(int link, const uint8_t *bytes, size_t count);

#endif
