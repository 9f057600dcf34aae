// A Raspberry Pi Pico on rp2040js: adds the missing parts and exact time.
//
// rp2040js runs PIO from setTimeout, outside simulated time, ignores delays and dividers, and
// steps disabled machines. Here each state machine has its own next time and is stepped in lockstep
// with the processor, so that pin changes are exact to the cycle.

import { RP2040, BasePeripheral, ConsoleLogger, LogLevel } from 'rp2040js';

const FLASH = 0x10000000;
const LANE_PINS = [2, 3, 4, 5];
const LED_PIN = 25;
const HAD_POWER_ON = 1 << 8;
const FLASH_ID = [0xe6, 0x60, 0x58, 0x38, 0x83, 0x4b, 0x2d, 0x31];
const READ_FLASH_ID = 0x4b;
const HANG_ADDRESS = 0x60;
// While the processor sleeps only DMA depends on the state machines, and it has time until the
// words in their FIFOs are sent: 30 us each.
const AHEAD_NS = 10_000;

// A boot ROM: stack, entry, a table lookup that always finds a routine that returns at once, and at
// HANG_ADDRESS an endless loop that sleeps (wfe, b).
const BOOT_ROM = { 0: 0x20041f00, 1: 0xef, 5: 0x01000100, 6: 0x41, 16: 0x47702051, 20: 0x47704770, 24: 0xe7fdbf20 };

class ResetCause extends BasePeripheral {
  cause = HAD_POWER_ON;
  readUint32(offset) { return offset === 8 ? this.cause : 0; }
  writeUint32() {}
}

/** Asked for its number, the flash chip tells it; all else that the emulator answers stays. */
function giveFlashItsNumber(ssi) {
  const SSIENR = 0x08, DR0 = 0x60, DUMMIES = 5;
  const { readUint32, writeUint32 } = ssi;
  let answered = Infinity; // bytes since the request
  ssi.writeUint32 = (offset, value) => {
    if (offset === SSIENR) answered = Infinity;
    if (offset === DR0 && value === READ_FLASH_ID && answered === Infinity) answered = 0;
    writeUint32.call(ssi, offset, value);
  };
  ssi.readUint32 = (offset) => {
    if (offset !== DR0 || answered === Infinity) return readUint32.call(ssi, offset);
    return FLASH_ID[answered++ - DUMMIES] ?? 0;
  };
}

export class Chip {
  /** `before`: the chip whose watchdog makes this one start, if one does. */
  constructor(binary, scope, before = null) {
    const mcu = new RP2040();
    this.mcu = mcu;
    this.binary = binary;
    this.scope = scope;
    this.machines = [];
    this.pioNextNs = Infinity;
    this.uartIn = [];
    this.uartFreeNs = 0;
    this.restart = false;
    mcu.logger = new ConsoleLogger(LogLevel.Error, false);
    mcu.onBreak = (code) => { throw new Error(`the firmware stopped at breakpoint ${code} (a panic), at ${mcu.core.PC.toString(16)}`); };

    mcu.loadBootrom(Uint32Array.from({ length: 4096 }, (_, i) => BOOT_ROM[i] ?? 0));
    mcu.flash.set(binary);
    mcu.core.PC = FLASH;
    mcu.peripherals[0x40064] = new ResetCause(mcu, 'VREG_AND_CHIP_RESET_BASE');
    giveFlashItsNumber(mcu.peripherals[0x18000]);

    const watchdog = mcu.peripherals[0x40058];
    watchdog.onWatchdogTrigger = () => {
      watchdog.alarm.enable = false; // else it fires again at the same time
      this.restart = true;
    };
    if (before) {
      const old = before.mcu.peripherals[0x40058];
      watchdog.scratchData.set(old.scratchData);
      watchdog.reason = old.reason;
    }
    this.startNs = before?.nowNs ?? 0; // the chip's clock restarts at zero

    for (const pio of mcu.pio) this.#drive(pio);
    for (const [lane, pin] of LANE_PINS.entries()) {
      mcu.gpio[pin].addListener((state) => scope.edge(lane, state === 1, this.startNs + (this.pinNs ?? mcu.clock.nanosCounter)));
    }
    mcu.gpio[LED_PIN].addListener((state) => scope.blink(state === 1, this.nowNs));
  }

