// Equivalent mutants of the steps of the pipeline.
import { type Explanation, initially, text } from './explanation.ts';

export const ofSteps: readonly Explanation[] = [
  {
    file: 'functions/ingest/approve.ts',
    because: 'a shortcut: an import that corrects nothing has no first file of which rows could have been sent',
    mutants: [{ code: 'item.rootImportId === undefined', replacement: 'false' }],
  },
  {
    file: 'functions/ingest/approve.ts',
    because: 'a shortcut: only where two people are required does it matter who they are',
    mutants: [
      { code: "mode === 'two'", replacement: 'true' },
      { code: '[]', on: "mode === 'two' ? await audit.ofImport(item.importId) : []", replacement: initially },
    ],
  },
  {
    file: 'functions/ingest/release.ts',
    because: 'a batch has a request; the condition is for the compiler',
    mutants: [{ code: 'batch.at(-1)?.request', replacement: 'batch.at(-1).request' }],
  },
  {
    file: 'functions/ingest/correction.ts',
    because: 'no import has such an id',
    mutants: [
      { code: "''", on: "rootImportId = ''", replacement: text },
      { code: "''", on: "(cells[mark.importIndex] ?? '').trim() !== correctionOf", replacement: text },
    ],
  },
  {
    file: 'functions/ingest/correction.ts',
    because: 'the caller spreads it, and undefined adds no more than an empty object',
    mutants: [{ code: '() => ({})', replacement: '() => undefined' }],
  },
  {
    file: 'functions/ingest/correction.ts',
    because: 'a plan has an operation, and every operation is registered; the conditions are for the compiler',
    mutants: [
      { code: 'operation === null', on: 'operation === null ||', replacement: 'false' },
      {
        code: 'dependencies.operations.get(operation)?.submission',
        replacement: 'dependencies.operations.get(operation).submission',
      },
    ],
  },
  {
    file: 'functions/report/refresh-throttle.ts',
    because: 'no whole number of requests takes exactly one second',
    mutants: [{ code: 'wait < minWaitMs', replacement: 'wait <= minWaitMs' }],
  },
  {
    file: 'functions/submit/choose-rows.ts',
    because: 'without held claims the code that is loaded excludes nothing',
    mutants: [{ code: 'held.length === 0', replacement: 'false' }],
  },
  {
    file: 'functions/submit/send-request.ts',
    because: 'a number without a line has no row for the reason',
    mutants: [{ code: 'line !== undefined', replacement: 'true' }],
  },
  {
    file: 'functions/submit/submit.ts',
    because: 'a port that was never read has no former status',
    mutants: [{ code: "''", replacement: text }],
  },
  {
    file: 'functions/sync/failure-classifier.ts',
    because: 'only frees memory: a completed read is not awaited in either case',
    mutants: [{ code: '() => reads.delete(reading)', replacement: '() => undefined' }],
  },
  {
    file: 'functions/sync/unknown-outcomes/adopt-port.ts',
    because: 'a created request has a port id; the default is for the compiler',
    mutants: [
      { code: "''", on: "item.portId ?? ''", replacement: text },
      { code: "''", on: "portId = ''", replacement: text },
    ],
  },
];
