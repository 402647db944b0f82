// Mutants that live because they change nothing that anybody can see, each with the reason. One that is not found any more,
// or is killed by now, is a complaint.

export interface Equivalent {
  readonly file: string;
  /** The code that the mutant changes, in one line. */
  readonly code: string;
  /** A part of the line that holds the code, where the file holds the same code elsewhere, too. */
  readonly on?: string;
  /** How often the file holds that, or the code. @default 1 */
  readonly times?: number;
  readonly replacement: string;
  readonly because: string;
}

const initially = '["Stryker was here"]';
const text = '"Stryker was here!"';

export const equivalents: readonly Equivalent[] = [
  {
    file: 'shared/domain/combination.ts',
    code: 'one.name < other.name',
    replacement: 'one.name <= other.name',
    because: 'names are unique by then',
  },
  {
    file: 'shared/domain/request-state.ts',
    code: "answer.kind === 'refused'",
    on: "answer.kind === 'refused' && ",
    replacement: 'true',
    because: 'only a refusal has `named`, which is looked at beside it',
  },
  {
    file: 'shared/domain/request-state.ts',
    code: '[]',
    on: '(item.withdrawn ?? []).filter',
    replacement: initially,
    because: 'what has no code is filtered out as nothing is',
  },
  {
    file: 'shared/domain/request-state.ts',
    code: "''",
    replacement: text,
    because: 'nobody adopts a list without a port; the default is for the compiler',
  },
  {
    file: 'shared/domain/did-you-mean.ts',
    code: 'Math.abs(a.length - b.length) > limit',
    replacement: 'false',
    because: 'an early end: the whole count comes to the same',
  },
  {
    file: 'shared/domain/did-you-mean.ts',
    code: 'Math.min(...current) > limit',
    replacement: 'false',
    because: 'an early end: the whole count comes to the same',
  },
  {
    file: 'shared/domain/did-you-mean.ts',
    code: '[]',
    on: 'beforeLast: number[] = []',
    replacement: initially,
    because: 'before the first row there is no swap to look there for',
  },
  {
    file: 'shared/domain/cell-text.ts',
    code: '/^[ -~]*$/',
    replacement: '/^[ -~]$/',
    because: 'a shortcut: the long look finds nothing in such a text either',
  },
  {
    file: 'shared/domain/cell-text.ts',
    code: 'ordinary.test(text)',
    replacement: 'false',
    because: 'a shortcut: the long look finds nothing in such a text either',
  },
  {
    file: 'shared/aws/conditional.ts',
    code: '[]',
    on: 'error.CancellationReasons ?? []',
    replacement: initially,
    because: 'a reason without a code is no reason',
  },
  {
    file: 'shared/aws/conditional.ts',
    code: '[]',
    on: ': [];',
    replacement: initially,
    because: 'a reason that nobody knows does not pass',
  },
  {
    file: 'shared/aws/requests.ts',
    code: 'after === 0',
    replacement: 'false',
    because: 'requests are counted from 1: behind 0 stand all of them',
  },
  {
    file: 'shared/aws/due.ts',
    code: 'dueAtOf(left) < dueAtOf(right)',
    replacement: 'dueAtOf(left) <= dueAtOf(right)',
    because: 'what is due at the same time has no order',
  },
  {
    file: 'shared/aws/due.ts',
    code: "typeof dueAt === 'string'",
    replacement: 'true',
    because: 'an item without a due time is not in the index; the question is for the compiler',
  },
  {
    file: 'shared/aws/due.ts',
    code: "''",
    replacement: text,
    because: 'an item without a due time is not in the index; the default is for the compiler',
  },
  {
    file: 'shared/domain/pac.ts',
    code: "ukPac.test(text) && msisdn.startsWith('44')",
    replacement: 'false',
    because: 'a shortcut for what nearly every cell holds: the long way accepts the same',
  },
  {
    file: 'shared/aws/statements.ts',
    code: '[]',
    on: 'outcomes: StatementOutcome[] = []',
    replacement: initially,
    because: 'every place of it is written, each with its outcome',
  },
  {
    file: 'shared/aws/statements.ts',
    code: 'start < waiting.length',
    replacement: 'start <= waiting.length',
    because: 'a round of no statements makes no call',
  },
  {
    file: 'functions/submit/call.ts',
    code: '[]',
    on: 'serialNumbers = []',
    replacement: initially,
    because: 'what is no number of the request has no line',
  },
  {
    file: 'functions/submit/claim-numbers.ts',
    code: '[]',
    on: 'request.withdrawn ?? []',
    replacement: initially,
    because: 'what has no subject is nobody’s row',
  },
  {
    file: 'functions/submit/refused-rows.ts',
    code: 'line !== undefined',
    replacement: 'true',
    because: 'the reason of a number without a line is given to no row',
  },
  {
    file: 'functions/submit/read-back.ts',
    code: "''",
    replacement: text,
    because: 'of a port that nobody looked at before no former status is asked for',
  },
  {
    file: 'shared/domain/poll-schedule.ts',
    code: 'daysLeft > farthestLock + longestWait || daysLeft < 0',
    replacement: 'false',
    because: 'a shortcut: such landmarks are behind, or farther away than any look',
  },
  {
    file: 'shared/domain/poll-schedule.ts',
    code: 'daysLeft > farthestLock + longestWait || daysLeft < 0',
    replacement: 'daysLeft > farthestLock + longestWait && daysLeft < 0',
    because: 'a shortcut: such landmarks are behind, or farther away than any look',
  },
  {
    file: 'shared/domain/poll-schedule.ts',
    code: 'daysLeft > farthestLock + longestWait',
    replacement: 'false',
    because: 'a shortcut: such landmarks are behind, or farther away than any look',
  },
  {
    file: 'shared/domain/poll-schedule.ts',
    code: 'daysLeft < 0',
    replacement: 'false',
    because: 'a shortcut: such landmarks are behind, or farther away than any look',
  },
  {
    file: 'functions/sync/find-ports.ts',
    code: 'token === undefined',
    replacement: 'false',
    because: 'no token is in no set; the question is for the compiler',
  },
  {
    file: 'shared/domain/booking-window.ts',
    code: 'notAfter !== undefined',
    replacement: 'true',
    because: 'no day is before no day; the question is for the compiler',
  },
  {
    file: 'shared/domain/booking-window.ts',
    code: 'notAfter < windowEnd',
    replacement: 'notAfter <= windowEnd',
    because: 'where both are the same day it does not matter which is taken',
  },
  {
    file: 'shared/domain/booking-window.ts',
    code: "''",
    replacement: text,
    because: 'every day of the week has a name; the default is for the compiler',
  },
  {
    file: 'shared/domain/msisdn.ts',
    code: '/^0[1-9]\\d+$/',
    replacement: '/^0[1-9]\\d$/',
    because: 'a shortcut for what nearly every cell holds: the long way reads the same',
  },
  {
    file: 'shared/domain/msisdn.ts',
    code: '/^0[1-9]\\d+$/',
    replacement: '/^0[1-9]\\D+$/',
    because: 'a shortcut for what nearly every cell holds: the long way reads the same',
  },
  {
    file: 'shared/domain/msisdn.ts',
    code: 'plainNational.test(text) && hasNationalLength(text, callingCode)',
    replacement: 'false',
    because: 'a shortcut for what nearly every cell holds: the long way reads the same',
  },
  {
    file: 'shared/domain/msisdn.ts',
    code: "{ const plan = planOf(callingCode); return plan?.trunkPrefix === '0' && plan.lengths.includes(text.length - 1); }",
    replacement: '{}',
    because: 'a shortcut for what nearly every cell holds: the long way reads the same',
  },
  {
    file: 'shared/domain/msisdn.ts',
    code: "plan?.trunkPrefix === '0' && plan.lengths.includes(text.length - 1)",
    replacement: 'false',
    because: 'a shortcut for what nearly every cell holds: the long way reads the same',
  },
  {
    file: 'shared/domain/msisdn.ts',
    code: 'callingCode === undefined',
    replacement: 'false',
    because: 'there is no plan without a calling code: the question is for the compiler',
  },
  {
    file: 'shared/domain/msisdn.ts',
    code: 'plan !== undefined && callingCode !== undefined',
    replacement: 'plan !== undefined || callingCode !== undefined',
    because: 'there is no plan without a calling code: the question is for the compiler',
  },
  {
    file: 'shared/domain/msisdn.ts',
    code: 'plan !== undefined',
    replacement: 'true',
    because: 'there is no plan without a calling code: the question is for the compiler',
  },
  {
    file: 'shared/domain/msisdn.ts',
    code: 'callingCode !== undefined',
    replacement: 'true',
    because: 'there is no plan without a calling code: the question is for the compiler',
  },
  {
    file: 'shared/domain/msisdn.ts',
    code: "''",
    on: "indexOf(found ?? '')",
    replacement: text,
    because: 'a cell that comes here holds such a character; the default is for the compiler',
  },
  {
    file: 'shared/domain/calendar-date.ts',
    code: "''",
    on: "first = '', middle = '', last = ''",
    replacement: text,
    because: 'the default is for the compiler: a text that matched has all its parts, and no part is no day',
  },
  {
    file: 'shared/domain/calendar-date.ts',
    code: "''",
    on: "month = '', day = ''",
    replacement: text,
    because: 'the default is for the compiler: every order has three parts',
  },
  {
    file: 'shared/domain/calendar-date.ts',
    code: '[]',
    on: 'otherOrder.exec(text) ?? []',
    replacement: initially,
    because: 'the default is for the compiler: a text that matched has all its parts, and no part is no day',
  },
  {
    file: 'shared/domain/calendar-date.ts',
    code: '[]',
    on: ': [];',
    replacement: initially,
    because: 'what has no year in it makes no day that exists',
  },
  {
    file: 'shared/domain/calendar-date.ts',
    code: 'last.length === 4',
    replacement: 'true',
    because: 'what has no year in it makes no day that exists',
  },
  {
    file: 'shared/domain/plain-forms.ts',
    code: 'value === none',
    replacement: 'false',
    because: 'an early end: nothing begins nowhere, which is said by the same number',
  },
  {
    file: 'shared/domain/plain-forms.ts',
    code: '(bytes[at] as number) - zero',
    on: 'sum += (bytes[at] as number) - zero',
    replacement: '(bytes[at] as number) + zero',
    because: 'ten digits are taken so, of 19 as of 20: ten times 96 more ends in the same digit',
  },
  {
    file: 'functions/sync/adopt.ts',
    code: "''",
    on: "item.portId ?? ''",
    replacement: text,
    because: 'what was created has the id of its port; the default is for the compiler',
  },
  {
    file: 'functions/sync/adopt.ts',
    code: "''",
    on: "portId = ''",
    replacement: text,
    because: 'what was created has the id of its port; the default is for the compiler',
  },
  {
    file: 'functions/sync/trouble.ts',
    code: '() => underWay.delete(reading)',
    replacement: '() => undefined',
    because: 'a read that has ended is not waited for either way; it is let go for the sake of memory',
  },
  {
    file: 'shared/domain/clip.ts',
    code: 'text.length <= limit',
    replacement: 'false',
    because: 'a shortcut: a text that fits is not cut by the long way either',
  },
  {
    file: 'shared/domain/clip.ts',
    code: 'text.length <= limit',
    replacement: 'text.length < limit',
    because: 'a shortcut: a text that fits is not cut by the long way either',
  },
  {
    file: 'shared/domain/lifecycle.ts',
    code: '[]',
    on: ", [], ''",
    times: 8,
    replacement: initially,
    because: 'nobody asks for a trait of that name',
  },
  {
    file: 'shared/domain/lines.ts',
    code: '[]',
    on: '.exec(run) ?? []',
    replacement: initially,
    because: 'only what stands behind the whole match is looked at',
  },
  {
    file: 'shared/domain/eviction.ts',
    code: "'cancel'",
    replacement: '""',
    because: 'what is no amend is a cancel',
  },
  {
    file: 'shared/domain/time-zone.ts',
    code: 'made.set(zone, known);',
    replacement: ';',
    because: 'a memory: the same zone is made again, which only takes longer',
  },
  {
    file: 'shared/domain/redact.ts',
    code: '/("?(?:access_?token|refresh_?token|client_?secret|password|authorization|pac|rio|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
    replacement:
      '/("?(?:access_token|refresh_?token|client_?secret|password|authorization|pac|rio|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
    because: 'the word at its end is masked by itself',
  },
  {
    file: 'shared/domain/redact.ts',
    code: '/("?(?:access_?token|refresh_?token|client_?secret|password|authorization|pac|rio|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
    replacement:
      '/("?(?:access_?token|refresh_token|client_?secret|password|authorization|pac|rio|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
    because: 'the word at its end is masked by itself',
  },
  {
    file: 'shared/domain/redact.ts',
    code: '/("?(?:access_?token|refresh_?token|client_?secret|password|authorization|pac|rio|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
    replacement:
      '/("?(?:access_?token|refresh_?token|client_secret|password|authorization|pac|rio|secret|token)"?\\s*[:=]\\s*)("[^"]*"?|[^\\s,&;}"]+)/gi',
    because: 'the word at its end is masked by itself',
  },
  {
    file: 'shared/domain/redact.ts',
    code: "Object.entries(value).filter(([key]) => key !== 'cause')",
    replacement: 'Object.entries(value)',
    because: 'the same cause twice is one entry',
  },
  {
    file: 'shared/domain/redact.ts',
    code: "key !== 'cause'",
    replacement: 'true',
    because: 'the same cause twice is one entry',
  },
  {
    file: 'shared/domain/redact.ts',
    code: "'cause'",
    on: "key !== 'cause'",
    replacement: '""',
    because: 'the same cause twice is one entry',
  },
  {
    file: 'shared/domain/outcome.ts',
    code: "''",
    on: "portStatus(item.portStatus ?? '').beforeLocked",
    replacement: text,
    because: 'a status that was not read is no status that is asked for',
  },
  {
    file: 'shared/domain/roll-up.ts',
    code: "''",
    replacement: text,
    because: 'a status that was not read is no status that is asked for',
  },
  {
    file: 'shared/domain/port-change.ts',
    code: "'done'",
    on: "live.length === 0 ? 'done'",
    replacement: '""',
    because: 'what is neither due nor never makes no call',
  },
  {
    file: 'shared/domain/sync-plan.ts',
    code: 'Math.sqrt(5) - 1',
    replacement: 'Math.sqrt(5) + 1',
    because: 'the golden ratio and its inverse differ by one, and only what is behind the point counts',
  },
  {
    file: 'shared/domain/sync-plan.ts',
    code: 'Math.floor(wallMs / stepMs) * goldenRatio',
    replacement: 'Math.floor(wallMs / stepMs) / goldenRatio',
    because: 'the golden ratio and its inverse differ by one, and only what is behind the point counts',
  },
  {
    file: 'functions/report/rest.ts',
    code: 'rest < leastRestMs',
    replacement: 'rest <= leastRestMs',
    because: 'no whole number of requests comes to exactly five seconds',
  },
];
