// The USB host: enumerates the board, then transfers bytes.
//
// Unlike the host of rp2040js it does not poll an idle board (that would interrupt it every 10 us),
// and it reads the string descriptors.

import { createSetupPacket, DataDirection, SetupRecipient, SetupRequest, SetupType } from 'rp2040js';

const PACKET = 64;
const PAUSE_NS = 50_000;
const DEVICE = 1, CONFIGURATION = 2, STRING = 3;
const ENGLISH = 0x0409;
const CDC_BYTES = 10, BULK = 2;
const SET_CONTROL_LINE_STATE = 0x22, DTR_AND_RTS = 3;

const ask = (type, index, length, language = 0) => createSetupPacket({
  dataDirection: DataDirection.DeviceToHost, type: SetupType.Standard, recipient: SetupRecipient.Device,
  bRequest: SetupRequest.GetDescriptor, wValue: (type << 8) | index, wIndex: language, wLength: length,
});
const tell = (bRequest, wValue, type = SetupType.Standard, recipient = SetupRecipient.Device) => createSetupPacket({
  dataDirection: DataDirection.HostToDevice, type, recipient, bRequest, wValue, wIndex: 0, wLength: 0,
});

export class UsbHost {
  constructor(mcu, onBytes) {
    this.usb = mcu.usbCtrl;
    this.ready = false;
    this.names = {};
    this.queue = [];
    this.capacity = null; // bytes that the board can accept now
    this.steps = this.#enumerate();
    this.pause = mcu.clock.createAlarm(() => this.#step());
    this.answer = [];
    this.outEndpoint = this.inEndpoint = -1;

    this.usb.onUSBEnabled = () => this.usb.resetDevice();
    this.usb.onResetReceived = () => this.#step();
    this.usb.onEndpointWrite = (endpoint, packet) => {
      if (endpoint === this.inEndpoint) onBytes(packet);
      if (endpoint !== 0 || !this.request) return;
      this.answer.push(...packet);
      const length = this.request[6] | (this.request[7] << 8);
      // Strings may be shorter than requested; a board without data answers with an empty packet.
      if (!(this.request[0] & 0x80) || packet.length < PACKET || this.answer.length >= length) {
        this.request = null;
        this.pause.schedule(PAUSE_NS);
      }
    };
    this.usb.onEndpointRead = (endpoint, size) => {
      if (endpoint === 0) this.usb.endpointReadDone(0, new Uint8Array(0));
      if (endpoint === this.outEndpoint) {
        this.capacity = size;
        this.#give();
      }
    };
  }

  send(bytes) {
    for (const byte of bytes) this.queue.push(byte);
    this.#give();
  }

  #give() {
    if (this.capacity === null || this.queue.length === 0) return;
    const packet = Uint8Array.from(this.queue.splice(0, Math.min(this.capacity, PACKET)));
    this.capacity = null;
    this.usb.endpointReadDone(this.outEndpoint, packet);
  }

  #step() {
    const { value, done } = this.steps.next(this.answer);
    this.answer = [];
    if (done) { this.ready = true; return; }
    this.request = value;
    this.usb.sendSetupPacket(value);
  }

  *#enumerate() {
    yield tell(SetupRequest.SetAddress, 1);
    const device = yield ask(DEVICE, 0, 18);
    this.vendor = device[8] | (device[9] << 8);
    this.product = device[10] | (device[11] << 8);
    for (const [name, index] of [['maker', device[14]], ['product', device[15]], ['serial', device[16]]]) {
      const text = yield ask(STRING, index, 255, ENGLISH);
      this.names[name] = Buffer.from(text.slice(2, text[0])).toString('utf16le');
    }
    const head = yield ask(CONFIGURATION, 0, 9);
    const all = yield ask(CONFIGURATION, 0, head[2] | (head[3] << 8));
    this.#findEndpoints(all);
    yield tell(SetupRequest.SetDeviceConfiguration, 1);
    yield tell(SET_CONTROL_LINE_STATE, DTR_AND_RTS, SetupType.Class, SetupRecipient.Interface);
  }

  #findEndpoints(all) {
    let bytes = false;
    for (let at = 0; at < all.length && all[at] > 0; at += all[at]) {
      if (all[at + 1] === 4) bytes = all[at + 5] === CDC_BYTES;
      if (all[at + 1] !== 5 || !bytes || (all[at + 3] & 3) !== BULK) continue;
      if (all[at + 2] & 0x80) this.inEndpoint = all[at + 2] & 0xf;
      else this.outEndpoint = all[at + 2] & 0xf;
    }
  }
}
