// What the commands stop, resume and undo send to ingest.
import { expect, test } from 'vitest';
import { endSending, sendStop } from '#cli/imports/stop-import.ts';
import type { Session } from '#cli/target/target.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { someImport } from '../../support/cli/imports.ts';
import { memoryTerminal } from '../../support/cli/terminal.ts';
import { double } from '../../support/double.ts';

/** A session over these imports, in which a stop ends the sending at once. */
function sessionOver(...items: ImportItem[]) {
  const stored = new Map(items.map((item) => [item.importId, item]));
  const stopped: string[] = [];
  const command = async ({ stop, at }: { stop: string; at: string }) => {
    stopped.push(stop);
    const item = stored.get(stop);
    if (item) stored.set(stop, { ...item, state: 'in-progress', stop: { kind: 'for-good', by: 'Sam', at } });
  };
  const imports = { get: async (id: string) => stored.get(id), list: async () => [...stored.values()].reverse() };
  const noRequests = { get: async () => undefined, actionRequired: async () => [], ofImport: async function* () {} };
  const session = {
    target: { kind: 'emulator' as const, command, imports, requests: noRequests },
    terminal: memoryTerminal().terminal,
    json: true,
    env: {},
    clock: () => Date.parse('2026-07-06T09:00:00Z'),
    wait: async () => {},
  };
  return { session: double<Session>(session), stopped };
}

test('undo ends an import and each of its corrections that is still being sent', async () => {
  const root = someImport({ importId: 'root', state: 'in-progress', hasCorrections: true });
  const correction = (importId: string, state: ImportItem['state']) =>
    someImport({ importId, state, rootImportId: 'root', receivedAt: '2026-07-02T10:00:00.000Z' });
  const others = [
    correction('sending', 'submitting'),
    correction('waiting', 'stopped'),
    correction('over', 'finished'),
  ];
  const { session, stopped } = sessionOver(root, ...others, correction('sent', 'in-progress'));
  await endSending(session, root, undefined);
  expect(stopped).toEqual(['root', 'sending', 'waiting']);
});

test.each([
  ['finished', 'none', 'Every request of this import has ended.', / results import-a$/],
  ['finished', 'until-resumed', 'Every request of this import has ended.', / results import-a$/],
  ['rejected', 'none', 'Nothing of this import is sent: it was rejected.', /^Fix the file and import it again\.$/],
  ['submitting', 'none', 'This import is not stopped.', / status import-a$/],
] as const)(
  'a command that a %s import does not take names the next step: %s',
  async (state, kind, message, advice) => {
    const item = someImport({ importId: 'import-a', state });
    await expect(sendStop(sessionOver(item).session, item, kind, undefined)).rejects.toMatchObject({
      message,
      code: 'declined',
      advice: expect.stringMatching(advice),
    });
  },
);
