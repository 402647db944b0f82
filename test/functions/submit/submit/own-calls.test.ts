// What is done already is believed only of an own call, and an own call is not forgotten where its import is stopped.
import { describe, expect, test } from 'vitest';
import { stopImport } from '#functions/ingest/commands/approve-and-stop.ts';
import type { StopKind } from '#shared/import/import.ts';
import { resultsOf } from '#shared/outcome/request-results.ts';
import { requestResult } from '#shared/outcome/row-result.ts';
import { resendRequest } from '#shared/request/request-state.ts';
import { Ambiguous, Conflict, Unavailable } from '#shared/service/errors.ts';
import { isoTime } from '#shared/text/wording.ts';
import { simAt } from '../../../support/ingest/valid-rows.ts';
import { hour, minute } from '../../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { planRequest } from '../../../support/steps/planned-requests.ts';
import {
  ample,
  both,
  livePortsOf,
  move,
  ported,
  rescheduleDependencies,
  submitWaiting,
} from '../../../support/steps/rescheduling.ts';
import { importItemOf, msisdnOf, plannedRowOf } from '../../../support/steps/submit-and-sync.ts';
import { expiredPlans } from '../../../support/steps/test-pipeline.ts';

useFreshRig();

const lost = () => new Ambiguous('reset', { call: 'DELETE /api/porting/1001/port' });

/** A cancellation of the port of `import-a`: of all its numbers, or of the whole port. */
async function planCancellation(importId = 'undo', whole = false) {
  const { portId = '' } = await rig.request('import-a');
  const columnIndexes = { msisdn: 0, portId: 1 };
  await rig.imports.begin(
    importItemOf(importId, { operation: 'cancel-port', key: 'cancel-port/undo.csv', columnIndexes }),
  );
  const numbers = [1, 2].map((index) => ({ line: index + 1, subject: msisdnOf(index), wire: { pac: null } }));
  const rows = whole ? [{ line: 2, subject: portId, wire: { pac: null } }] : numbers;
  return planRequest(rig, { importId, operation: 'cancel-port', head: { portId, action: 'cancel', whole }, rows });
}

/** The service executes the cancellation, or not, and its answer is lost. */
function losing(isExecuted = true) {
  const { client } = rig.submitParts();
  const cancelPort: typeof client.cancelPort = async (portId) => {
    if (isExecuted) await client.cancelPort(portId);
    throw lost();
  };
  return { client: { ...client, cancelPort } };
}

const stop = async (importId: string, kind: StopKind) => {
  const command = { kind, at: isoTime(rig.service.now()), by: 'Sam' } as const;
  await stopImport(importId, command, ample, rescheduleDependencies());
};

/** Messages are delivered and sync runs, for some hours. */
async function settle(): Promise<void> {
  for (let run = 0; run < 30; run += 1) {
    await submitWaiting();
    services.emptyQueues();
    rig.pass(10 * minute);
    await rig.sync();
  }
}

const rowOf = async (importId: string) => {
  const request = await rig.request(importId);
  return [...resultsOf(request).values()][0] ?? requestResult(request);
};

describe('an import is stopped after the answer to its change was lost', () => {
  test.each([
    ['for-good', true, 'accepted'],
    ['for-good', false, 'not-sent'],
    ['until-resumed', true, 'accepted'],
    ['until-resumed', false, 'waiting'],
  ] as const)('%s, the service has made it: %s', async (kind, isExecuted, outcome) => {
    await ported(both);
    expect(await rig.submit(await planCancellation('undo', true), losing(isExecuted))).toBe('unknown');
    rig.pass(1_000);
    await stop('undo', kind);
    await settle();
    expect((await rowOf('undo')).outcome).toBe(outcome);
    expect(await livePortsOf(msisdnOf(1))).toHaveLength(isExecuted ? 0 : 1);
  });

  test.each(['for-good', 'until-resumed'] as const)(
    '%s, and its plan expires: a person looks what was made',
    async (kind) => {
      await ported(both);
      const message = await planCancellation();
      await rig.submit(message, losing());
      rig.pass(hour);
      await stop('undo', kind);
      await rig.sync();
      expect(await rig.submit(message, { plans: expiredPlans })).toBe('action-required');
      expect((await rowOf('undo')).message).toContain('whether the service has executed it is still unknown');
    },
  );

  test('and the service is down: the change waits until its port was read', async () => {
    await ported(both);
    const message = await planCancellation();
    await rig.submit(message, losing());
    await stop('undo', 'for-good');
    rig.pass(hour);
    await rig.sync();
    const { client } = rig.submitParts();
    const down = async () => Promise.reject(new Unavailable('down', { call: 'GET /api/porting/1001/port' }));
    expect(await rig.submit(message, { client: { ...client, port: down } })).toBe('planned');
    await settle();
    expect((await rowOf('undo')).outcome).toBe('accepted');
  });
});

