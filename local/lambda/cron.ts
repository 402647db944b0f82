// The next time of a cron expression with the six fields of AWS: minutes, hours, day of month, month, day of week, year.

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly words: readonly string[];
}
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const fields: readonly Field[] = [
  { name: 'minutes', least: 0, most: 59, words: [] },
  { name: 'hours', least: 0, most: 23, words: [] },
  { name: 'day of month', least: 1, most: 31, words: [] },
  { name: 'month', least: 1, most: 12, words: months },
  { name: 'day of week', least: 1, most: 7, words: days },
  { name: 'year', least: 1970, most: 2199, words: [] },
];

const parseField = (text: string, { name, least, most, words }: Field): ReadonlySet<number> => {
  const number = (part: string): number => {
    const word = words.indexOf(part.toUpperCase());
    const value = word >= 0 ? word + least : Number(part);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new Error(`The engine cannot read "${text}" as the ${name} of a cron expression`);
  };
  const values = new Set<number>();
  for (const item of text.split(',')) {
    const [range = '', step] = item.split('/');
    const all = range === '*' || range === '?';
    const [from = '', to] = range.split('-');
    const start = all ? least : number(from);
    const end = all || (step !== undefined && to === undefined) ? most : number(to ?? from);
    for (let value = start; value <= end; value += step === undefined ? 1 : Number(step)) values.add(value);
  }
  return values;
};

/** How far `timezone` is from UTC at a moment, in milliseconds. */
const offsetAt = (moment: number, timezone: string): number => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hourCycle: 'h23',
    ...({ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const),
  }).formatToParts(moment);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return local - Math.floor(moment / 60_000) * 60_000;
};

const oneDay = 86_400_000;
const searchDays = 366 * 5;

/**
 * The first time after `now` (epoch milliseconds) at which the expression holds in `timezone`.
 *
 * @throws Error naming the field it cannot read, or where no such time comes within five years.
 */
export const nextCron = (expression: string, timezone: string, now: number): number => {
  const texts = expression.trim().split(/\s+/);
  if (texts.length !== fields.length) throw new Error(`Expected six fields in the cron expression "${expression}"`);
  const [minutes, hours, dates, monthNumbers, weekdays, years] = fields.map((field, index) =>
    parseField(texts[index] ?? '', field),
  ) as [
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
  ];
  const firstDay = Math.floor((now + offsetAt(now, timezone)) / oneDay) * oneDay;
  for (let day = firstDay; day < firstDay + searchDays * oneDay; day += oneDay) {
    const date = new Date(day);
    const wanted =
      years.has(date.getUTCFullYear()) &&
      monthNumbers.has(date.getUTCMonth() + 1) &&
      dates.has(date.getUTCDate()) &&
      weekdays.has(date.getUTCDay() + 1);
    if (!wanted) continue;
    for (const hour of [...hours].sort((a, b) => a - b)) {
      for (const minute of [...minutes].sort((a, b) => a - b)) {
        const local = day + hour * 3_600_000 + minute * 60_000;
        const moment = local - offsetAt(local - offsetAt(local, timezone), timezone);
        if (moment > now) return moment;
      }
    }
  }
  throw new Error(`The cron expression "${expression}" has no time within the next five years`);
};
