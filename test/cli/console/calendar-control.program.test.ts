// When the calendar of the simulator runs by itself: not while a person has to act.
import { expect, test } from 'vitest';
import { createCalendarControl, keepChecking } from '#cli/console/simulator-controls.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { emptyAccount } from '../../support/cli/account.ts';
import { someImport } from '../../support/cli/imports.ts';

const planned = someImport({ importId: 'a', state: 'planned', actionRequired: 0 });
const open: ImportItem = { ...planned, state: 'in-progress' };

function start(initial: number, automatic = true) {
  const state = { speed: initial, days: 0, imports: [] as readonly ImportItem[] };
  const lines: string[] = [];
  const control = createCalendarControl({
    automatic,
    calendar: {
      file: 'calendar.json',
      current: () => ({ origin: 0, speed: state.speed }),
      now: () => state.days * 86_400_000,
      change: async ({ speed = state.speed, days = 0 }) => {
        state.speed = speed;
        state.days += days;
      },
    },
    imports: {
      ...emptyAccount.imports,
      list: async ({ limit = 50, before = 'later' } = {}) =>
        state.imports.filter(({ receivedAt }) => receivedAt < before).slice(0, limit),
    },
    report: (line) => lines.push(line),
  });
  const after = async (...imports: ImportItem[]) => {
    state.imports = imports;
    await control.check();
    return state.speed;
  };
  return { control, after, lines };
}

test('it runs while numbers are in progress only, and each change is reported once', async () => {
  const { after, lines } = start(1_440);
  expect(await after()).toBe(0);
  expect(await after(planned)).toBe(0);
  expect(await after({ ...open, state: 'submitting' })).toBe(1_440);
  expect(await after(open)).toBe(1_440);
  expect(await after({ ...open, state: 'finished' })).toBe(0);
  expect(lines).toEqual([expect.stringContaining('paused'), expect.stringContaining('again'), expect.any(String)]);
});

test('it pauses when a number requires action, and runs after the person has acted', async () => {
  const { after } = start(1_440);
  await after(open);
  const needsPac: ImportItem = { ...open, actionRequired: 2 };
  expect(await after(needsPac)).toBe(0);
  const newPacs: ImportItem = { ...planned, importId: 'b', state: 'submitting' };
  expect(await after(needsPac, newPacs)).toBe(1_440);
  // The network has not read the new PACs yet.
  expect(await after(needsPac, { ...newPacs, state: 'finished' })).toBe(1_440);
  expect(await after(open, { ...newPacs, state: 'finished' })).toBe(1_440);
  expect(await after({ ...open, actionRequired: 1 })).toBe(0);
});

test('it pauses for a new import that requires action at once, whatever was accepted before', async () => {
  const { after } = start(1_440);
  const needsPac: ImportItem = { ...open, actionRequired: 2 };
  expect(await after(needsPac)).toBe(1_440);
  const another: ImportItem = { ...open, importId: 'b', actionRequired: 1 };
  expect(await after(needsPac, another)).toBe(0);
  expect(await after(needsPac, another)).toBe(0);
});

test('it stays paused while the person only validates the correction, or imports a file that is rejected', async () => {
  const { after } = start(1_440);
  await after(open);
  const needsPac: ImportItem = { ...open, actionRequired: 2 };
  expect(await after(needsPac)).toBe(0);
  const correction: ImportItem = { ...planned, importId: 'b' };
  const rejected: ImportItem = { ...planned, importId: 'c', state: 'rejected' };
  expect(await after(needsPac, { ...correction, state: 'planning' })).toBe(0);
  expect(await after(needsPac, correction, rejected)).toBe(0);
  expect(await after(needsPac, { ...correction, state: 'submitting' }, rejected)).toBe(1_440);
});

test('it runs while numbers are in progress behind hundreds of validations', async () => {
  const { after } = start(1_440);
  const validated = (minute: number) => new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString();
  const newer = Array.from({ length: 300 }, (_, index) =>
    someImport({ importId: `v${index}`, state: 'planned', validation: true, receivedAt: validated(300 - index) }),
  );
  expect(await after(...newer, { ...open, receivedAt: validated(0) })).toBe(1_440);
});

test('actions of earlier days do not stop a new start', async () => {
  const { after } = start(1_440);
  expect(await after({ ...open, actionRequired: 7 })).toBe(1_440);
});

test('a person who was waited for when the last run ended is still waited for', async () => {
  const { after } = start(0);
  const needsPac: ImportItem = { ...open, actionRequired: 1 };
  expect(await after(needsPac)).toBe(0);
  expect(await after(needsPac)).toBe(0);
  expect(await after(needsPac, { ...planned, importId: 'b', state: 'submitting' })).toBe(1_440);
});

test('a speed that a person chose stays, and so does a pause, until it is automatic again', async () => {
  const { control, after } = start(1_440);
  expect(await control.move({ speed: 60 })).toMatchObject({ speed: 60, automatic: false });
  expect(await after(planned)).toBe(60);
  expect(await control.move({ speed: 0 })).toMatchObject({ speed: 0, automatic: false });
  expect(await after(open)).toBe(0);
  expect(await control.move({ automatic: true })).toMatchObject({ speed: 1_440, automatic: true });
});

test('a skipped day changes neither the speed nor who decides about it', async () => {
  const { control, after } = start(1_440);
  await after(planned);
  const { now, ...rest } = await control.move({ days: 1 });
  expect([now, rest]).toEqual(['1970-01-02T00:00:00.000Z', { speed: 0, automatic: true }]);
});

test('a folder whose calendar was paused runs a day a minute again', async () => {
  const { after } = start(0);
  expect(await after(open)).toBe(1_440);
});

test('with a speed of the command line nothing pauses', async () => {
  const { after, lines } = start(86_400, false);
  expect(await after(planned)).toBe(86_400);
  expect(lines).toEqual([]);
});

test('checking takes at most a fifth of the time, however many imports there are', async () => {
  const stopping = new AbortController();
  const pauses: number[] = [];
  let now = 0;
  const tookMs = [10, 2_000, 500, 0];
  const check = async () => {
    now += tookMs.shift() ?? 0;
    if (tookMs.length === 0) stopping.abort();
  };
  const wait = async (milliseconds: number, signal: AbortSignal) => {
    signal.throwIfAborted();
    pauses.push(milliseconds);
  };
  await keepChecking(check, stopping.signal, { clock: () => now, wait });
  expect(pauses).toEqual([1_000, 1_000, 8_000, 2_000]);
});