test('a cancellation that is imported twice is skipped the second time, also where a whole port was named', async () => {
  await ported(both);
  expect(await rig.submit(await planCancellation())).toBe('accepted');
  for (const whole of [false, true]) {
    const importId = `again-${whole}`;
    expect(await rig.submit(await planCancellation(importId, whole))).toBe('skipped');
    const message = expect.stringContaining('cancelled before, so nothing was sent. If the port was moved');
    expect(await rowOf(importId)).toMatchObject({ outcome: 'skipped', message });
  }
});

const steps = ['cancel', 'move', 'stop'] as const;
const orders = steps.flatMap((first) =>
  steps
    .filter((step) => step !== first)
    .map((second) => [first, second, ...steps.filter((step) => step !== first && step !== second)] as const),
);

describe('a cancellation, a move and a stop of one port', () => {
  test.each(
    orders.flatMap((order) =>
      [0, 20].flatMap((pause) => [true, false].map((isLost) => [order, pause, isLost] as const)),
    ),
  )('%j, %i minutes apart, the answer to the cancellation is lost: %s', async (order, pause, isLost) => {
    await ported(both);
    const message = await planCancellation();
    const act = {
      cancel: () => rig.submit(message, isLost ? losing() : {}),
      move: () => move('2026-07-20'),
      stop: () => stop('undo', 'for-good'),
    };
    for (const step of order) {
      await act[step]();
      for (let passed = 0; passed < pause; passed += 5) {
        rig.pass(5 * minute);
        await rig.sync();
        await submitWaiting();
        services.emptyQueues();
      }
    }
    await settle();
    const { outcome } = await rowOf('undo');
    const live = await livePortsOf(msisdnOf(1));
    expect(['accepted', 'skipped', 'not-sent', 'declined']).toContain(outcome);
    // Never in two ports, and in none where the row says that it was cancelled.
    expect(live.length).toBe(outcome === 'accepted' ? 0 : 1);
  });
});

describe('the answer to a change was lost, and then its port is about to be moved', () => {
  const amend = async () => {
    const { portId = '' } = await rig.request('import-a');
    await rig.imports.begin(importItemOf('pacs', { operation: 'update-port', key: 'update-port/pacs.csv' }));
    const rows = [{ line: 2, subject: msisdnOf(1), wire: { pac: 'ABC864201' } }];
    const head = { portId, action: 'amend', whole: false };
    return planRequest(rig, { importId: 'pacs', operation: 'update-port', head, rows });
  };

  test.each([true, false])('the service has made it: %s', async (isExecuted) => {
    await ported([plannedRowOf(1, 2, 'INV123456'), plannedRowOf(2, 3)]);
    const message = await amend();
    const { client } = rig.submitParts();
    const updatePort: typeof client.updatePort = async (portId, body) => {
      if (isExecuted) await client.updatePort(portId, body);
      throw lost();
    };
    expect(await rig.submit(message, { client: { ...client, updatePort } })).toBe('unknown');
    rig.pass(10 * minute);
    await rig.sync();
    await move('2026-07-20');
    await settle();
    const text = expect.stringContaining(isExecuted ? '' : 'moves the port to another day: import the row again');
    expect(await rowOf('pacs')).toMatchObject({ outcome: isExecuted ? 'accepted' : 'skipped', message: text });
    const [live] = await livePortsOf(msisdnOf(1));
    const { rows } = await rig.porting.port(live?.id ?? '');
    expect(rows.find(({ msisdn }) => msisdn.endsWith(msisdnOf(1).slice(2)))?.pac).toBe(
      isExecuted ? 'ABC864201' : 'INV123456',
    );
  });
});

test('a number whose cancellation was made is not taken along by a move that is under way, and its row says so', async () => {
  await ported(both);
  const { portId = '' } = await rig.request('import-a');
  await rig.imports.begin(importItemOf('undo', { operation: 'cancel-port', key: 'cancel-port/undo.csv' }));
  const rows = [{ line: 2, subject: msisdnOf(1), wire: { pac: null } }];
  const head = { portId, action: 'cancel', whole: false };
  const message = await planRequest(rig, { importId: 'undo', operation: 'cancel-port', head, rows });
  const { client } = rig.submitParts();
  const updatePort: typeof client.updatePort = async (...given) => {
    await client.updatePort(...given);
    throw lost();
  };
  expect(await rig.submit(message, { client: { ...client, updatePort } })).toBe('unknown');
  await move('2026-07-20');
  rig.pass(10 * minute);
  // This run begins the move, and has the cancellation sent again.
  await rig.sync();
  await settle();
  expect(await livePortsOf(msisdnOf(1))).toEqual([]);
  expect(await livePortsOf(msisdnOf(2))).toHaveLength(1);
  expect((await rowOf('undo')).outcome).toBe('accepted');
});

