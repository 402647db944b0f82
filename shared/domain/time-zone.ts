// How far the clocks of a place are from UTC. Asking the platform is slow to prepare and fast to repeat, so whoever asks
// often makes a `TimeZone` once and hands it on.

export interface TimeZone {
  /** IANA name, `Europe/London`. */
  readonly name: string;
  /** Milliseconds that clocks there are ahead of UTC at an instant. */
  readonly offsetAt: (epochMs: number) => number;
}

/** Throws `RangeError` where the platform knows no zone of this name. */
export function createTimeZone(name: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const offsetAt = (epochMs: number): number => {
    const part = Object.fromEntries(format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(epochMs / 1000) * 1000;
  };
  return { name, offsetAt };
}

const made = new Map<string, TimeZone>();

/** The same name gives the same zone: it is asked for with every row and every look. */
export function asTimeZone(zone: TimeZone | string): TimeZone {
  if (typeof zone !== 'string') return zone;
  const known = made.get(zone) ?? createTimeZone(zone);
  made.set(zone, known);
  return known;
}
