// What `status` shows of one import: also that the function which worked on it crashed.
import { expect, test } from 'vitest';
import type { Session } from '#cli/target/target.ts';
import {
  describeFollowing,
  describeImport,
  describeRejected,
  describeRejection,
  formatFindings,
} from '#cli/views/import-view.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { attemptUntil } from '#shared/import/import-state.ts';
import type { ImportProgress } from '#shared/results/answers.ts';
import type { Issue } from '#shared/row/issue.ts';
import { memoryTerminal } from '../../support/cli/terminal.ts';
import { minute } from '../../support/service/simulator.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';

const start = Date.parse('2026-07-06T09:00:00.000Z');

const sessionAt = (minutes: number, kind: 'temporary' | 'emulator' = 'temporary') =>
  ({
    terminal: { width: 120, paint: (_style: string, text: string) => text },
    target: { kind, resources: { account: '1001@service' } },
    clock: () => start + minutes * minute,
  }) as unknown as Session;

function shownAfter(
  minutes: number,
  changes: Partial<ImportItem> = {},
  outcomes: ImportProgress['outcomes'] = {},
): string {
  const item = importItemOf('import-a', { state: 'planning', attemptUntil: attemptUntil(start), ...changes });
  return describeImport(sessionAt(minutes), item, { outcomes } as ImportProgress).join('\n');
}

test('an import whose ingest crashed shows until when it waits for redelivery', () => {
  expect(shownAfter(4)).toMatch(
    /interrupted +waiting for redelivery until 2026-07-06 09:05 UTC, then for the next run/,
  );
});

test('one whose attempts all failed shows that none follows until its message is redriven', () => {
  const rescues = { times: 8, at: new Date(start).toISOString() };
  expect(shownAfter(60, { receivedAt: new Date(start).toISOString(), rescues })).toMatch(
    /interrupted +every attempt failed, and none follows: docs\/guides\/runbook\.md#ingest-dead-letters/,
  );
});

test('one that is worked on, or is further, shows nothing of it', () => {
  expect(shownAfter(1)).not.toContain('interrupted');
  expect(shownAfter(60, { state: 'submitting' })).not.toContain('interrupted');
});

test('an import of an older version of a file names the import of the later one (fault 2)', () => {
  expect(shownAfter(1, { supersededBy: 'import-b' })).toMatch(
    /superseded +by import-b, of a later version of the file/,
  );
  expect(shownAfter(1)).not.toContain('superseded');
});

test('an import of another account names it, and says that it is held unless it is over', () => {
  const other = { account: '1002@another', rows: 3, accepted: 3 } as const;
  expect(shownAfter(1, { ...other, state: 'submitting' })).toMatch(
    /^belongs to +account 1002 at another\nheld +This import is of account 1002 at another, and simporter works for account 1001 at service\. It is held until/m,
  );
  const finished = shownAfter(1, { ...other, state: 'finished' });
  expect(finished).toMatch(/^belongs to +account 1002 at another$/m);
  expect(finished).not.toContain('held');
  expect(shownAfter(1, { state: 'submitting' })).not.toMatch(/belongs to|held/);
});

test('the rejected rows that the first findings do not name are counted, with the command that shows them', () => {
  const error = { column: 'pac', code: 'PAC_SHAPE', message: 'no PAC', severity: 'error' } as const;
  const notice = { ...error, code: 'HEADER_COLUMNS_NOT_USED', severity: 'notice', line: 1 } as const;
  const issues: Issue[] = [notice, ...[2, 2, 3].map((line) => ({ ...error, line }))];
  const lastOf = (rejected: number) =>
    formatFindings(importItemOf('import-a', { issues, rejected }), memoryTerminal().terminal).at(-1);
  expect(lastOf(5)).toBe('and 3 more rejected rows: npm run simporter -- rejected import-a');
  expect(lastOf(2)).toMatch(/^ +3 .*no PAC$/);
});

