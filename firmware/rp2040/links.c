#include "links.h"

#include "hardware/gpio.h"
#include "hardware/irq.h"
#include "hardware/uart.h"
#include "laserboard.h"
#include "tusb.h"

enum { UART_TX_PIN = 0, UART_RX_PIN = 1 };

/* Ring buffers: `head` counts written bytes, `tail` read bytes. The receive buffer holds a whole
 * message, which may have to wait for one over USB. */
enum { RECEIVE_SIZE = 8192, ANSWER_SIZE = 512 };
_Static_assert(RECEIVE_SIZE >= (int)LB_MAX_WIRE, "a message must fit");

static struct {
    uint8_t bytes[RECEIVE_SIZE];
    volatile uint32_t head; /* written in the interrupt only */
    volatile uint32_t tail;
} received;

static struct {
    uint8_t bytes[ANSWER_SIZE];
    uint32_t head, tail;
} answers;

static void uart_received(void) {
    while (uart_is_readable(uart0)) {
        uint32_t got = uart_get_hw(uart0)->dr;
        bool noise = got & (UART_UARTDR_FE_BITS | UART_UARTDR_PE_BITS | UART_UARTDR_BE_BITS);
        /* A dropped byte causes a bad CRC, which the core reports to the host. */
        if (!noise && received.head - received.tail < RECEIVE_SIZE) {
            received.bytes[received.head % RECEIVE_SIZE] = (uint8_t)got;
            received.head++;
        }
    }
}

void links_init(void) {
    uart_init(uart0, LINK_UART_BAUD);
    gpio_set_function(UART_TX_PIN, GPIO_FUNC_UART);
    gpio_set_function(UART_RX_PIN, GPIO_FUNC_UART);
    gpio_pull_up(UART_RX_PIN); /* an unconnected pin must not receive noise */
    irq_set_exclusive_handler(UART0_IRQ, uart_received);
    irq_set_enabled(UART0_IRQ, true);
    uart_set_irqs_enabled(uart0, true, false);
    tud_init(0);
}

bool links_run(void) {
    tud_task();
    while (answers.tail != answers.head && uart_is_writable(uart0)) {
        uart_get_hw(uart0)->dr = answers.bytes[answers.tail % ANSWER_SIZE];
        answers.tail++;
    }
    return answers.tail != answers.head;
}

size_t link_read(int link, uint8_t *bytes, size_t room) {
    if (link == LINK_USB) {
        return tud_cdc_read(bytes, room);
    }
    size_t count = 0;
    while (count < room && received.tail != received.head) {
        bytes[count++] = received.bytes[received.tail % RECEIVE_SIZE];
        received.tail++;
    }
    return count;
}

void link_send(int link, const uint8_t *bytes, size_t count) {
    if (link == LINK_USB) {
        if (tud_ready() && tud_cdc_write_available() >= count) {
            tud_cdc_write(bytes, count);
            tud_cdc_write_flush();
        }
    } else if (ANSWER_SIZE - (answers.head - answers.tail) >= count) {
        for (size_t i = 0; i < count; i++) {
            answers.bytes[answers.head % ANSWER_SIZE] = bytes[i];
            answers.head++;
        }
    }
}
