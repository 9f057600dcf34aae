// Announcements: a live region for screen readers, and speech and sounds if they are switched on.
import { byId } from "../shared/dom.js";

export class Speech {
  constructor(settings) {
    this.settings = settings;
    this.last = "";
    this.audio = null;
  }

  /** Announce a sentence. An `urgent` one interrupts the speech before it. */
  announce(sentence, urgent = false) {
    if (!sentence || sentence === this.last) return;
    this.last = sentence;
    const line = document.createElement("p");
    line.textContent = sentence;
    const region = byId("live-region");
    region.append(line);
    while (region.childElementCount > 4) region.firstElementChild.remove();
    this.speak(sentence, urgent);
  }

  speak(sentence, urgent) {
    if (!this.settings.get("speech") || !("speechSynthesis" in window)) return;
    if (urgent) speechSynthesis.cancel();
    const utterance = new SpeechSynthesisUtterance(sentence);
    utterance.lang = "en";
    speechSynthesis.speak(utterance);
  }

  /** Play "fire", "capture" or "damage" as a falling tone. */
  sound(what) {
    if (!this.settings.get("sound")) return;
    this.audio ??= new AudioContext();
    const { audio } = this;
    const [from, to, length, kind] = { fire: [1400, 180, 0.45, "sawtooth"], capture: [220, 40, 0.7, "square"], damage: [320, 120, 0.3, "triangle"] }[what];
    const tone = audio.createOscillator();
    const level = audio.createGain();
    const now = audio.currentTime;
    tone.type = kind;
    tone.frequency.setValueAtTime(from, now);
    tone.frequency.exponentialRampToValueAtTime(to, now + length);
    level.gain.setValueAtTime(0.08, now);
    level.gain.exponentialRampToValueAtTime(0.0005, now + length);
    tone.connect(level).connect(audio.destination);
    tone.start(now);
    tone.stop(now + length);
  }
}
