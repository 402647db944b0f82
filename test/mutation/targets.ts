// What is mutated, and the tests that must notice. A file's own tests come first; the few others are those that hold its rule.

export interface Target {
  readonly file: string;
  /** Patterns of test files. */
  readonly tests: readonly string[];
}

/** @param tests of rules of the domain. @default the file's own */
const domain = (name: string, ...tests: readonly string[]): Target => ({
  file: `shared/domain/${name}.ts`,
  tests: (tests.length === 0 ? [name] : tests).map((test) => `test/shared/domain/${test}.test.ts`),
});

const submitTests = ['test/functions/submit/submit.test.ts'];
const syncTests = ['test/functions/sync/sync.test.ts'];

export const targets: readonly Target[] = [
  domain('booking-window'),
  domain('calendar-date'),
  domain('cell-text'),
  domain('clip'),
  domain('combination'),
  domain('cut-off'),
  domain('did-you-mean'),
  domain('drift'),
  domain('eviction'),
  domain('hostages', 'lifecycle'),
  domain('iccid'),
  domain('identity'),
  domain('lifecycle'),
  domain('lines'),
  domain('msisdn'),
  domain('numbering-plan', 'msisdn', 'pac'),
  domain('outcome'),
  domain('pac'),
  domain('poll-schedule', 'poll-schedule', 'poll-schedule-edges', 'looks-of-a-life'),
  domain('port-change'),
  domain('port-look', 'port-look', 'port-look-edges'),
  domain('redact'),
  domain('reminder'),
  domain('request-state', 'request-steps', 'request-state'),
  domain('roll-up'),
  domain('short-id', 'identity', 'combination'),
  domain('sync-plan'),
  domain('time-zone', 'calendar-date'),
  { file: 'shared/aws/conditional.ts', tests: ['test/shared/aws/conditional.test.ts'] },
  { file: 'shared/aws/due.ts', tests: ['test/shared/aws/due.test.ts'] },
  { file: 'shared/aws/leases.ts', tests: ['test/shared/aws/leases.test.ts'] },
  { file: 'shared/aws/numbers.ts', tests: ['test/shared/aws/numbers.test.ts'] },
  { file: 'shared/aws/requests.ts', tests: ['test/shared/aws/requests.test.ts'] },
  { file: 'shared/aws/statements.ts', tests: ['test/shared/aws/statements.test.ts'] },
  { file: 'functions/submit/call.ts', tests: ['test/functions/submit/call.test.ts'] },
  { file: 'functions/submit/claim.ts', tests: ['test/functions/submit/claim.test.ts'] },
  { file: 'functions/submit/submit.ts', tests: submitTests },
  { file: 'functions/submit/read-back.ts', tests: [...submitTests, 'test/functions/submit/changes.test.ts'] },
  { file: 'functions/sync/adopt.ts', tests: syncTests },
  { file: 'functions/sync/find-ports.ts', tests: ['test/functions/sync/find-ports.test.ts'] },
  { file: 'functions/sync/reconcile.ts', tests: syncTests },
];
