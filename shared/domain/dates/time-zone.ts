// The UTC offset of a time zone.

/** Creating one is slow, and an offset is needed for every row and every reading. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}

/**
 * Milliseconds by which the zone (IANA name: `Europe/London`) is ahead of UTC at `epochMs`.
 * @throws RangeError for a zone that the platform does not know
 */
export function utcOffset(zone: string, epochMs: number): number {
  const parts = formatOf(zone).formatToParts(epochMs);
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(epochMs / 1000) * 1000;
}
