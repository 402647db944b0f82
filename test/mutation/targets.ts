// What is mutated, and the tests that must notice. A file's own tests come first; the few others are those that hold its rule.

export interface Target {
  readonly file: string;
  /** Patterns of test files. */
  readonly tests: readonly string[];
}

const domain = (name: string, ...others: readonly string[]): Target => ({
  file: `shared/domain/${name}.ts`,
  tests: [`test/shared/domain/${name}.test.ts`, ...others],
});

const submitTests = ['test/functions/submit/submit.test.ts', 'test/functions/submit/changes.test.ts'];
const syncTests = ['test/functions/sync/sync.test.ts'];

export const targets: readonly Target[] = [
  domain('booking-window'),
  domain('calendar-date'),
  domain('cell-text'),
  domain('clip'),
  domain('combination'),
  domain('cut-off'),
  domain('did-you-mean'),
  domain('drift', 'test/functions/sync/drift.test.ts'),
  domain('eviction'),
  domain('hostages', 'test/shared/domain/lifecycle.test.ts'),
  domain('iccid'),
  domain('identity'),
  domain('lifecycle'),
  domain('lines'),
  domain('msisdn'),
  domain('numbering-plan', 'test/shared/domain/msisdn.test.ts', 'test/shared/domain/pac.test.ts'),
  domain('outcome'),
  domain('pac'),
  domain('poll-schedule', 'test/shared/domain/looks-of-a-life.test.ts'),
  domain('port-change'),
  domain('port-look'),
  domain('redact'),
  domain('request-state', 'test/shared/domain/request-steps.test.ts'),
  domain('roll-up'),
  domain('short-id', 'test/shared/domain/identity.test.ts', 'test/shared/domain/combination.test.ts'),
  domain('sync-plan'),
  domain('time-zone', 'test/shared/domain/calendar-date.test.ts'),
  { file: 'shared/aws/conditional.ts', tests: ['test/shared/aws/conditional.test.ts'] },
  { file: 'shared/aws/due.ts', tests: ['test/shared/aws/due.test.ts'] },
  { file: 'shared/aws/leases.ts', tests: syncTests },
  { file: 'shared/aws/numbers.ts', tests: submitTests },
  { file: 'shared/aws/requests.ts', tests: [...submitTests, ...syncTests] },
  { file: 'shared/aws/statements.ts', tests: ['test/shared/aws/statements.test.ts'] },
  { file: 'functions/submit/call.ts', tests: submitTests },
  { file: 'functions/submit/claim.ts', tests: submitTests },
  { file: 'functions/submit/submit.ts', tests: submitTests },
  { file: 'functions/submit/read-back.ts', tests: submitTests },
  { file: 'functions/sync/adopt.ts', tests: syncTests },
  { file: 'functions/sync/find-ports.ts', tests: syncTests },
  { file: 'functions/sync/reconcile.ts', tests: [...syncTests, 'test/functions/sync/calls.test.ts'] },
];
