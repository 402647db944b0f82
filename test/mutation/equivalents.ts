// Mutants that live because they change nothing that anybody can see, each with the reason. One that is not found any
// more, or is killed by now, is a complaint.

export interface Equivalent {
  readonly file: string;
  /** The code that the mutant changes, in one line. */
  readonly code: string;
  /** A part of the line with the code, if the file has the same code elsewhere. */
  readonly on?: string;
  /** How often the file has that part, or the code. @default 1 */
  readonly times?: number;
  readonly replacement: string;
  readonly because: string;
}

const initially = '["Stryker was here"]';
const text = '"Stryker was here!"';

export const equivalents: readonly Equivalent[] = [
  {
    file: 'shared/domain/requests/request-state.ts',
    code: '[]',
    on: '(item.excludedRows ?? []).filter',
    replacement: initially,
    because: 'an entry without a code is filtered out',
  },
  {
    file: 'shared/domain/requests/request-state.ts',
    code: "''",
    replacement: text,
    because: 'the list always has a port; the default is for the compiler',
  },
  {
    file: 'shared/domain/text/did-you-mean.ts',
    code: 'Math.abs(a.length - b.length) > limit',
    replacement: 'false',
    because: 'a shortcut: the complete calculation has the same result',
  },
  {
    file: 'shared/domain/text/did-you-mean.ts',
    code: 'Math.min(...current) > limit',
    replacement: 'false',
    because: 'a shortcut: the complete calculation has the same result',
  },
  {
    file: 'shared/domain/text/cell-text.ts',
    code: '/^[ -~]*$/',
    replacement: '/^[ -~]$/',
    because: 'a shortcut: the complete check finds nothing in such a text either',
  },
  {
    file: 'shared/domain/text/cell-text.ts',
    code: 'ordinary.test(text)',
    replacement: 'false',
    because: 'a shortcut: the complete check finds nothing in such a text either',
  },
  {
    file: 'shared/store/tables/conditional-write.ts',
    code: '[]',
    on: 'error.CancellationReasons ?? []',
    replacement: initially,
    because: 'a reason without a code is ignored',
  },
  {
    file: 'shared/store/tables/conditional-write.ts',
    code: '[]',
    on: ': [];',
    replacement: initially,
    because: 'an unknown reason fails',
  },
  {
    file: 'shared/store/tables/requests.ts',
    code: 'after === 0',
    replacement: 'false',
    because: 'requests are counted from 1: all of them follow 0',
  },
  {
    file: 'shared/store/tables/table.ts',
    code: 'dueAtOf(left) < dueAtOf(right)',
    replacement: 'dueAtOf(left) <= dueAtOf(right)',
    because: 'items that are due at the same time have no order',
  },
  {
    file: 'shared/store/tables/table.ts',
    code: "typeof dueAt === 'string'",
    replacement: 'true',
    because: 'an item without a due time is not in the index; the condition is for the compiler',
  },
  {
    file: 'shared/store/tables/table.ts',
    code: "''",
    on: "dueAt : ''",
    replacement: text,
    because: 'an item without a due time is not in the index; the default is for the compiler',
  },
  {
    file: 'shared/domain/numbers/pac.ts',
    code: "ukPac.test(text) && msisdn.startsWith('44')",
    replacement: 'false',
    because: 'a shortcut for most cells: the complete check accepts the same',
  },
  {
    file: 'shared/store/tables/batch-statements.ts',
    code: '[]',
    on: 'outcomes: StatementOutcome[] = []',
    replacement: initially,
    because: 'every entry is written with its outcome',
  },
  {
    file: 'functions/submit/claim-numbers.ts',
    code: 'held.length === 0',
    replacement: 'false',
    because: 'without held claims the code that is loaded excludes nothing',
  },
  {
    file: 'functions/submit/claim-holders.ts',
    code: '[]',
    on: 'item.excludedRows ?? []',
    replacement: initially,
    because: 'an entry without a subject matches no row',
  },
  {
    file: 'functions/submit/declined-rows.ts',
    code: 'line !== undefined',
    replacement: 'true',
    because: 'a number without a line has no row for the reason',
  },
  {
    file: 'functions/submit/read-back.ts',
    code: "''",
    replacement: text,
    because: 'a port that was never read has no former status',
  },
  {
    file: 'shared/domain/ports/poll-schedule.ts',
    code: 'daysLeft > longestLockDays + longestPollDays || daysLeft < 0',
    replacement: 'false',
    because: 'a shortcut: such landmarks are past, or later than the longest poll interval',
  },
  {
    file: 'shared/domain/ports/poll-schedule.ts',
    code: 'daysLeft > longestLockDays + longestPollDays || daysLeft < 0',
    replacement: 'daysLeft > longestLockDays + longestPollDays && daysLeft < 0',
    because: 'a shortcut: such landmarks are past, or later than the longest poll interval',
  },
  {
    file: 'shared/domain/ports/poll-schedule.ts',
    code: 'daysLeft > longestLockDays + longestPollDays',
    replacement: 'false',
    because: 'a shortcut: such landmarks are past, or later than the longest poll interval',
  },
  {
    file: 'shared/domain/ports/poll-schedule.ts',
    code: 'daysLeft < 0',
    replacement: 'false',
    because: 'a shortcut: such landmarks are past, or later than the longest poll interval',
  },
  {
    file: 'functions/sync/unknown-outcomes/find-ports.ts',
    code: 'token === undefined',
    replacement: 'false',
    because: 'an undefined token is in no set; the condition is for the compiler',
  },
  {
    file: 'shared/domain/dates/booking-window.ts',
    code: "''",
    replacement: text,
    because: 'every day of the week has a name; the default is for the compiler',
  },
  {
    file: 'shared/domain/numbers/msisdn.ts',
    code: '/^0[1-9]\\d+$/',
    replacement: '/^0[1-9]\\d$/',
    because: 'a shortcut for most cells: the complete parser reads the same',
  },
  {
    file: 'shared/domain/numbers/msisdn.ts',
    code: '/^0[1-9]\\d+$/',
    replacement: '/^0[1-9]\\D+$/',
    because: 'a shortcut for most cells: the complete parser reads the same',
  },
  {
    file: 'shared/domain/numbers/msisdn.ts',
    code: "''",
    on: "indexOf(found ?? '')",
    replacement: text,
    because: 'the cell has such a character; the default is for the compiler',
  },
  {
    file: 'shared/domain/dates/calendar-date.ts',
    code: "''",
    on: "first = '', middle = '', last = ''",
    replacement: text,
    because: 'a text that matched has all its parts; the default is for the compiler',
  },
  {
    file: 'shared/domain/dates/calendar-date.ts',
    code: "''",
    on: "month = '', day = ''",
    replacement: text,
    because: 'every order has three parts; the default is for the compiler',
  },
  {
    file: 'shared/domain/dates/calendar-date.ts',
    code: '[]',
    on: 'otherOrder.exec(text) ?? []',
    replacement: initially,
    because: 'a text that matched has all its parts; the default is for the compiler',
  },
  {
    file: 'shared/domain/dates/calendar-date.ts',
    code: '[]',
    on: ': [];',
    replacement: initially,
    because: 'without a year there is no valid day',
  },
  {
    file: 'shared/domain/dates/calendar-date.ts',
    code: 'last.length === 4',
    replacement: 'true',
    because: 'without a year there is no valid day',
  },
  {
    file: 'functions/ingest/fast-path/canonical-formats.ts',
    code: '(bytes[at] as number) - zero',
    on: 'sum += (bytes[at] as number) - zero',
    replacement: '(bytes[at] as number) + zero',
    because: 'this is done for ten digits, and ten times 96 does not change the last digit',
  },
  {
    file: 'functions/sync/unknown-outcomes/adopt-port.ts',
    code: "''",
    on: "item.portId ?? ''",
    replacement: text,
    because: 'a created request has a port id; the default is for the compiler',
  },
  {
    file: 'functions/sync/unknown-outcomes/adopt-port.ts',
    code: "''",
    on: "portId = ''",
    replacement: text,
    because: 'a created request has a port id; the default is for the compiler',
  },
  {
    file: 'functions/sync/failure-classifier.ts',
    code: '() => reads.delete(reading)',
    replacement: '() => undefined',
    because: 'only frees memory: a completed read is not awaited in either case',
  },
  {
    file: 'shared/domain/text/truncate.ts',
    code: 'text.length <= limit',
    replacement: 'false',
    because: 'a shortcut: a text that fits is not truncated in either case',
  },
  {
    file: 'shared/domain/text/truncate.ts',
    code: 'text.length <= limit',
    replacement: 'text.length < limit',
    because: 'a shortcut: a text that fits is not truncated in either case',
  },
  {
    file: 'shared/domain/imports/packed-lines.ts',
    code: '[]',
    on: '.exec(run) ?? []',
    replacement: initially,
    because: 'only the groups of the match are used',
  },
  {
    file: 'shared/domain/ports/rows-to-remove.ts',
    code: "'cancel'",
    replacement: '""',
    because: 'every action other than amend is a cancel',
  },
  {
    file: 'shared/domain/dates/time-zone.ts',
    code: 'formats.set(zone, format);',
    replacement: ';',
    because: 'a cache: without it the same format is created again',
  },
  {
    file: 'shared/domain/dates/time-zone.ts',
    code: 'known !== undefined',
    replacement: 'false',
    because: 'a cache: without it the same format is created again',
  },
  {
    file: 'shared/domain/text/redact.ts',
    code: '/("?(?:access_?token|refresh_?token|client_?secret|password|authorization|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
    replacement:
      '/("?(?:access_token|refresh_?token|client_?secret|password|authorization|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
    because: 'the shorter word masks the same text',
  },
  {
    file: 'shared/domain/text/redact.ts',
    code: '/("?(?:access_?token|refresh_?token|client_?secret|password|authorization|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
    replacement:
      '/("?(?:access_?token|refresh_token|client_?secret|password|authorization|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
    because: 'the shorter word masks the same text',
  },
  {
    file: 'shared/domain/text/redact.ts',
    code: '/("?(?:access_?token|refresh_?token|client_?secret|password|authorization|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
    replacement:
      '/("?(?:access_?token|refresh_?token|client_secret|password|authorization|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
    because: 'the shorter word masks the same text',
  },
  {
    file: 'shared/domain/text/redact.ts',
    code: "Object.entries(value).filter(([key]) => key !== 'cause')",
    replacement: 'Object.entries(value)',
    because: 'a repeated cause is one entry',
  },
  {
    file: 'shared/domain/text/redact.ts',
    code: "key !== 'cause'",
    replacement: 'true',
    because: 'a repeated cause is one entry',
  },
  {
    file: 'shared/domain/text/redact.ts',
    code: "'cause'",
    on: "key !== 'cause'",
    replacement: '""',
    because: 'a repeated cause is one entry',
  },
  {
    file: 'shared/domain/imports/outcome.ts',
    code: "''",
    on: "isBeforeLocked(item.portStatus ?? '')",
    replacement: text,
    because: 'a status that was not read matches none',
  },
  {
    file: 'shared/domain/imports/roll-up.ts',
    code: "''",
    replacement: text,
    because: 'a status that was not read matches none',
  },
  {
    file: 'shared/domain/ports/port-change.ts',
    code: "'done'",
    on: "staying.length === 0 ? 'done'",
    replacement: '""',
    because: 'an item that is neither due nor impossible makes no call',
  },
  {
    file: 'shared/domain/ports/call-plan.ts',
    code: 'Math.sqrt(5) - 1',
    replacement: 'Math.sqrt(5) + 1',
    because: 'the golden ratio and its inverse differ by one, and only the fraction is used',
  },
  {
    file: 'shared/domain/ports/call-plan.ts',
    code: 'Math.floor(wallMs / stepMs) * goldenRatio',
    replacement: 'Math.floor(wallMs / stepMs) / goldenRatio',
    because: 'the golden ratio and its inverse differ by one, and only the fraction is used',
  },
  {
    file: 'functions/report/refresh-throttle.ts',
    code: 'wait < minWaitMs',
    replacement: 'wait <= minWaitMs',
    because: 'no whole number of requests takes exactly one second',
  },
  {
    file: 'shared/domain/imports/ingest-attempt.ts',
    code: 'until !== undefined',
    replacement: 'true',
    because: 'an undefined time is before no time; the condition is for the compiler',
  },
  {
    file: 'shared/domain/requests/split-request.ts',
    code: "''",
    on: "unpackLines(item.lines ?? '')",
    replacement: text,
    because: 'a request that was sent has lines; the default is for the compiler',
  },
  {
    file: 'shared/domain/requests/split-request.ts',
    code: "''",
    on: "lines: item.lines ?? ''",
    replacement: text,
    because: 'a request that was sent has lines; the default is for the compiler',
  },
  {
    file: 'shared/domain/text/mask-codes.ts',
    code: "''",
    on: "said = ''",
    replacement: text,
    because: 'a divided text has a first part; the default is for the compiler',
  },
  {
    file: 'shared/domain/text/parse-json.ts',
    code: '{ return undefined; }',
    replacement: '{}',
    because: 'a function that ends without a value returns undefined',
  },
  {
    file: 'shared/store/tables/batch-statements.ts',
    code: '[]',
    on: '{ Responses = [] }',
    replacement: initially,
    because: 'an entry without an error was written',
  },
  ...[
    { code: "outcome !== 'retry'", replacement: 'true' },
    { code: "'retry'", on: "outcome !== 'retry'", replacement: '""' },
  ].map((mutant) => ({
    ...mutant,
    file: 'shared/store/tables/batch-statements.ts',
    because: 'the outcome of the next attempt replaces it; the condition is for the compiler',
  })),
  {
    file: 'functions/sync/unknown-outcomes/find-ports.ts',
    code: "''",
    replacement: text,
    because: 'no request has such a token; the default is for the compiler',
  },
  ...[
    { code: "''", on: "year, month = '', date", replacement: text },
    { code: "''", on: "date = ''] = dayForm", replacement: text },
    { code: '[]', on: 'dayForm.exec(day) ?? []', replacement: initially },
  ].map((mutant) => ({
    ...mutant,
    file: 'shared/domain/dates/calendar-date.ts',
    because: 'a text without the form of a day has no month that exists',
  })),
  ...[
    { code: "date <= '28'", replacement: 'false' },
    { code: "date <= '28'", replacement: "date < '28'" },
    { code: "'28'", on: "date <= '28'", replacement: '""' },
  ].map((mutant) => ({
    ...mutant,
    file: 'shared/domain/dates/calendar-date.ts',
    because: 'a shortcut: the complete calculation has the same result',
  })),
  ...[
    { code: "''", on: "name = ''", replacement: text },
    { code: '[]', on: 'namedMonth.exec(text) ?? []', replacement: initially },
    { code: "''", on: "[, one = '', two = '', three = '']", times: 3, replacement: text },
    { code: '[]', on: 'threeNumbers.exec(text) ?? []', times: 2, replacement: initially },
    { code: '[]', on: 'threeNumbers.exec(day) ?? []', replacement: initially },
    { code: "''", on: "year = '', month = '', day = ''", replacement: text },
  ].map((mutant) => ({
    ...mutant,
    file: 'shared/domain/dates/date-order.ts',
    because: 'a text that matched has all its parts, and no other text is a date with these parts',
  })),
];
