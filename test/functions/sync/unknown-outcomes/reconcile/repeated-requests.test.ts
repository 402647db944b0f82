// Lost messages and requests that create no port: they are sent again without a search, or require action.
import { describe, expect, test } from 'vitest';
import type { RequestItem } from '#shared/request/request.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { minute } from '../../../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../../../support/steps/fresh-services.ts';
import { planRequest } from '../../../../support/steps/planned-requests.ts';
import { makeOutcomeUnknown, reconciled } from '../../../../support/steps/reconciling.ts';
import { plannedRowOf } from '../../../../support/steps/submit-and-sync.ts';

useFreshRig();

const lostMs = 16 * minute;
const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];

/** A request of an import of this name, of unknown outcome after this many attempts. */
const doubtful = async (importId: string, operation: OperationName, attempt: number) => {
  const message = await planRequest(rig, { importId, operation, head: {}, rows });
  await makeOutcomeUnknown(importId, { attempt });
  return message;
};

const sentAgain = () => services.waiting('submit').map(({ body }) => body);

describe('a lost message', () => {
  test('is sent again without a call to the service', async () => {
    const messages = [await rig.planOne('import-a', rows), await rig.planOne('import-b', rows)];
    rig.pass(lostMs);
    expect(await reconciled()).toEqual({ resent: 2, adopted: 0, absent: 0, actionRequired: 0, imports: [] });
    expect(sentAgain()).toEqual(messages);
    expect(rig.calls).toEqual([]);
  });

  test('is not sent again when the request changed meanwhile', async () => {
    const [, second] = await rig.plan('import-a', [[plannedRowOf(1, 2)], [plannedRowOf(2, 3)]]);
    rig.pass(lostMs);
    const { requests } = rig.syncParts();
    const replace = async (seen: RequestItem, next: RequestItem) =>
      seen.request === 1 ? undefined : requests.replace(seen, next);
    expect(await reconciled({ requests: { ...requests, replace } })).toMatchObject({ resent: 1 });
    expect(sentAgain()).toEqual([second]);
  });

  describe('after a hundred others', () => {
    const groups = Array.from({ length: 101 }, (_, index) => [plannedRowOf(index + 1, index + 2)]);
    const sending = (sent: number[]) => ({
      send: async (_url: string, bodies: readonly unknown[]) => void sent.push(bodies.length),
    });

    test('is sent in a separate batch', async () => {
      await rig.plan('import-a', groups);
      rig.pass(lostMs);
      const sent: number[] = [];
      expect(await reconciled({ queues: sending(sent) })).toMatchObject({ resent: 101 });
      expect(sent).toEqual([100, 1]);
    });

    test('waits for the next run when there is too little time', async () => {
      await rig.plan('import-a', groups);
      rig.pass(lostMs);
      const sent: number[] = [];
      const deadline = createDeadline(() => (sent.length === 0 ? 60_000 : 0));
      expect(await reconciled({ queues: sending(sent), deadline })).toMatchObject({ resent: 100 });
      expect(await reconciled()).toMatchObject({ resent: 1 });
    });
  });
});

describe('a request of unknown outcome that creates no port', () => {
  test('requires action if it creates a ticket, and is repeated up to six times if it is a change', async () => {
    const again = await doubtful('fifth', 'update-port', 5);
    await doubtful('sixth', 'update-port', 6);
    await doubtful('ticket', 'send-sms', 1);
    await rig.planOne('lost', rows);
    await makeOutcomeUnknown('lost', { state: 'planned' });
    expect(await reconciled()).toEqual({
      resent: 2,
      adopted: 0,
      absent: 0,
      actionRequired: 2,
      imports: ['sixth', 'ticket'],
    });
    expect(sentAgain()).toContainEqual(again);
    expect(await rig.request('fifth')).toMatchObject({ state: 'planned', attempt: 5 });
    expect(await rig.request('sixth')).toMatchObject({
      state: 'action-required',
      error: { message: expect.stringContaining('check the port') },
    });
    expect(await rig.request('ticket')).toMatchObject({
      state: 'action-required',
      error: { message: expect.stringContaining('check it there') },
    });
    expect(rig.counts.requestsUnresolved).toBe(2);
    expect(rig.calls).toEqual([]);
  });

  test.each([
    ['provision', '2-3', undefined],
    ['send-sms', '3', [{ line: 2 }]],
  ] as const)('fault 51: %s has lines %s and left out %j after a row was declined', async (operation, lines, left) => {
    // A gateway may have delivered the first call twice: then its SIMs are on hire, and the second answer names one.
    await planRequest(rig, { importId: 'sims', operation, head: {}, rows });
    const excludedRows = [{ line: 2, subject: 'sim', code: 'ROW_REFUSED' as const, message: 'SIM is on hire' }];
    await makeOutcomeUnknown('sims', { attempt: 2, lines: '3', excludedRows });
    expect(await reconciled()).toMatchObject({ actionRequired: 1 });
    const request = await rig.request('sims');
    expect(request).toMatchObject({ state: 'action-required', lines });
    if (left === undefined) expect(request.excludedRows).toBeUndefined();
    else expect(request.excludedRows).toMatchObject(left);
  });

  test('requires action if its operation is unknown', async () => {
    await doubtful('old', 'bar', 1);
    expect(await reconciled({ operationNamed: () => undefined })).toMatchObject({
      actionRequired: 1,
      imports: ['old'],
    });
    expect(await rig.request('old')).toMatchObject({ state: 'action-required' });
  });

  test('waits for the next run if it is a change and there is too little time', async () => {
    await doubtful('change', 'update-port', 1);
    expect(await reconciled({ deadline: createDeadline(() => 0) })).toMatchObject({
      resent: 0,
      actionRequired: 0,
      imports: [],
    });
    expect(await rig.request('change')).toMatchObject({ state: 'unknown' });
  });

  test('stays as it is when it changed meanwhile', async () => {
    await doubtful('ticket', 'send-sms', 1);
    const requests = { ...rig.syncParts().requests, replace: async () => undefined };
    expect(await reconciled({ requests })).toMatchObject({ actionRequired: 0, imports: [] });
    expect(rig.counts.requestsUnresolved).toBeUndefined();
  });
});
