// The files that are mutated, and the tests that must detect it: the tests of the file and others that check its rules.
import { globSync } from 'node:fs';
import { basename } from 'node:path';

export interface Target {
  readonly file: string;
  /** Patterns of test files. */
  readonly tests: readonly string[];
}

const root = new URL('../../', import.meta.url);

/** Files with shapes, lists and texts, without rules. */
const withoutRules = [
  'audit-entry',
  'issue',
  'operation-name',
  'parsed',
  'plan',
  'service-aliases',
  'split-item',
  'mobile-ranges',
  'answer',
];

const requestSteps = ['request-steps', 'request-answers', 'resolved-requests'];

/** Files whose rules are checked by other or by further tests than the one with their name: names, or paths. */
const testsOf: Readonly<Record<string, readonly string[]>> = {
  'date-order': ['date-order', 'functions/ingest/real-files'],
  'blocked-rows': ['port-status'],
  'ms-until': ['shared/clock-steps-back'],
  'numbering-plan': ['numbering-plan', 'msisdn', 'pac'],
  'ingest-attempt': ['functions/ingest/hold-attempt'],
  'iso-time': ['port-snapshot', ...requestSteps],
  outcome: ['outcome', 'outcome-edges', 'correctable-rows'],
  'poll-intervals': ['poll-schedule', 'poll-schedule-edges', 'snapshots-of-a-port'],
  'poll-schedule': ['poll-schedule', 'poll-schedule-edges', 'snapshots-of-a-port'],
  'port-concern': ['port-snapshot', 'port-snapshot-edges'],
  'port-snapshot': ['port-snapshot', 'port-snapshot-edges'],
  'rate-limit-item': ['rate-limit'],
  'read-back': ['functions/sync/follow/confirm-services', ...requestSteps],
  redact: ['redact', 'redact-edges'],
  'request-state': [...requestSteps, 'request-state', 'declined-requests'],
  'short-id': ['identity', 'combination'],
  'stopped-request': ['functions/ingest/stop', 'functions/submit/stopped-import', 'functions/sync/follow/reschedule'],
  'time-zone': ['calendar-date'],
  'unknown-outcome': ['unknown-outcome', ...requestSteps],
};

const domain = globSync('shared/domain/*/*.ts', { cwd: root })
  .map((file) => ({ file, name: basename(file, '.ts') }))
  .filter(({ name }) => !withoutRules.includes(name))
  .map(({ file, name }) => ({
    file,
    tests: (testsOf[name] ?? [name]).flatMap((test) =>
      globSync(`test/${test.includes('/') ? '' : 'shared/domain/*/'}${test}.test.ts`, { cwd: root }),
    ),
  }))
  .sort((left, right) => left.file.localeCompare(right.file));

const ingestTests = (...names: readonly string[]) => names.map((name) => `test/functions/ingest/${name}.test.ts`);
/** The tests of a part of submit, and tests of whole messages. */
const submitTests = (...own: readonly string[]) =>
  [...own, 'submit', 'before-the-call', 'answers'].map((name) => `test/functions/submit/${name}.test.ts`);
/** The tests of a part of sync that finds unknown outcomes, and tests of whole runs. */
const syncTests = (own: string) =>
  [own, 'unknown-outcomes', 'late-port', 'new-port'].flatMap((name) =>
    globSync(`test/functions/sync/{,*/}${name}.test.ts`, { cwd: root }),
  );

