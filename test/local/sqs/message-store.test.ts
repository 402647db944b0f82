// Delays and visibility timeouts when the clock of the machine is set, or its disk is full.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { steadyClock } from '#local/clock.ts';
import { MessageStore } from '#local/sqs/message-store.ts';

const hour = 3_600_000;
const day = 24 * hour;
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'emulator-messages-'));
});
afterEach(() => rm(directory, { recursive: true }));

const message = { body: 'a', delayMs: 0, attributes: {}, systemAttributes: {} };
const options = { limit: 10, visibilityMs: 30_000, redrive: undefined };

describe.each([
  ['an hour', hour],
  ['a day', day],
])('a clock that is set back by %s', (_, step) => {
  test('does not change the time of a running emulator', () => {
    const now = steadyClock();
    const before = now();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - step });
    try {
      expect(now() - before).toBeGreaterThanOrEqual(0);
      expect(now() - before).toBeLessThan(1_000);
    } finally {
      vi.useRealTimers();
    }
  });

  test('before a restart makes no delay longer', () => {
    const file = join(directory, 'sqs.sqlite');
    let time = 10 * day;
    const clock = () => time;
    const first = new MessageStore(file, clock);
    first.send('work', { ...message, delayMs: 60_000 });
    first.send('work', message);
    expect(first.receive('work', options)).toHaveLength(1);
    first.close();

    time -= step;
    const second = new MessageStore(file, clock);
    expect(second.depth('work')).toEqual({ ready: 1, delayed: 1, inFlight: 0 });
    time += 60_000;
    expect(second.receive('work', options)).toHaveLength(2);
    second.close();
  });
});

test('while the disk is full no message is hidden or lost, and one in flight is visible after its time', () => {
  const file = join(directory, 'sqs.sqlite');
  let time = 0;
  const store = new MessageStore(file, () => time);
  for (let sent = 0; sent < 2; sent += 1) store.send('work', message);
  const [{ receipt } = { receipt: '' }] = store.receive('work', { ...options, limit: 1 });

  const disk = new DatabaseSync(file);
  for (const write of ['INSERT', 'UPDATE', 'DELETE']) {
    const fails = "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END";
    disk.exec(`CREATE TRIGGER full_${write} BEFORE ${write} ON messages ${fails}`);
  }
  expect(() => store.delete('work', receipt ?? '')).toThrow('disk is full');
  expect(() => store.changeVisibility('work', receipt ?? '', 60_000)).toThrow('disk is full');
  expect(() => store.receive('work', options)).toThrow('disk is full');
  expect(store.depth('work')).toEqual({ ready: 1, delayed: 0, inFlight: 1 });
  for (const write of ['INSERT', 'UPDATE', 'DELETE']) disk.exec(`DROP TRIGGER full_${write}`);
  disk.close();

  expect(store.receive('work', options)).toHaveLength(1);
  time = options.visibilityMs;
  expect(store.receive('work', options)).toHaveLength(2);
  store.close();
});

test('a message that became visible after a receive is not waited for until another one becomes visible', () => {
  let time = 0;
  const store = new MessageStore(undefined, () => time);
  store.send('work', { ...message, delayMs: 1_000 });
  store.send('work', { ...message, delayMs: 20_000 });
  expect(store.receive('work', options)).toEqual([]);
  time = 1_000;
  expect(store.nextVisibleAt('work')).toBe(1_000);
  store.close();
});
