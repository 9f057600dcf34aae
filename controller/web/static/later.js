// Spectators of an event may see everything later than it is played: how much, in words.

/** `30 s`, `2 min`, `2 min 30 s`. */
export function howLate(delay_ms) {
  const seconds = Math.round(delay_ms / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return [minutes ? `${minutes} min` : "", rest || !minutes ? `${rest} s` : ""].filter(Boolean).join(" ");
}