export const targets: readonly Target[] = [
  ...domain,
  { file: 'shared/store/tables/conditional-write.ts', tests: ['test/shared/store/tables/conditional-write.test.ts'] },
  {
    file: 'shared/store/tables/table.ts',
    tests: ['test/shared/store/tables/table.test.ts', 'test/shared/store/tables/table-items.test.ts'],
  },
  { file: 'shared/store/tables/leases.ts', tests: ['test/shared/store/tables/leases.test.ts'] },
  { file: 'shared/store/tables/read-item.ts', tests: ['test/shared/store/tables/read-item.test.ts'] },
  { file: 'shared/store/tables/numbers.ts', tests: ['test/shared/store/tables/numbers.test.ts'] },
  { file: 'shared/store/tables/requests.ts', tests: ['test/shared/store/tables/requests.test.ts'] },
  { file: 'shared/store/tables/batch-statements.ts', tests: ['test/shared/store/tables/batch-statements.test.ts'] },
  { file: 'functions/ingest/correction.ts', tests: ingestTests('corrections', 'approve', 'correction-operation') },
  {
    file: 'functions/ingest/approve.ts',
    tests: [...ingestTests('approve', 'release'), 'test/functions/api/approval-channels.test.ts'],
  },
  { file: 'functions/ingest/release.ts', tests: ingestTests('release', 'approve', 'reschedule') },
  {
    file: 'shared/results/answered-rows.ts',
    tests: [
      'test/shared/results/answered-rows.test.ts',
      ...ingestTests('corrections'),
      'test/functions/report/merged-results.test.ts',
    ],
  },
  {
    file: 'shared/results/merged-outcomes.ts',
    tests: ['test/shared/results/merged-outcomes.test.ts', 'test/functions/report/merged-results.test.ts'],
  },
  {
    file: 'functions/submit/choose-rows.ts',
    tests: submitTests('claim-rows', 'claim-numbers', 'claim-corrected-rows'),
  },
  {
    file: 'functions/submit/held-claims.ts',
    tests: ['test/functions/submit/claim-numbers.test.ts', 'test/functions/submit/claim-corrected-rows.test.ts'],
  },
  {
    file: 'functions/submit/send-request.ts',
    tests: submitTests(
      'call-service',
      'declined-rows',
      'doubtful-declines',
      'named-rows',
      'split-requests',
      'declined-tickets',
      'changes',
      'check-decline',
    ),
  },
  {
    file: 'functions/submit/end-message.ts',
    tests: submitTests('requeue-message', 'call-service', 'doubtful-declines', 'check-decline'),
  },
  { file: 'functions/submit/submit.ts', tests: ['test/functions/submit/read-back.test.ts'] },
  { file: 'functions/sync/unknown-outcomes/adopt-port.ts', tests: syncTests('adopt-port') },
  {
    file: 'functions/sync/resolve/resolve-duplicate.ts',
    tests: ['test/functions/sync/resolve/resolve-duplicate.test.ts'],
  },
  {
    file: 'functions/sync/unknown-outcomes/verify-port-rows.ts',
    tests: ['test/functions/sync/unknown-outcomes/verify-port-rows.test.ts'],
  },
  {
    file: 'functions/sync/unknown-outcomes/find-ports.ts',
    tests: ['test/functions/sync/unknown-outcomes/find-ports.test.ts'],
  },
  {
    file: 'functions/sync/defer-unreadable.ts',
    tests: [...syncTests('reconcile'), 'test/functions/sync/unknown-outcomes/adopt-port.test.ts'],
  },
  { file: 'functions/sync/unknown-outcomes/reconcile.ts', tests: syncTests('reconcile') },
  { file: 'functions/sync/unknown-outcomes/search-port-list.ts', tests: syncTests('reconcile') },
  { file: 'functions/sync/upkeep/resend-messages.ts', tests: syncTests('reconcile') },
  { file: 'shared/ledger/observe-port.ts', tests: ['test/shared/ledger/observe-port.test.ts'] },
  { file: 'shared/ledger/move-request.ts', tests: ['test/shared/ledger/move-request.test.ts'] },
  {
    file: 'shared/porting/scan-port-list.ts',
    tests: ['scan-port-list', 'scan-incorrect-list'].map((name) => `test/shared/porting/${name}.test.ts`),
  },
  {
    file: 'functions/sync/failure-classifier.ts',
    tests: ['failure-classifier', 'sync'].map((name) => `test/functions/sync/${name}.test.ts`),
  },
  { file: 'functions/report/refresh-throttle.ts', tests: ['test/functions/report/refresh-throttle.test.ts'] },
];
