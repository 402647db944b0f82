// What the commands stop, resume and undo send to ingest.
import { expect, test } from 'vitest';
import { endSending, sendStop, stopSending } from '#cli/commands/stop.ts';
import type { Session } from '#cli/target/target.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { takesStop } from '#shared/import/import-state.ts';
import { partsAmong } from '../../support/cli/account.ts';
import { someImport } from '../../support/cli/imports.ts';
import { memoryTerminal } from '../../support/cli/terminal.ts';
import { double } from '../../support/double.ts';

/** A session over these imports, in which a stop ends the sending at once. */
function sessionOver(...items: ImportItem[]) {
  const stored = new Map(items.map((item) => [item.importId, item]));
  const stopped: string[] = [];
  const command = async ({ stop, at }: { stop: string; at: string }) => {
    stopped.push(stop);
    // As ingest does: the first import, and each part that takes the stop.
    for (const item of stored.values()) {
      if (item.importId !== stop && !takesStop(item, 'for-good')) continue;
      const state = item.state === 'finished' ? item.state : 'in-progress';
      stored.set(item.importId, { ...item, state, stop: { kind: 'for-good', by: 'Sam', at } });
    }
  };
  const imports = {
    get: async (id: string) => stored.get(id),
    list: async () => [...stored.values()].reverse(),
    parts: async (first: ImportItem) => partsAmong([...stored.values()], first),
  };
  const noRequests = { get: async () => undefined, actionRequired: async () => [], ofImport: async function* () {} };
  const session = {
    target: {
      kind: 'emulator' as const,
      resources: { account: '1001@service' },
      command,
      imports,
      requests: noRequests,
    },
    terminal: memoryTerminal().terminal,
    json: true,
    env: {},
    clock: () => Date.parse('2026-07-06T09:00:00Z'),
    wait: async () => {},
  };
  return { session: double<Session>(session), stopped };
}

const partOf = { importId: 'root', kind: 'correction' } as const;
const family = (rootState: ImportItem['state'], ...states: ImportItem['state'][]) => [
  someImport({ importId: 'root', state: rootState, hasParts: true }),
  ...states.map((state, place) => someImport({ importId: `part${place}`, state, partOf })),
];

test.each(['root', 'part0'])('undo of %s ends the import with all of its parts by one command', async (named) => {
  const items = family('in-progress', 'submitting', 'stopped', 'finished', 'in-progress');
  const { session, stopped } = sessionOver(...items);
  const item = items.find(({ importId }) => importId === named) ?? someImport();
  expect(await endSending(session, item, undefined)).toMatchObject({ importId: 'root', stop: { kind: 'for-good' } });
  expect(stopped).toEqual(['root']);
});

test('undo ends the parts of an import that has finished, and nothing where these have ended, too', async () => {
  const sending = sessionOver(...family('finished', 'finished', 'submitting'));
  await endSending(sending.session, family('finished')[0] ?? someImport(), undefined);
  expect(sending.stopped).toEqual(['root']);
  const over = sessionOver(...family('finished', 'finished'));
  await endSending(over.session, family('finished')[0] ?? someImport(), undefined);
  expect(over.stopped).toEqual([]);
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

test('stop answers when no further call begins, although thousands of requests are still to be marked', async () => {
  const item = someImport({ importId: 'root', state: 'submitting' });
  let now = Date.parse('2026-07-06T09:00:00Z');
  let [sent, reads] = [0, 0];
  const command = async () => {
    sent = now;
  };
  // Ingest records the command two seconds later, behind other messages.
  const get = async (): Promise<ImportItem> => {
    reads += 1;
    const stop = { kind: 'until-resumed', by: 'Sam', at: new Date(sent).toISOString() } as const;
    return sent > 0 && now >= sent + 2_000 ? { ...item, stop } : item;
  };
  const { session } = sessionOver(item);
  const stopped = await stopSending(
    {
      ...session,
      target: { ...session.target, command, imports: { ...session.target.imports, get } },
      clock: () => now,
      wait: async (ms) => {
        now += ms ?? 0;
      },
    },
    item,
    undefined,
  );
  expect(stopped).toMatchObject({ state: 'submitting', stop: { kind: 'until-resumed' } });
  expect(now - sent).toBeGreaterThanOrEqual(5_000);
  expect(now - sent).toBeLessThan(6_000);
  expect(reads).toBeLessThan(40);
});

test('a command is later than the one that its sender saw, whose clock was ahead', async () => {
  const seen = { kind: 'none', by: 'Alex', at: '2026-07-06T09:03:00.000Z' } as const;
  const { session } = sessionOver(someImport({ importId: 'root', state: 'submitting', stop: seen }));
  const stopped = await sendStop(
    session,
    someImport({ importId: 'root', state: 'submitting', stop: seen }),
    'for-good',
    undefined,
  );
  expect(stopped.stop).toMatchObject({ kind: 'for-good', at: '2026-07-06T09:03:00.001Z' });
});
