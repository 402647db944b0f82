// The speed of the emulator's calendar in words.
const daySeconds = 86_400;

/** `1,440 times real time: one calendar day a minute` */
export function formatSpeed(speed: number): string {
  if (speed === 0) return 'paused';
  if (speed === 1) return 'in real time';
  return `${speed.toLocaleString('en-GB')} times real time: one calendar day ${every(daySeconds / speed)}`;
}

function every(seconds: number): string {
  if (seconds === 60) return 'a minute';
  if (seconds === 1) return 'a second';
  if (seconds >= 120) return `every ${round(seconds / 60)} minutes`;
  return `every ${round(seconds)} seconds`;
}

const round = (value: number): string => String(Number(value.toPrecision(2)));
