// A change of a port that meets a move of the port: a number is never said to be cancelled while it is being ported.
import { beforeEach, describe, expect, test } from 'vitest';
import { resultsOf } from '#shared/outcome/request-results.ts';
import type { SubmitMessage } from '#shared/request/messages.ts';
import { Ambiguous } from '#shared/service/errors.ts';
import { hour, minute } from '../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { planRequest } from '../../support/steps/planned-requests.ts';
import { both, livePortsOf, move, ported, submitWaiting, syncUntilReleased } from '../../support/steps/rescheduling.ts';
import { importItemOf, msisdnOf, plannedRowOf } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

let portId = '';
beforeEach(async () => {
  await ported(both);
  portId = (await rig.request('import-a')).portId ?? '';
});

/** A cancellation that is planned now and sent later, of the numbers or of the whole port. */
async function planCancellation(whole = false, indexes = [1, 2], importId = 'undo'): Promise<SubmitMessage> {
  await rig.imports.begin(importItemOf(importId, { operation: 'cancel-port', key: 'cancel-port/undo.csv' }));
  const numbers = indexes.map((index) => ({ line: index + 1, subject: msisdnOf(index), wire: { pac: null } }));
  return planRequest(rig, {
    importId,
    operation: 'cancel-port',
    head: { portId, action: 'cancel', whole },
    rows: whole ? [{ line: 2, subject: portId, wire: { pac: null } }] : numbers,
  });
}

/** Until nothing of the move is left to do. */
async function finishMove(): Promise<void> {
  for (let minutes = 0; minutes < 40; minutes += 1) {
    rig.pass(minute);
    await rig.sync();
    await submitWaiting();
  }
}

/** The answer to a cancellation is lost, and the move cancels its port. */
async function moveAfterLostAnswer(message: SubmitMessage): Promise<void> {
  const { client } = rig.submitParts();
  const cancelPort = () => Promise.reject(new Ambiguous('reset', { call: 'DELETE /port' }));
  expect(await rig.submit(message, { client: { ...client, cancelPort } })).toBe('unknown');
  await move('2026-07-20');
  await syncUntilReleased(1);
  await finishMove();
}

const outcomes = async () => [...resultsOf(await rig.request('undo')).values()].map(({ outcome }) => outcome);
const isLive = async () => (await livePortsOf(msisdnOf(1))).length > 0;

/** How far the move is when the change is sent. */
const steps = {
  'waits to be made': async () => {},
  'has cancelled the old port': () => syncUntilReleased(1),
  'is done': async () => {
    await syncUntilReleased(1);
    await submitWaiting();
    rig.pass(minute);
    await rig.sync();
  },
};

describe.each(['numbers', 'whole port'] as const)('a cancellation of %s', (what) => {
  test.each(Object.keys(steps) as (keyof typeof steps)[])('is skipped while the move of the port %s', async (step) => {
    const message = await planCancellation(what === 'whole port');
    const { importId } = await move('2026-07-20');
    await steps[step]();
    const calls = rig.calls.length;
    await rig.submit(message);
    expect(rig.calls.slice(calls)).toEqual([]);
    services.emptyQueues();
    await finishMove();
    expect(new Set(await outcomes())).toEqual(new Set(['skipped']));
    expect(await isLive()).toBe(true);
    const [row] = (await rig.request('undo')).excludedRows ?? [];
    expect(row?.message).toContain(`The import ${importId} moves the port to another day`);
  });
});

test('a cancellation whose answer was lost is skipped if the move cancelled the port: its number is live', async () => {
  await moveAfterLostAnswer(await planCancellation());
  expect(new Set(await outcomes())).toEqual(new Set(['skipped']));
  expect(await isLive()).toBe(true);
});

test('rows that the call of unknown outcome left out stay skipped beside those that the move took along', async () => {
  await moveAfterLostAnswer(await planCancellation(false, [1, 2, 9]));
  expect(await outcomes()).toEqual(['skipped', 'skipped', 'skipped']);
  const { excludedRows = [] } = await rig.request('undo');
  expect(excludedRows.map(({ line }) => line).sort((one, other) => one - other)).toEqual([2, 3, 10]);
});

test('a cancellation that is planned after the move says in which port the number is', async () => {
  const { importId } = await move('2026-07-20');
  await steps['is done']();
  await rig.submit(await planCancellation());
  const [row] = (await rig.request('undo')).excludedRows ?? [];
  const now = (await rig.request(importId)).portId;
  expect(row?.message).toBe(`${msisdnOf(1)} is in port ${now} now (line 2 of import ${importId}): change it there`);
});

test('a cancellation says that a number is about to be in the port of another import', async () => {
  expect(await rig.submit(await planCancellation())).toBe('accepted');
  for (let hours = 0; hours < 3; hours += 1) {
    rig.pass(hour);
    await rig.sync();
  }
  const { client } = rig.submitParts();
  const createPort = () => Promise.reject(new Ambiguous('reset', { call: 'POST /port' }));
  const message = await rig.planOne('import-b', [plannedRowOf(1, 2)]);
  expect(await rig.submit(message, { client: { ...client, createPort } })).toBe('unknown');
  expect(await rig.submit(await planCancellation(false, [1, 2], 'again'))).toBe('skipped');
  const [first, second] = (await rig.request('again')).excludedRows ?? [];
  expect(first?.message).toBe(
    `${msisdnOf(1)} is about to be in another port (line 2 of import import-b): change it there`,
  );
  expect(second?.message).toContain('was cancelled before');
});

test('a port that no move touches, or whose move was declined, is cancelled', async () => {
  const rejected = await move('2026-07-19');
  expect(rejected.state).toBe('rejected');
  expect(await rig.submit(await planCancellation())).toBe('accepted');
  await finishMove();
  expect(await outcomes()).toEqual(['accepted', 'accepted']);
  expect(await isLive()).toBe(false);
});

test('a cancellation that a move overtakes at the service is not reported as done', async () => {
  const message = await planCancellation();
  const parts = rig.submitParts();
  // The move begins after the last reading before the call.
  const updatePort: typeof parts.client.cancelPort = async (id) => {
    await parts.client.cancelPort(id);
    const { importId } = await move('2026-07-20');
    const held = await rig.request(importId);
    const replaces = held.replaces && { ...held.replaces, cancelRequestedAt: '2026-07-06T12:00:00.000Z' };
    await rig.requests.replace(held, { ...held, replaces });
  };
  const client = { ...parts.client, cancelPort: updatePort };
  expect(await rig.submit(message, { client })).toBe('declined');
  expect((await rig.request('undo')).error?.message).toContain('moves the port to another day');
});
