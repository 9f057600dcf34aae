#include "links.h"

#include "hardware/gpio.h"
#include "hardware/irq.h"
#include "hardware/uart.h"
#include "laserboard.h"
#include "tusb.h"

enum { UART_TX_PIN = 0, UART_RX_PIN = 1 };

/* Rings: `head` is where the next byte goes, `tail` where the next one comes from, both count on
 * for ever. The receiving one takes a whole message: it may have to wait for one over USB. */
enum { HEARD_SIZE = 8192, ANSWER_SIZE = 512 };
_Static_assert(HEARD_SIZE >= (int)LB_MAX_WIRE, "a message must fit");

static struct {
    uint8_t bytes[HEARD_SIZE];
    volatile uint32_t head; /* written in the interrupt only */
    volatile uint32_t tail;
} heard;

static struct {
    uint8_t bytes[ANSWER_SIZE];
    uint32_t head, tail;
} answers;

static void uart_heard(void) {
    while (uart_is_readable(uart0)) {
        uint32_t got = uart_get_hw(uart0)->dr;
        bool noise = got & (UART_UARTDR_FE_BITS | UART_UARTDR_PE_BITS | UART_UARTDR_BE_BITS);
        /* A byte that is left out is a bad CRC later, and the host is told. */
        if (!noise && heard.head - heard.tail < HEARD_SIZE) {
            heard.bytes[heard.head % HEARD_SIZE] = (uint8_t)got;
            heard.head++;
        }
    }
}

void links_init(void) {
    uart_init(uart0, LINK_UART_BAUD);
    gpio_set_function(UART_TX_PIN, GPIO_FUNC_UART);
    gpio_set_function(UART_RX_PIN, GPIO_FUNC_UART);
    gpio_pull_up(UART_RX_PIN); /* nothing connected is silence, not noise */
    irq_set_exclusive_handler(UART0_IRQ, uart_heard);
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
    while (count < room && heard.tail != heard.head) {
        bytes[count++] = heard.bytes[heard.tail % HEARD_SIZE];
        heard.tail++;
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
