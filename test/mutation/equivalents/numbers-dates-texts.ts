// Equivalent mutants of numbers, dates and texts.
import { type Explanation, initially, text } from './explanation.ts';

export const ofNumbersDatesTexts: readonly Explanation[] = [
  {
    file: 'shared/domain/dates/booking-window.ts',
    because: 'every day of the week has a name; the default is for the compiler',
    mutants: [{ code: "''", replacement: text }],
  },
  {
    file: 'shared/domain/dates/calendar-date.ts',
    because: 'a text that matched has all its parts; the default is for the compiler',
    mutants: [
      { code: "''", on: "first = '', middle = '', last = ''", replacement: text },
      { code: '[]', on: 'otherOrder.exec(text) ?? []', replacement: initially },
    ],
  },
  {
    file: 'shared/domain/dates/calendar-date.ts',
    because: 'every order has three parts; the default is for the compiler',
    mutants: [{ code: "''", on: "month = '', day = ''", replacement: text }],
  },
  {
    file: 'shared/domain/dates/calendar-date.ts',
    because: 'without a year there is no valid day',
    mutants: [
      { code: '[]', on: ': [];', replacement: initially },
      { code: 'last.length === 4', replacement: 'true' },
    ],
  },
  {
    file: 'shared/domain/dates/calendar-date.ts',
    because: 'a shortcut: the complete calculation has the same result',
    mutants: [
      { code: 'date <= 28', replacement: 'false' },
      { code: 'date <= 28', replacement: 'date < 28' },
    ],
  },
  {
    file: 'shared/domain/dates/date-order.ts',
    because: 'a text that matched has all its parts, and no other text is a date with these parts',
    mutants: [
      { code: "''", on: "[, first = '', second = '', year]", replacement: text },
      { code: '[]', on: 'monthFirst.exec(text) ?? []', replacement: initially },
      { code: "''", on: "[, one = '', two = '', three = '']", times: 3, replacement: text },
      { code: '[]', on: 'withoutSeparators.exec(text) ?? []', replacement: initially },
      { code: '[]', on: 'threeNumbers.exec(text) ?? []', replacement: initially },
      { code: '[]', on: 'threeNumbers.exec(day) ?? []', replacement: initially },
      { code: "''", on: "year = '', month = '', day = ''", replacement: text },
    ],
  },
  {
    file: 'shared/domain/dates/time-zone.ts',
    because: 'a cache: without it the same format is created again',
    mutants: [
      { code: 'formats.set(zone, format);', replacement: ';' },
      { code: 'known !== undefined', replacement: 'false' },
    ],
  },
  {
    file: 'shared/domain/numbers/iccid.ts',
    because: 'a sum is a multiple of ten exactly when the same sum below zero is one',
    mutants: [
      {
        code: 'sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit',
        replacement: 'sum -= double ? digit > 4 ? digit * 2 - 9 : digit * 2 : digit',
      },
    ],
  },
  {
    file: 'shared/domain/numbers/msisdn.ts',
    because: 'the country of an account that has numbers has a plan; the default is for the compiler',
    mutants: [
      {
        code: "plan?.trunkPrefix ?? '0'",
        replacement: "plan?.trunkPrefix && '0'",
      },
      { code: 'plan?.trunkPrefix', replacement: 'plan.trunkPrefix' },
      { code: "'0'", on: "?.trunkPrefix ?? '0'", replacement: '""' },
    ],
  },
  {
    file: 'shared/domain/numbers/msisdn.ts',
    because: 'no country has such a calling code; behind an invalid number it is not read',
    mutants: [
      { code: "''", on: "callingCodeOf(textFrom(from)) ?? ''", replacement: text },
      { code: "''", on: "callingCodeOf(value) ?? ''", replacement: text },
    ],
  },
  {
    file: 'shared/domain/numbers/msisdn.ts',
    because: 'a shortcut: the complete reading has the same result',
    mutants: [
      { code: 'home.plan !== undefined && haveCode(from, home.callingCode)', replacement: 'false' },
      { code: 'plain.as === usual', replacement: 'false' },
    ],
  },
  {
    file: 'shared/domain/numbers/msisdn.ts',
    because: 'behind the cell there is no digit to read, and a digit takes the place of what is written too much',
    mutants: [
      { code: 'at < end', replacement: 'at <= end' },
      {
        code: 'place < code.length',
        on: 'place < code.length; place += 1) bytes',
        replacement: 'place <= code.length',
      },
    ],
  },
  {
    file: 'shared/domain/numbers/msisdn.ts',
    because: 'no country has a national number that is also an international number of it: another rule decides alike',
    mutants: [{ code: 'hasCode && isInternational', replacement: 'false' }],
  },
  {
    file: 'shared/domain/numbers/msisdn.ts',
    because: 'the cell has such a character; the default is for the compiler',
    mutants: [{ code: "''", on: "indexOf(found ?? '')", replacement: text }],
  },
  {
    file: 'shared/domain/numbers/numbering-plan.ts',
    because: 'a range has a first prefix; the default is for the compiler',
    mutants: [{ code: "''", on: "[first = ''", replacement: text }],
  },
  {
    file: 'shared/domain/numbers/numbering-plan.ts',
    because: 'no prefix is in two ranges of a country, and no number has 15 digits behind its calling code',
    mutants: [
      { code: 'index[prefix] ?? 0', replacement: 'index[prefix] && 0' },
      { code: 'length <= longest', replacement: 'length < longest' },
    ],
  },
  {
    file: 'shared/domain/text/cell-text.ts',
    because: 'a shortcut: the complete check finds nothing in such a text either',
    mutants: [
      { code: '/^[ -~]*$/', replacement: '/^[ -~]$/' },
      { code: 'ordinary.test(text)', replacement: 'false' },
    ],
  },
  {
    file: 'shared/domain/text/counted.ts',
    because: 'a shortcut: the language functions write the same',
    mutants: [
      {
        code: '(value: number): boolean => Number.isInteger(value) && value > -1000 && value < 1000',
        replacement: '() => undefined',
      },
      { code: 'Number.isInteger(value) && value > -1000 && value < 1000', replacement: 'false' },
      { code: '-1000', replacement: '+1000' },
    ],
  },
  {
    file: 'shared/domain/text/did-you-mean.ts',
    because: 'every row and place that is read exists; the conditions are for the compiler',
    mutants: [
      { code: 'rows[a.length]?.[b.length]', replacement: 'rows[a.length][b.length]' },
      { code: 'rows[line]?.[place]', replacement: 'rows[line][place]' },
    ],
  },
  {
    file: 'shared/domain/text/did-you-mean.ts',
    because: 'a shortcut: the complete calculation has the same result',
    mutants: [
      { code: 'Math.abs(a.length - b.length) > limit', replacement: 'false' },
      { code: 'Math.min(...current) > limit', replacement: 'false' },
    ],
  },
  {
    file: 'shared/domain/text/mask-codes.ts',
    because: 'a divided text has a first part; the default is for the compiler',
    mutants: [{ code: "''", on: "said = ''", replacement: text }],
  },
  {
    file: 'shared/domain/text/parse-json.ts',
    because: 'a function that ends without a value returns undefined',
    mutants: [{ code: '{ return undefined; }', replacement: '{}' }],
  },
  {
    file: 'shared/domain/text/redact.ts',
    because: 'a shortcut: a text without the sign of a kind of secret has no secret of that kind',
    mutants: [
      { code: '!sign.test(visible)', replacement: 'false' },
      { code: '/\\d/', replacement: '/\\D/' },
    ],
  },
  {
    file: 'shared/domain/text/redact.ts',
    because: 'the shorter word masks the same text',
    mutants: [
      {
        code: '/("?(?:access_?token|refresh_?token|client_?secret|password|authorization|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
        replacement:
          '/("?(?:access_token|refresh_?token|client_?secret|password|authorization|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
      },
      {
        code: '/("?(?:access_?token|refresh_?token|client_?secret|password|authorization|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
        replacement:
          '/("?(?:access_?token|refresh_token|client_?secret|password|authorization|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
      },
      {
        code: '/("?(?:access_?token|refresh_?token|client_?secret|password|authorization|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
        replacement:
          '/("?(?:access_?token|refresh_?token|client_secret|password|authorization|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
      },
    ],
  },
  {
    file: 'shared/domain/text/redact.ts',
    because: 'a repeated cause is one entry',
    mutants: [
      { code: "Object.entries(value).filter(([key]) => key !== 'cause')", replacement: 'Object.entries(value)' },
      { code: "key !== 'cause'", replacement: 'true' },
      { code: "'cause'", on: "key !== 'cause'", replacement: '""' },
    ],
  },
  {
    file: 'shared/domain/text/truncate.ts',
    because: 'a shortcut: a text that fits is not truncated in either case',
    mutants: [
      { code: 'text.length <= limit', replacement: 'false' },
      { code: 'text.length <= limit', replacement: 'text.length < limit' },
    ],
  },
];
