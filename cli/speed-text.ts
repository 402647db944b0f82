// How fast the calendar of a rehearsal runs, in words.
const daySeconds = 86_400;

/** `1,440 times as fast: one calendar day a minute` */
export function speedText(speed: number): string {
  if (speed === 1) return 'in real time';
  return `${speed.toLocaleString('en-GB')} times as fast: one calendar day ${every(daySeconds / speed)}`;
}

function every(seconds: number): string {
  if (seconds === 60) return 'a minute';
  if (seconds === 1) return 'a second';
  if (seconds >= 120) return `every ${shortest(seconds / 60)} minutes`;
  return `every ${shortest(seconds)} seconds`;
}

const shortest = (value: number): string => String(Number(value.toPrecision(2)));
