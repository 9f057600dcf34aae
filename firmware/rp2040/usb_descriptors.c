/* USB descriptors: one serial port (CDC) named Laserboard. */
#include "pico/unique_id.h"
#include "tusb.h"

enum { NAME_NONE, NAME_MAKER, NAME_PRODUCT, NAME_SERIAL };
enum { INTERFACE_CONTROL, INTERFACE_BYTES, INTERFACES };
enum { ENDPOINT_NOTICE = 0x81, ENDPOINT_OUT = 0x02, ENDPOINT_IN = 0x82 };
enum { LENGTH = TUD_CONFIG_DESC_LEN + TUD_CDC_DESC_LEN, POWER_MA = 100 };

static const tusb_desc_device_t device = {
    .bLength = sizeof(tusb_desc_device_t),
    .bDescriptorType = TUSB_DESC_DEVICE,
    .bcdUSB = 0x0200,
    .bDeviceClass = TUSB_CLASS_MISC,
    .bDeviceSubClass = MISC_SUBCLASS_COMMON,
    .bDeviceProtocol = MISC_PROTOCOL_IAD,
    .bMaxPacketSize0 = CFG_TUD_ENDPOINT0_SIZE,
    /* Raspberry Pi's ids for a CDC port of their SDK. The product name identifies Laserboard. */
    .idVendor = 0x2e8a,
    .idProduct = 0x000a,
    .bcdDevice = 0x0100,
    .iManufacturer = NAME_MAKER,
    .iProduct = NAME_PRODUCT,
    .iSerialNumber = NAME_SERIAL,
    .bNumConfigurations = 1,
};

static const uint8_t configuration[] = {
    TUD_CONFIG_DESCRIPTOR(1, INTERFACES, NAME_NONE, LENGTH, 0, POWER_MA),
    TUD_CDC_DESCRIPTOR(INTERFACE_CONTROL, NAME_PRODUCT, ENDPOINT_NOTICE, 8, ENDPOINT_OUT, ENDPOINT_IN, 64),
};

uint8_t const *tud_descriptor_device_cb(void) { return (const uint8_t *)&device; }

uint8_t const *tud_descriptor_configuration_cb(uint8_t index) {
    (void)index;
    return configuration;
}

uint16_t const *tud_descriptor_string_cb(uint8_t index, uint16_t language) {
    (void)language;
    static uint16_t answer[1 + 32];
    char serial[2 * PICO_UNIQUE_BOARD_ID_SIZE_BYTES + 1];
    const char *text;
    switch (index) {
    case NAME_NONE:
        answer[0] = TUSB_DESC_STRING << 8 | 4;
        answer[1] = 0x0409; /* language id: English */
        return answer;
    case NAME_MAKER: text = "Laserboard"; break;
    case NAME_PRODUCT: text = "Laserboard"; break;
    case NAME_SERIAL:
        pico_get_unique_board_id_string(serial, sizeof serial);
        text = serial;
        break;
    default: return NULL;
    }
    size_t length = 0;
    for (; text[length] != 0 && length < 32; length++) {
        answer[1 + length] = (uint8_t)text[length];
    }
    answer[0] = (uint16_t)(TUSB_DESC_STRING << 8 | (2 * length + 2));
    return answer;
}
