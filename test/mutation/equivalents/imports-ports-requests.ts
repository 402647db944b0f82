// Equivalent mutants of the rules for imports, ports and requests.
import { type Explanation, initially, text } from './explanation.ts';

export const ofImportsPortsRequests: readonly Explanation[] = [
  {
    file: 'shared/domain/imports/ingest-attempt.ts',
    because: 'an undefined time is before no time; the condition is for the compiler',
    mutants: [{ code: 'until !== undefined', replacement: 'true' }],
  },
  {
    file: 'shared/domain/imports/outcome.ts',
    because: 'a status that was not read matches none',
    mutants: [{ code: "''", on: "const status = item.portStatus ?? ''", replacement: text }],
  },
  {
    file: 'shared/domain/imports/packed-lines.ts',
    because: 'only the groups of the match are used',
    mutants: [{ code: '[]', on: '.exec(run) ?? []', replacement: initially }],
  },
  {
    file: 'shared/domain/imports/roll-up.ts',
    because: 'a status that was not read matches none',
    mutants: [{ code: "''", on: "portStatus = ''", replacement: text }],
  },
  {
    file: 'shared/domain/ports/call-plan.ts',
    because: 'the golden ratio and its inverse differ by one, and only the fraction is used',
    mutants: [
      { code: 'Math.sqrt(5) - 1', replacement: 'Math.sqrt(5) + 1' },
      { code: 'Math.floor(wallMs / stepMs) * goldenRatio', replacement: 'Math.floor(wallMs / stepMs) / goldenRatio' },
    ],
  },
  {
    file: 'shared/domain/ports/poll-schedule.ts',
    because: 'a shortcut: such landmarks are past, or later than the longest poll interval',
    mutants: [
      { code: 'daysLeft > longestLockDays + longestPollDays || daysLeft < 0', replacement: 'false' },
      {
        code: 'daysLeft > longestLockDays + longestPollDays || daysLeft < 0',
        replacement: 'daysLeft > longestLockDays + longestPollDays && daysLeft < 0',
      },
      { code: 'daysLeft > longestLockDays + longestPollDays', replacement: 'false' },
      { code: 'daysLeft < 0', replacement: 'false' },
    ],
  },
  {
    file: 'shared/domain/ports/port-change.ts',
    because: 'an item that is neither due nor impossible makes no call',
    mutants: [{ code: "'done'", on: "staying.length === 0 ? 'done'", replacement: '""' }],
  },
  {
    file: 'shared/domain/ports/rows-to-remove.ts',
    because: 'every action other than amend is a cancel',
    mutants: [{ code: "'cancel'", replacement: '""' }],
  },
  {
    file: 'shared/domain/requests/request-state.ts',
    because: 'an entry without a code is filtered out',
    mutants: [{ code: '[]', on: '(item.excludedRows ?? []).filter', times: 2, replacement: initially }],
  },
  {
    file: 'shared/domain/requests/request-state.ts',
    because: 'the list always has a port; the default is for the compiler',
    mutants: [{ code: "''", replacement: text }],
  },
  {
    file: 'shared/domain/requests/split-request.ts',
    because: 'a request that was sent has lines; the default is for the compiler',
    mutants: [
      { code: "''", on: "unpackLines(item.lines ?? '')", replacement: text },
      { code: "''", on: "lines: item.lines ?? ''", replacement: text },
    ],
  },
];
