// Instants, days, numbers and sizes as people read them, in the time zone of the account.

const locale = 'en-GB';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${zone}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
  formats.set(key, format);
  return format;
}

/** `3 Jul 2026, 10:42` */
export const formatInstant = (instant: string, zone: string): string =>
  formatOf(zone, 'instant', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant));

/** `10:42` */
export const formatTime = (instant: string, zone: string): string =>
  formatOf(zone, 'time', { timeStyle: 'short' }).format(new Date(instant));

/** `3 Jul 2026`, of calendar text such as `2026-07-03`. Other text stays as it is. */
export function formatDay(day: string): string {
  const date = new Date(`${day.slice(0, 10)}T12:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return formatOf('UTC', 'day', { dateStyle: 'medium' }).format(date);
}

/** `July 2026`, of `2026-07-01` */
export const formatMonth = (day: string): string =>
  formatOf('UTC', 'month', { month: 'long', year: 'numeric' }).format(new Date(`${day}T12:00:00Z`));

/** `447700900123` of the account's own country as `07700 900123`, any other as `+33612345678`. */
export function formatNumber(digits: string, callingCode: string): string {
  if (!/^\d{8,15}$/.test(digits)) return digits;
  if (!digits.startsWith(callingCode)) return `+${digits}`;
  const national = digits.slice(callingCode.length);
  return national.length > 6 ? `0${national.slice(0, 4)} ${national.slice(4)}` : `0${national}`;
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** `812 bytes`, `1.4 MB` */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return value.toLocaleString(locale, {
    style: 'unit',
    unit: units[unit],
    unitDisplay: unit === 0 ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