test('rows are counted once the file is read', () => {
  expect(shownAfter(1)).not.toMatch(/^rows/m);
  expect(shownAfter(1, { state: 'submitting', rows: 3, accepted: 3 })).toMatch(/^rows +3 rows: 3 accepted/m);
});

test('notices are not warnings, and the line states no reason for a skipped row', () => {
  const read = { state: 'finished', rows: 3, accepted: 3, warnings: 2 } as const;
  expect(shownAfter(1, read, { skipped: 1 })).toMatch(
    /^rows +3 rows: 3 accepted, 0 rejected, 2 warnings and notices, 1 skipped$/m,
  );
});

test('only a plan that waits for approval states that nothing was sent', () => {
  const planned = { state: 'planned', rows: 3, accepted: 3 } as const;
  expect(shownAfter(1, { ...planned, planOnly: true })).toMatch(/^state +planned: nothing was sent yet$/m);
  expect(shownAfter(1, { ...planned, planOnly: false })).toMatch(/^state +planned: its requests are sent next$/m);
});

test('an import whose ports are moved shows how far it is', () => {
  const moving = shownAfter(1, { state: 'finished', rows: 2, accepted: 2 }, { 'in-progress': 2 });
  expect(moving).toMatch(/^progress +0 of 2 ported, 2 in progress$/m);
});

test('the file with the rows to correct is that of the first import', () => {
  const root = importItemOf('import-a', {
    operation: 'create-port',
    outcomes: { declined: 1 },
    corrections: { 'update-port': 2, 'create-port': 1 },
  });
  const whole = { outcomes: { declined: 1, rejected: 3, complete: 4 } };
  const part = importItemOf('import-b', {
    state: 'finished',
    operation: 'update-port',
    rejected: 1,
    partOf: { importId: 'import-a', kind: 'pacs' },
  });
  const steps = (item: ImportItem, own: ImportProgress) =>
    describeImport(sessionAt(1, 'emulator'), item, own, { root, progress: whole, shown: whole }).filter((line) =>
      line.startsWith('To '),
    );
  const ofRoot = [
    'To enter 2 new PACs: npm run simporter -- corrections import-a --csv correct.csv',
    'To fix 1 declined row: npm run simporter -- corrections import-a --csv correct-create-port.csv --operation create-port',
  ];
  const ofPart = 'To fix the rejected rows: npm run simporter -- rejected import-b --csv rejected.csv';
  expect(steps(part, { outcomes: { rejected: 1 } })).toEqual([...ofRoot, ofPart]);
  expect(steps({ ...part, rejected: 0 }, { outcomes: { accepted: 1 } })).toEqual(ofRoot);
});

test('a rejected file names the page about spreadsheets where the file is the reason', () => {
  const issue = { line: 1, column: null, message: '', severity: 'error' } as const;
  const shown = (code: Issue['code']) =>
    describeRejection(
      importItemOf('a', { state: 'rejected', issues: [{ ...issue, code }] }),
      memoryTerminal().terminal,
    );
  expect(shown('HEADER_MISSING_COLUMN').join()).toContain('docs/guides/my-spreadsheet.md');
  expect(shown('TARIFF_UNKNOWN').join()).not.toContain('docs/');
});

test('duplicates are counted beside the rejected rows, not among them', () => {
  expect(describeRejected(importItemOf('import-a', { rejected: 6, duplicates: 1 }))).toEqual([
    '5 rejected',
    '1 duplicate',
  ]);
  expect(describeRejected(importItemOf('import-a', { rejected: 6 }))).toEqual(['6 rejected']);
});

test('only an import that goes on is to be followed; a rejected file is to be fixed', () => {
  const followingOf = (state: ImportItem['state']) => describeFollowing(importItemOf('import-a', { state }));
  expect(followingOf('submitting')).toEqual([expect.stringMatching(/^To follow it: .* status import-a/)]);
  expect(followingOf('rejected')).toEqual(['Fix the file and import it again.']);
  expect(followingOf('finished')).toEqual([]);
});
