// The user's settings on this device: theme, motion, speech, sound. Stored in the browser.

const KEY = "laserboard";
const DEFAULTS = { theme: "auto", motion: "auto", speech: false, sound: false, auto_fire: false };

export class Settings {
  constructor(changed) {
    this.changed = changed;
    this.values = { ...DEFAULTS, ...read() };
    for (const query of ["(prefers-reduced-motion: reduce)", "(prefers-color-scheme: light)"]) {
      matchMedia(query).addEventListener("change", () => this.apply());
    }
    this.apply();
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.values[name] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify(this.values));
    } catch {
      // the browser stores nothing
    }
    this.apply();
  }

  /** Whether animations are off. */
  get still() {
    const { motion } = this.values;
    return motion === "still" || (motion === "auto" && matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  apply() {
    const { theme } = this.values;
    const light = theme === "light" || (theme === "auto" && matchMedia("(prefers-color-scheme: light)").matches);
    document.documentElement.dataset.theme = light ? "light" : "dark";
    document.documentElement.dataset.motion = this.still ? "still" : "full";
    document.querySelector('meta[name="theme-color"]').content = light ? "#eef2f8" : "#070b14";
    this.changed?.();
  }

  /** Bind the controls of a form to the settings of the same names. */
  bind(form) {
    for (const control of form.elements) {
      if (!(control.name in DEFAULTS)) continue;
      const value = this.values[control.name];
      if (control.type === "checkbox") control.checked = value;
      else if (control.type === "radio") control.checked = control.value === value;
      control.addEventListener("change", () =>
        this.set(control.name, control.type === "checkbox" ? control.checked : control.value),
      );
    }
  }
}

function read() {
  try {
    const { fires, ...kept } = JSON.parse(localStorage.getItem(KEY)) ?? {};
    return fires === undefined ? kept : { auto_fire: fires, ...kept }; // its name in version 0.1
  } catch {
    return {};
  }
}
