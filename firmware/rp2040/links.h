/* The two links to a host: USB-CDC, and UART0 on GPIO 0 (TX) and 1 (RX) at 1 Mbaud, 8N1. */
#ifndef LINKS_H
#define LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINK_USB, LINK_UART, LINKS };
enum { LINK_UART_BAUD = 1000000 };

void links_init(void);

/* Moves bytes between hardware and buffers without blocking; true while UART output is pending. */
bool links_run(void);

/* Reads up to `room` received bytes; returns their number. */
size_t link_read(int link, uint8_t *bytes, size_t room);

/* Sends all bytes, or none if the output buffer has no room. */
void link_send(int link, const uint8_t *bytes, size_t count);

#endif