  /** Since the first chip got its power. */
  get nowNs() { return this.startNs + this.mcu.clock.nanosCounter; }

  #drive(pio) {
    pio.run = () => {};
    const mine = pio.machines.map((machine) => ({ pio, machine, nextNs: Infinity, running: false }));
    this.machines.push(...mine);
    const write = pio.writeUint32.bind(pio);
    pio.writeUint32 = (offset, value) => {
      write(offset, value);
      if (offset !== 0) return;
      for (const one of mine) {
        if (one.machine.enabled === one.running) continue;
        one.running = one.machine.enabled;
        one.nextNs = one.running ? this.mcu.clock.nanosCounter + this.#periodNs(one.machine) : Infinity;
      }
      this.#plan();
    };
    for (const one of mine) {
      const { machine } = one;
      const push = machine.writeFIFO.bind(machine);
      machine.writeFIFO = (value) => {
        const waited = machine.waiting;
        const cycles = machine.cycles;
        push(value);
        if (waited && !machine.waiting && one.running) {
          one.nextNs = this.mcu.clock.nanosCounter + (1 + machine.cycles - cycles) * this.#periodNs(machine);
          if (one.nextNs < this.pioNextNs) this.pioNextNs = one.nextNs;
        }
      };
    }
  }

  #periodNs(machine) {
    return ((machine.clockDivInt || 65536) + machine.clockDivFrac / 256) * 1e9 / this.mcu.clkSys;
  }

  #plan() {
    let next = Infinity;
    for (const one of this.machines) if (one.nextNs < next) next = one.nextNs;
    this.pioNextNs = next;
  }

  /** All instructions of all state machines that are due before `untilNs`, in their order. */
  #runPio(untilNs) {
    while (this.pioNextNs <= untilNs) {
      this.pinNs = this.pioNextNs;
      for (const one of this.machines) {
        if (one.nextNs !== this.pioNextNs) continue;
        const { machine } = one;
        const cycles = machine.cycles;
        machine.step();
        one.nextNs = machine.waiting ? Infinity : one.nextNs + (machine.cycles - cycles) * this.#periodNs(machine);
        one.pio.checkChangedPins();
      }
      this.#plan();
    }
    this.pinNs = undefined;
  }

  /** What the UART hears next; bytes take their time on the wire. */
  hearUart(bytes) { for (const byte of bytes) this.uartIn.push(byte); }

  #runUart() {
    const uart = this.mcu.uart[0];
    uart.feedByte(this.uartIn.shift());
    this.uartFreeNs = this.mcu.clock.nanosCounter + 10e9 / uart.baudRate;
  }

  /** Run until `untilNs`, or `stop()` says so, or the watchdog bites. */
  run(untilNs, stop) {
    const { core, clock } = this.mcu;
    const stopNs = untilNs - this.startNs;
    while (clock.nanosCounter < stopNs && !this.restart) {
      const cycleNs = 1e9 / this.mcu.clkSys;
      for (let i = 0; i < 200 && !this.restart; i++) {
        if (core.waiting) {
          let nextNs = Math.min(clock.nextAlarm ? clock.nextAlarm.nanos : Infinity, this.pioNextNs + AHEAD_NS, stopNs);
          if (this.uartIn.length) nextNs = Math.min(nextNs, this.uartFreeNs);
          clock.tick(Math.max(nextNs - clock.nanosCounter, cycleNs));
          if (this.pioNextNs <= clock.nanosCounter) this.#runPio(clock.nanosCounter);
          if (this.uartIn.length && this.uartFreeNs <= clock.nanosCounter) this.#runUart();
          if (clock.nanosCounter >= stopNs) break;
        } else {
          clock.tick(core.executeInstruction() * cycleNs);
          if (this.pioNextNs <= clock.nanosCounter) this.#runPio(clock.nanosCounter);
          if (this.uartIn.length && this.uartFreeNs <= clock.nanosCounter) this.#runUart();
        }
      }
      if (stop()) return;
    }
  }

  /** The main loop never turns again; interrupts still work. */
  hang() {
    this.mcu.core.waiting = false;
    this.mcu.core.PC = HANG_ADDRESS;
  }
}
