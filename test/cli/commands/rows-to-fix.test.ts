// What `results` and `rejected` show of a file that was rejected as a whole.
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { showResults } from '#cli/commands/results.ts';
import { configureRejected } from '#cli/commands/rows-to-fix.ts';
import type { Actions } from '#cli/context/command.ts';
import type { Session } from '#cli/target/target.ts';
import { errorAt } from '#shared/row/issue.ts';
import { someImport } from '../../support/cli/imports.ts';
import { memoryTerminal } from '../../support/cli/terminal.ts';
import { double } from '../../support/double.ts';

const reason = 'the column portType is missing: add it';
const item = someImport({
  state: 'rejected',
  rows: 0,
  accepted: 0,
  requestCount: 0,
  requests: {},
  ports: {},
  issues: [errorAt(1, 'HEADER_MISSING_COLUMN', reason)],
});

function sessionWith(terminal: Session['terminal']): Session {
  const noRequests = { ofImport: async function* () {} };
  const files = { head: async () => undefined };
  const imports = { get: async () => item, list: async () => [item], parts: async () => [] };
  return double({
    terminal,
    target: { resources: { resultsBucket: 'results' }, files, imports, requests: noRequests },
  });
}

test('results names the reason and what to do instead of empty tables', async () => {
  const { terminal, stdout, stderr } = memoryTerminal();
  await showResults(sessionWith(terminal), item, 20);
  expect(stdout()).toMatch(/^waits for answers: nothing of the file was sent\..*\n\nline +column +severity +problem\n/);
  expect(stdout()).toContain(reason);
  expect(stdout()).not.toContain('what to do');
  expect(stderr()).toBe('Fix the file and import it again.\n');
});

test('results names the state of a file that is still being read', async () => {
  const { terminal, stdout } = memoryTerminal();
  await showResults(sessionWith(terminal), { ...item, state: 'planning', issues: [] }, 20);
  expect(stdout()).toBe('planning: the file is being read\n');
});

test('rejected does not end with "No row is rejected"', async () => {
  const { terminal, stdout, stderr } = memoryTerminal();
  const onTarget: Actions['onTarget'] =
    (action) =>
    async (...values) =>
      void (await action(sessionWith(terminal), ...(values as never)));
  await configureRejected(new Command(), double({ onTarget })).parseAsync([item.importId], { from: 'user' });
  expect(stdout()).toContain(reason);
  expect(stderr()).toBe('The whole file was rejected. Fix the file and import it again.\n');
});
