// Equivalent mutants of the tables and of the results of rows.
import { type Explanation, initially, text } from './explanation.ts';

export const ofTablesAndResults: readonly Explanation[] = [
  {
    file: 'shared/results/answered-rows.ts',
    because: 'only saves memory: rows with the same result share an object',
    mutants: [
      { code: 'cells !== undefined', replacement: 'true' },
      { code: 'known.set(result, row);', replacement: ';' },
    ],
  },
  {
    file: 'shared/results/merged-outcomes.ts',
    because: 'a shortcut: a row without a correction stays as it is',
    mutants: [
      { code: 'corrected.size === 0', replacement: 'false' },
      { code: 'correction === undefined', on: 'correction === undefined ||', replacement: 'false' },
    ],
  },
  {
    file: 'shared/results/merged-outcomes.ts',
    because: 'every column of a first file has a name, and no column of an operation has this one',
    mutants: [
      { code: "''", on: "names.get(index) ?? ''", replacement: text },
      { code: "''", on: "headers.get(index) ?? ''", replacement: text },
      { code: "''", on: "header[index] ?? ''", replacement: text },
      { code: "''", on: "names[place] ?? ''", replacement: text },
    ],
  },
  {
    file: 'shared/store/tables/batch-statements.ts',
    because: 'every entry is written with its outcome',
    mutants: [{ code: '[]', on: 'outcomes: StatementOutcome[] = []', replacement: initially }],
  },
  {
    file: 'shared/store/tables/batch-statements.ts',
    because: 'an entry without an error was written',
    mutants: [{ code: '[]', on: '{ Responses = [] }', replacement: initially }],
  },
  {
    file: 'shared/store/tables/batch-statements.ts',
    because: 'the outcome of the next attempt replaces it; the condition is for the compiler',
    mutants: [
      { code: "outcome !== 'retry'", replacement: 'true' },
      { code: "'retry'", on: "outcome !== 'retry'", replacement: '""' },
    ],
  },
  {
    file: 'shared/store/tables/conditional-write.ts',
    because: 'a reason without a code is ignored',
    mutants: [{ code: '[]', on: 'error.CancellationReasons ?? []', replacement: initially }],
  },
  {
    file: 'shared/store/tables/conditional-write.ts',
    because: 'an unknown reason fails',
    mutants: [{ code: '[]', on: ': [];', replacement: initially }],
  },
  {
    file: 'shared/store/tables/requests.ts',
    because: 'requests are counted from 1: all of them follow 0',
    mutants: [{ code: 'after === 0', replacement: 'false' }],
  },
  {
    file: 'shared/store/tables/table.ts',
    because: 'items that are due at the same time have no order',
    mutants: [{ code: 'dueAtOf(left) < dueAtOf(right)', replacement: 'dueAtOf(left) <= dueAtOf(right)' }],
  },
  {
    file: 'shared/store/tables/table.ts',
    because: 'an item without a due time is not in the index; the condition is for the compiler',
    mutants: [{ code: "typeof dueAt === 'string'", replacement: 'true' }],
  },
  {
    file: 'shared/store/tables/table.ts',
    because: 'an item without a due time is not in the index; the default is for the compiler',
    mutants: [{ code: "''", on: "dueAt : ''", replacement: text }],
  },
];
