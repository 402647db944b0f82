// What is mutated, and the tests that must notice. A file's own tests come first; the few others are those that hold its rule.
import { globSync } from 'node:fs';
import { basename } from 'node:path';

export interface Target {
  readonly file: string;
  /** Patterns of test files. */
  readonly tests: readonly string[];
}

const root = new URL('../../', import.meta.url);

/** Shapes, lists and words, without a rule that could be broken. */
const withoutRules = ['issue', 'ledger', 'operation-name', 'parsed', 'plan', 'service-words'];

/** Rules of the domain that other tests than the one by their name hold, or tests besides. */
const heldBy: Readonly<Record<string, readonly string[]>> = {
  hostages: ['lifecycle'],
  'numbering-plan': ['numbering-plan', 'msisdn', 'pac'],
  outcome: ['outcome', 'outcome-edges'],
  'poll-schedule': ['poll-schedule', 'poll-schedule-edges', 'looks-of-a-life'],
  'port-look': ['port-look', 'port-look-edges'],
  redact: ['redact', 'redact-edges'],
  'request-state': ['request-steps', 'request-state'],
  'short-id': ['identity', 'combination'],
  'time-zone': ['calendar-date'],
};

const domain = globSync('shared/domain/*.ts', { cwd: root })
  .map((file) => ({ file, name: basename(file, '.ts') }))
  .filter(({ name }) => !withoutRules.includes(name))
  .map(({ file, name }) => ({
    file,
    tests: (heldBy[name] ?? [name]).map((test) => `test/shared/domain/${test}.test.ts`),
  }))
  .sort((left, right) => left.file.localeCompare(right.file));

/** A step of submit, beside whatever tests are its own: the course of whole messages. */
const submitTests = (...own: readonly string[]) =>
  [...own, 'submit', 'before-the-call', 'answers'].map((name) => `test/functions/submit/${name}.test.ts`);
/** A step of sync that settles requests: its own tests, and whole runs. */
const syncTests = (own: string) =>
  [own, 'in-doubt', 'late-port', 'new-port'].map((name) => `test/functions/sync/${name}.test.ts`);

export const targets: readonly Target[] = [
  ...domain,
  { file: 'shared/aws/conditional.ts', tests: ['test/shared/aws/conditional.test.ts'] },
  { file: 'shared/aws/due.ts', tests: ['test/shared/aws/due.test.ts'] },
  { file: 'shared/aws/leases.ts', tests: ['test/shared/aws/leases.test.ts'] },
  { file: 'shared/aws/read-item.ts', tests: ['test/shared/aws/read-item.test.ts'] },
  { file: 'shared/aws/numbers.ts', tests: ['test/shared/aws/numbers.test.ts'] },
  { file: 'shared/aws/requests.ts', tests: ['test/shared/aws/requests.test.ts'] },
  { file: 'shared/aws/statements.ts', tests: ['test/shared/aws/statements.test.ts'] },
  { file: 'functions/submit/submit.ts', tests: submitTests() },
  { file: 'functions/submit/held-back.ts', tests: submitTests() },
  { file: 'functions/submit/claim.ts', tests: submitTests() },
  { file: 'functions/submit/claim-numbers.ts', tests: ['test/functions/submit/claim-numbers.test.ts'] },
  { file: 'functions/submit/recheck.ts', tests: submitTests() },
  { file: 'functions/submit/intent.ts', tests: submitTests() },
  { file: 'functions/submit/lines-of.ts', tests: submitTests() },
  { file: 'functions/submit/attempt.ts', tests: submitTests() },
  { file: 'functions/submit/call.ts', tests: ['test/functions/submit/call.test.ts'] },
  { file: 'functions/submit/refused-rows.ts', tests: ['test/functions/submit/refused-rows.test.ts'] },
  { file: 'functions/submit/postpone.ts', tests: submitTests('postpone') },
  { file: 'functions/submit/leave.ts', tests: submitTests() },
  { file: 'functions/submit/count-step.ts', tests: submitTests() },
  { file: 'functions/submit/read-back.ts', tests: ['test/functions/submit/read-back.test.ts'] },
  { file: 'functions/sync/adopt.ts', tests: syncTests('adopt') },
  { file: 'functions/sync/keep.ts', tests: ['test/functions/sync/keep.test.ts'] },
  { file: 'functions/sync/own-rows.ts', tests: ['test/functions/sync/own-rows.test.ts'] },
  { file: 'functions/sync/find-ports.ts', tests: ['test/functions/sync/find-ports.test.ts'] },
  {
    file: 'functions/sync/put-off.ts',
    tests: [...syncTests('reconcile'), 'test/functions/sync/adopt.test.ts'],
  },
  { file: 'functions/sync/reconcile.ts', tests: syncTests('reconcile') },
  { file: 'functions/sync/seek.ts', tests: syncTests('reconcile') },
  { file: 'functions/sync/send-again.ts', tests: syncTests('reconcile') },
  { file: 'shared/porting/scan.ts', tests: ['test/shared/porting/scan.test.ts'] },
  {
    file: 'functions/sync/trouble.ts',
    tests: ['trouble', 'sync'].map((name) => `test/functions/sync/${name}.test.ts`),
  },
  { file: 'functions/report/rest.ts', tests: ['test/functions/report/rest.test.ts'] },
];
