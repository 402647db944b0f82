// The UTC offset of a time zone. Creating the formatter is slow and using it is fast, so a `TimeZone` is created once.

export interface TimeZone {
  /** IANA name, `Europe/London`. */
  readonly name: string;
  /** Milliseconds by which the zone is ahead of UTC at an instant. */
  readonly offsetAt: (epochMs: number) => number;
}

/** @throws RangeError for a name that the platform does not know */
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

const created = new Map<string, TimeZone>();

/** The zone of a name is created once: it is needed for every row and every reading. */
export function asTimeZone(zone: TimeZone | string): TimeZone {
  if (typeof zone !== 'string') return zone;
  const known = created.get(zone) ?? createTimeZone(zone);
  created.set(zone, known);
  return known;
}
