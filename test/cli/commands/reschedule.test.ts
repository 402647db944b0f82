// A list of numbers of several imports: each move is asked for before one is followed.
import { expect, test } from 'vitest';
import { moveParts } from '#cli/commands/reschedule.ts';
import type { Session } from '#cli/target/target.ts';
import { someImport } from '../../support/cli/imports.ts';
import { double } from '../../support/double.ts';

test('the moves of all imports are asked for before the first one has begun', async () => {
  const asked: string[] = [];
  const session = double<Session>({
    env: {},
    clock: () => 0,
    wait: async () => {},
    target: {
      command: async (message) => void asked.push('reschedule' in message ? message.reschedule : ''),
      // Ingest begins with a move only after both commands.
      imports: { get: async (importId: string) => (asked.length < 2 ? undefined : someImport({ importId })) },
    },
  });
  const moves = await moveParts(session, [{ importId: 'one' }, { importId: 'two' }], { date: '2026-07-31' });
  expect(asked).toEqual(['one', 'two']);
  expect(new Set(moves.map(({ importId }) => importId)).size).toBe(2);
});
