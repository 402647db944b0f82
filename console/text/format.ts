// Instants, days, numbers and sizes as people read them, in the time zone of the account.
import { count } from '#shared/domain/text/counted.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${zone}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options });
  formats.set(key, format);
  return format;
}

/** `3 Jul 2026, 10:42` */
export const formatInstant = (instant: string, zone: string): string =>
  formatOf(zone, 'instant', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant));

/** `Wed 1 Jul 2026, 10:42`: the calendar of the simulator. */
export function formatCalendar(instant: string, zone: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  return formatOf(zone, 'calendar', { ...day, ...time }).format(new Date(instant));
}

/** `10:42` */
export const formatTime = (instant: string, zone: string): string =>
  formatOf(zone, 'time', { timeStyle: 'short' }).format(new Date(instant));

/** `Friday 3 July 2026`, of calendar text such as `2026-07-03`. Other text stays as it is. */
export function formatDay(day: string): string {
  const date = new Date(`${day.slice(0, 10)}T12:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  const options = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  return formatOf('UTC', 'day', options).format(date);
}

/** `Fri 3 Jul` */
export function formatShortDay(day: string): string {
  const date = new Date(`${day.slice(0, 10)}T12:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return formatOf('UTC', 'short-day', { weekday: 'short', day: 'numeric', month: 'short' }).format(date);
}

/** `447700900123` of the account's own country as `07700 900123`, any other as `+33 612345678`. */
export function formatNumber(digits: string, callingCode: string): string {
  if (!/^\d{8,15}$/.test(digits)) return digits;
  if (!digits.startsWith(callingCode)) return `+${digits}`;
  const national = digits.slice(callingCode.length);
  return national.length > 6 ? `0${national.slice(0, 4)} ${national.slice(4)}` : `0${national}`;
}

const units = ['bytes', 'KB', 'MB', 'GB'] as const;

/** `812 bytes`, `1.4 MB` */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? count(Math.round(value)) : value.toFixed(1)} ${units[unit]}`;
}
