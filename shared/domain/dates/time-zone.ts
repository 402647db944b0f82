// The UTC offset of a time zone.

/** Clocks change at a quarter of an hour. */
const quarterMs = 900_000;
const mostOffsets = 1_000;

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** By quarter of an hour: the time of now and the deadlines of ports are asked for again and again. */
  readonly offsets: Map<number, number>;
}

/** Creating a format is slow and using it is not fast, and an offset is needed for every row and every reading. */
const zones = new Map<string, Zone>();

function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
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
  const zone = { format, offsets: new Map<number, number>() };
  zones.set(name, zone);
  return zone;
}

/**
 * Milliseconds by which the zone (IANA name: `Europe/London`) is ahead of UTC at `epochMs`.
 * @throws RangeError for a zone that the platform does not know
 */
export function utcOffset(zone: string, epochMs: number): number {
  const { format, offsets } = zoneOf(zone);
  const quarter = Math.floor(epochMs / quarterMs);
  const known = offsets.get(quarter);
  if (known !== undefined) return known;
  if (offsets.size >= mostOffsets) offsets.clear();
  const offset = readOffset(format, epochMs);
  offsets.set(quarter, offset);
  return offset;
}

function readOffset(format: Intl.DateTimeFormat, epochMs: number): number {
  const part = Object.fromEntries(format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(epochMs / 1000) * 1000;
}
