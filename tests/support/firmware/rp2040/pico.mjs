// Runs a Pico binary: `node pico.mjs FIRMWARE.bin`. Reads commands as JSON lines from stdin and
// writes one answer for each to stdout. Used by pico.py.
//
// Time stands still between commands, so tests are deterministic. `free` lets it run, never faster
// than real time, and connects the USB port to a Unix socket.

import { readFileSync } from 'node:fs';
import net from 'node:net';
import readline from 'node:readline';
import { Chip } from './chip.mjs';
import { UsbHost } from './usb_host.mjs';

const LANES = 4;
const SLICE_NS = 2e6;

class Scope {
  lanes = Array.from({ length: LANES }, () => []); // times of edges; each lane starts low
  levels = new Array(LANES).fill(false);
  blinks = [];
  edge(lane, high, ns) {
    if (this.levels[lane] === high) return;
    this.levels[lane] = high;
    this.lanes[lane].push(Math.round(ns));
  }
  blink(on, ns) { this.blinks.push([on, Math.round(ns)]); }
  take() {
    const taken = this.lanes;
    this.lanes = taken.map(() => []);
    return taken;
  }
}

const binary = readFileSync(process.argv[2]);
const scope = new Scope();
const said = { usb: [], uart: [] };
let chip, host, restarts = 0, onUsb = null;

function powerUp(before = null) {
  chip = new Chip(binary, scope, before);
  host = new UsbHost(chip.mcu, (bytes) => { said.usb.push(...bytes); onUsb?.(bytes); });
  chip.mcu.uart[0].onByte = (byte) => said.uart.push(byte);
}

function advance(untilNs, stop) {
  while (chip.nowNs < untilNs && !stop()) {
    chip.run(untilNs, stop);
    if (chip.restart) {
      restarts += 1;
      scope.levels.fill(false);
      powerUp(chip);
    }
  }
}

function take(link) {
  const hex = Buffer.from(said[link]).toString('hex');
  said[link] = [];
  return hex;
}

let freeing = null;
const commands = {
  /** Until `count` frames came from the board over `until`, or `ms` are over. */
  run({ ms, until = null, count = 1 }) {
    const zeros = () => said[until].filter((byte) => byte === 0).length;
    let seen = -1, enough = false;
    advance(chip.nowNs + ms * 1e6, () => {
      if (until && said[until].length !== seen) {
        seen = said[until].length;
        enough = zeros() >= count;
      }
      return enough;
    });
    return { usb: take('usb'), uart: take('uart') };
  },
  /** Until the computer has found the board. */
  plug({ ms }) {
    advance(chip.nowNs + ms * 1e6, () => host.ready);
    return { ready: host.ready, vendor: host.vendor, product: host.product, names: host.names };
  },
  send({ link, hex }) {
    const bytes = Buffer.from(hex, 'hex');
    if (link === 'usb') host.send(bytes); else chip.hearUart(bytes);
    return {};
  },
  edges() { return { lanes: scope.take() }; },
  blinks() { return { blinks: scope.blinks }; },
  chip() {
    return { hz: chip.mcu.clkSys, baud: chip.mcu.uart[0].baudRate, restarts, start_ns: chip.startNs };
  },
  hang() { chip.hang(); return {}; },
  free({ socket }) {
    const server = net.createServer((peer) => {
      peer.on('data', (bytes) => host.send(bytes));
      peer.on('error', () => peer.destroy());
      onUsb = (bytes) => { if (peer.writable) peer.write(Buffer.from(bytes)); };
    });
    freeing = { server, timer: null, startMs: performance.now(), startNs: chip.nowNs };
    const slice = () => {
      if (!freeing) return;
      advance(chip.nowNs + SLICE_NS, () => false);
      const aheadMs = (chip.nowNs - freeing.startNs) / 1e6 - (performance.now() - freeing.startMs);
      if (aheadMs < -50) { freeing.startMs = performance.now(); freeing.startNs = chip.nowNs; } // do not catch up
      freeing.timer = aheadMs > 1 ? setTimeout(slice, aheadMs) : setImmediate(slice);
    };
    return new Promise((resolve) => server.listen(socket, () => { slice(); resolve({}); }));
  },
  stop() {
    freeing?.server.close();
    freeing = null;
    onUsb = null;
    take('usb');
    return {};
  },
};

powerUp();
for await (const line of readline.createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  let answer;
  try {
    answer = await commands[command.do](command);
  } catch (error) {
    answer = { error: error.stack };
  }
  process.stdout.write(JSON.stringify({ ...answer, ns: Math.round(chip.nowNs) }) + '\n');
}
process.exit(0);