/** Puts SIMs on hire, and declines a call with SIMs that are, naming the first of them. */
function hiring() {
  const onHire = new Set<string>();
  let calls = 0;
  const serve = (body: unknown): string => {
    const { stock } = body as { readonly stock: readonly { readonly serialNumber: string }[] };
    const taken = stock.find(({ serialNumber }) => onHire.has(serialNumber))?.serialNumber;
    const details = { message: `SIM ${taken} is on hire`, fieldErrors: [], msisdns: [], serialNumbers: [taken ?? ''] };
    if (taken !== undefined) throw new Conflict(details, { call: 'POST /api/simSubmission/Provision', status: 409 });
    for (const { serialNumber } of stock) onHire.add(serialNumber);
    return 'ticket-1';
  };
  return { onHire, serve, next: () => (calls += 1) };
}

async function provision(isTwice: boolean, taken: readonly number[]) {
  const { onHire, serve, next } = hiring();
  for (const line of taken) onHire.add(simAt(line));
  const submit = async (_path: string, body: unknown): Promise<string> => {
    // The first delivery, whose answer nobody gets.
    if (next() === 1 && isTwice) serve(body);
    return serve(body);
  };
  const rows = [2, 3, 4].map((line) => ({ line, subject: simAt(line), wire: {} }));
  const head = { networkNumber: 101, tariffNumber: 2001 };
  const message = await planRequest(rig, { importId: 'sims', operation: 'provision', head, rows });
  const parts = { client: { ...rig.submitParts().client, submit } };
  let state = 'planned';
  while (state === 'planned') state = await rig.submit(message, parts);
  const results = resultsOf(await rig.request('sims'));
  return { state, outcomes: [2, 3, 4].map((line) => results.get(line)?.outcome) };
}

test('a gateway delivers a call twice, and the service names the SIMs one by one: all outcomes are unknown (fault 51)', async () => {
  expect(await provision(true, [])).toEqual({ state: 'unknown', outcomes: ['unknown', 'unknown', 'unknown'] });
});

test('a SIM that is named is declined where the service takes the others', async () => {
  expect(await provision(false, [3])).toEqual({ state: 'accepted', outcomes: ['accepted', 'declined', 'accepted'] });
});

test('two SIMs that are named one by one require a person', async () => {
  expect((await provision(false, [2, 3])).outcomes).toEqual(['unknown', 'unknown', 'unknown']);
});

test('a ticket of unknown outcome that a person sends again requires action again where its import is stopped', async () => {
  await rig.imports.begin(importItemOf('texts', { operation: 'send-sms', key: 'send-sms/a.csv' }));
  const head = { networkNumber: 232, message: 'STATUS?', binary: false };
  const rows = [{ line: 2, subject: simAt(2), wire: {} }];
  const message = await planRequest(rig, { importId: 'texts', operation: 'send-sms', head, rows });
  const submit = async () => Promise.reject(lost());
  await rig.submit(message, { client: { ...rig.submitParts().client, submit } });
  rig.pass(hour);
  await rig.sync();
  const item = await rig.request('texts');
  expect(item.state).toBe('action-required');
  const resolution = { at: isoTime(rig.service.now()), by: 'May', what: 'resend' } as const;
  await rig.requests.replace(item, resendRequest(item, resolution, rig.service.now()));
  await stop('texts', 'for-good');
  await settle();
  const text = 'still unknown: The import was stopped before the row was sent';
  const error = expect.objectContaining({ message: expect.stringContaining(text) });
  expect(await rig.request('texts')).toMatchObject({ state: 'action-required', error });
  // The plan has expired, and still nobody knows.
  const later = { ...resolution, at: isoTime(rig.service.now()) };
  const again = resendRequest(await rig.request('texts'), later, rig.service.now());
  await rig.requests.replace(await rig.request('texts'), again);
  await stop('texts', 'none');
  rig.pass(minute);
  const { plans } = rig.submitParts();
  expect(await rig.submit(message, { plans: { ...plans, read: async () => undefined } })).toBe('action-required');
});
