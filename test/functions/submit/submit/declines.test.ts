// What follows when the service declines a request.
import { describe, expect, test } from 'vitest';
import type { PortingClient } from '#shared/service/client.ts';
import { Ambiguous, Conflict, type FieldError, Rejected } from '#shared/service/errors.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { minute } from '../../../support/service/simulator.ts';
import { makeElsewhere } from '../../../support/steps/adopting.ts';
import { failing, posts } from '../../../support/steps/create-port-calls.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { planRequest } from '../../../support/steps/planned-requests.ts';
import { msisdnOf, plannedRowOf, quietMs } from '../../../support/steps/submit-and-sync.ts';

// Declined submissions of SIMs: one bad SIM does not decline the others, and a doubtful decline requires action.
describe('a ticket', () => {
  useFreshRig();

  const sims = ['8944110068123456787', '8944110068123456795', '8944110068123456803'];
  const heads: Partial<Record<OperationName, object>> = {
    'send-sms': { networkNumber: 232, message: 'STATUS?', binary: false },
    provision: { networkNumber: 101, tariffNumber: 2001 },
    'change-provision': { networkNumber: 101, tariffNumber: 2001, provisioningOrderNumber: 5001 },
    'bar-service-config': { networkNumber: 101, services: [{ name: 'Voicemail', value: 'false' }] },
  };
  const plan = (operation: OperationName) =>
    planRequest(rig, {
      importId: 'sims',
      operation,
      head: heads[operation],
      rows: sims.map((subject, index) => ({ line: index + 2, subject, wire: {} })),
    });

  /** Declines the call while the body has one of the SIMs. */
  function declining(among: readonly string[], details: { fieldErrors?: FieldError[]; serialNumbers?: string[] }) {
    const bodies: string[] = [];
    const submit = async (_path: string, body: unknown): Promise<string> => {
      bodies.push(JSON.stringify(body));
      if (!among.some((sim) => bodies.at(-1)?.includes(sim))) return 'ticket-1';
      const decline = { message: 'not on hire', fieldErrors: [], msisdns: [], ...details };
      throw new Conflict(decline, { call: 'POST /api/simSubmission', status: 409 });
    };
    return { bodies, parts: { client: { ...rig.submitParts().client, submit } } };
  }

  test.each<OperationName>(['send-sms', 'provision', 'change-provision', 'bar-service-config'])(
    '%s: the SIM that the field of an error names is declined, and the others are sent again without it',
    async (operation) => {
      const field = `${operation.includes('provision') ? 'stock' : 'serialNumbers'}[1]`;
      const { bodies, parts } = declining([sims[1] ?? ''], {
        fieldErrors: [{ field, message: 'the SIM is not on hire' }],
      });
      const message = await plan(operation);
      expect(await rig.submit(message, parts)).toBe('planned');
      expect(services.waiting('submit').map(({ body }) => body)).toEqual([message]);
      expect(await rig.submit(message, parts)).toBe('accepted');
      expect(bodies.map((body) => body.includes(sims[1] ?? ''))).toEqual([true, false]);
      expect(await rig.request('sims')).toMatchObject({
        lines: '2,4',
        excludedRows: [{ line: 3, subject: sims[1], code: 'ROW_REFUSED', message: 'the SIM is not on hire' }],
      });
    },
  );

  test('the others are sent again as long as each answer names another SIM', async () => {
    const message = await plan('send-sms');
    for (const named of sims.slice(0, 2)) {
      const { parts } = declining([named], { serialNumbers: [named] });
      expect(await rig.submit(message, parts)).toBe('planned');
    }
    const { bodies, parts } = declining([], {});
    expect(await rig.submit(message, parts)).toBe('accepted');
    expect(bodies.map((body) => sims.filter((sim) => body.includes(sim)))).toEqual([[sims[2]]]);
    expect((await rig.request('sims')).excludedRows).toMatchObject([{ line: 2 }, { line: 3 }]);
  });

  test('fault 51: a conflict of provision about all of its SIMs may be the answer to a repeated call: action is required', async () => {
    const { parts } = declining(sims, { serialNumbers: sims });
    expect(await rig.submit(await plan('provision'), parts)).toBe('unknown');
    rig.pass(quietMs);
    await rig.sync();
    expect(await rig.request('sims')).toMatchObject({ state: 'action-required' });
  });

  test('fault 52: any decline after a person sent it again requires action, because the first attempt may be executed', async () => {
    const { parts } = declining(sims, {});
    const message = await plan('send-sms');
    const planned = await rig.request('sims');
    await rig.requests.replace(planned, { ...planned, hasUnknownAttempt: true });
    expect(await rig.submit(message, parts)).toBe('unknown');
  });
});

// A decline is never believed while a port of the request may exist: the second answer of a call that was delivered
// twice, a decline after an attempt of unknown outcome, and a 201 with the id of another port.
describe('a doubtful decline', () => {
  useFreshRig();

  const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
  const call = 'POST /api/porting/1001';
  const unknownPort = '6f2c1d7e-0000-4000-8000-000000000000';

  const clientThat = (createPort: PortingClient['createPort']) => ({
    client: { ...rig.submitParts().client, createPort },
  });
  const create: PortingClient['createPort'] = (body) => rig.submitParts().client.createPort(body);

  /** A gateway repeats the call: the first one is executed, the answer is that of the second. */
  const deliveredTwice: PortingClient['createPort'] = async (body) => {
    await create(body);
    return create(body);
  };

  const syncTimes = async (times: number): Promise<void> => {
    for (let run = 0; run < times; run += 1) {
      rig.pass(quietMs);
      await rig.sync();
    }
  };

  describe('a conflict on the first attempt', () => {
    test('fault 51: that is the second answer of a call delivered twice leads to the port that the first one created', async () => {
      const message = await rig.planOne('import-a', rows);
      expect(await rig.submit(message, clientThat(deliveredTwice))).toBe('unknown');
      await syncTimes(1);
      expect(await rig.request('import-a')).toMatchObject({ state: 'created', attempt: 1, portStatus: 'Created' });
      expect(await rig.portsThere()).toBe(1);
    });

    test('that names no number is searched for as well', async () => {
      const conflict = new Conflict({ message: 'conflict', fieldErrors: [], msisdns: [] }, { call, status: 409 });
      const message = await rig.planOne('import-a', rows);
      const answer = clientThat(async (body) => {
        await create(body);
        throw conflict;
      });
      expect(await rig.submit(message, answer)).toBe('unknown');
      await syncTimes(1);
      expect(await rig.request('import-a')).toMatchObject({ state: 'created' });
    });

    test('is believed after the list has shown twice that there is no port, and four times where it is empty', async () => {
      const conflict = new Conflict({ message: 'taken', fieldErrors: [], msisdns: [] }, { call, status: 409 });
      const taken = clientThat(() => Promise.reject(conflict));
      await rig.submit(await rig.planOne('import-a', rows), taken);
      await syncTimes(3);
      expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', search: { absences: 3 } });
      await syncTimes(1);
      expect(await rig.request('import-a')).toMatchObject({ state: 'declined', error: { message: 'taken' } });

      await rig.submit(await rig.planOne('import-b', [plannedRowOf(5, 2)]));
      await rig.submit(await rig.planOne('import-c', [plannedRowOf(6, 2)]), taken);
      await syncTimes(1);
      expect(await rig.request('import-c')).toMatchObject({ state: 'unknown', search: { absences: 1 } });
      await syncTimes(1);
      expect(await rig.request('import-c')).toMatchObject({ state: 'declined', attempt: 1 });
    });

    test('faults 45 and 55: is not believed while the list shows fewer ports than the ledger knows', async () => {
      await rig.submit(await rig.planOne('import-b', [plannedRowOf(5, 2)]));
      await rig.submit(await rig.planOne('import-a', rows), clientThat(deliveredTwice));
      const { client } = rig.syncParts();
      const listPorts = async () => ({ total: 0, totalPages: 0, data: [] });
      for (let run = 0; run < 5; run += 1) {
        rig.pass(60 * 60_000);
        await rig.sync({ client: { ...client, listPorts } });
      }
      expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', search: { failures: 5 } });
      await syncTimes(60 * 4);
      expect(await rig.request('import-a')).toMatchObject({ state: 'created' });
    });
  });

  describe('a decline after an attempt of unknown outcome', () => {
    test('fault 52: of any kind is searched for: the first attempt was executed late', async () => {
      await makeElsewhere('Field team', [9]);
      const message = await rig.planOne('import-a', rows);
      await rig.submit(
        message,
        clientThat(() => Promise.reject(new Ambiguous('reset', { call }))),
      );
      await syncTimes(1);
      expect(await rig.request('import-a')).toMatchObject({ state: 'planned', hasUnknownAttempt: true });
      const late = new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 400 });
      const answer = clientThat(async (body) => {
        await create(body);
        throw late;
      });
      expect(await rig.submit(message, answer)).toBe('unknown');
      await syncTimes(1);
      expect(await rig.request('import-a')).toMatchObject({ state: 'created', attempt: 2 });
    });

    test('without one is believed at once, if it names nothing of the request', async () => {
      const invalid = new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 400 });
      const message = await rig.planOne('import-a', rows);
      expect(
        await rig.submit(
          message,
          clientThat(() => Promise.reject(invalid)),
        ),
      ).toBe('declined');
    });
  });

  describe('a 201 with a wrong id', () => {
    test('fault 54: of another port is discarded, and the true port is found by its name', async () => {
      await rig.submit(await rig.planOne('import-b', [plannedRowOf(5, 2)]));
      const { portId: other = '' } = await rig.request('import-b');
      const message = await rig.planOne('import-a', rows);
      const answer = clientThat(async (body) => {
        await create(body);
        return other;
      });
      await rig.submit(message, answer);
      expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', search: { for: 'own-port' } });
      expect((await rig.request('import-a')).portId).toBeUndefined();
      await syncTimes(1);
      const { state, portId } = await rig.request('import-a');
      expect([state, portId === other]).toEqual(['created', false]);
      expect(await rig.ports.get(other)).toMatchObject({ importId: 'import-b' });
    });

    test('of no port leads to the true port as well', async () => {
      const message = await rig.planOne('import-a', rows);
      const answer = clientThat(async (body) => {
        await create(body);
        return unknownPort;
      });
      expect(await rig.submit(message, answer)).toBe('created');
      await syncTimes(4);
      expect(await rig.request('import-a')).toMatchObject({ state: 'created', portStatus: expect.any(String) });
      expect((await rig.request('import-a')).portId).not.toBe(unknownPort);
    });

    test('requires action if there is no port with the name of the request', async () => {
      await rig.submit(await rig.planOne('import-b', [plannedRowOf(5, 2)]));
      const { portId: other = '' } = await rig.request('import-b');
      await rig.submit(
        await rig.planOne('import-a', rows),
        clientThat(async () => other),
      );
      await syncTimes(2);
      const message = expect.stringMatching(/answered with port .*, whose name is .* no port with the name/);
      expect(await rig.request('import-a')).toMatchObject({ state: 'action-required', error: { message } });
    });
  });

  test('fault 53: a request that only a gateway answers requires action after twelve attempts', async () => {
    await makeElsewhere('Field team', [9]);
    const message = await rig.planOne('import-a', rows);
    const page = new Ambiguous('answered 403 without an error of the service', { call, status: 403 });
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      expect(await rig.request('import-a')).toMatchObject({ state: 'planned' });
      await rig.submit(
        message,
        clientThat(() => Promise.reject(page)),
      );
      await syncTimes(1);
    }
    expect(await rig.request('import-a')).toMatchObject({
      state: 'action-required',
      error: { message: expect.stringMatching(/^12 attempts created no port.*answered 403/) },
    });
  });
});

// A declined request whose answer names rows is sent again without them (spec gap 25).
describe('of named rows', () => {
  useFreshRig();

  const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3), plannedRowOf(3, 5)];
  const call = 'POST /api/porting/1001';

  describe('a declined request with named rows (spec gap 25)', () => {
    /** The service has this number already, and names it when it declines. */
    const former = plannedRowOf(990, 3);
    const mixed = [plannedRowOf(1, 2), former, plannedRowOf(3, 5)];
    const naming = (...msisdns: string[]) =>
      new Rejected({ message: 'not these', fieldErrors: [], msisdns }, { call, status: 422 });
    /** The port list shows twice that there is no port of the request, and so it believes the decline. */
    const believed = async () => {
      expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', search: { for: 'decline' } });
      // A list without any port takes more searches.
      for (let searches = 0; searches < 4; searches += 1) {
        rig.pass(quietMs);
        await rig.sync();
      }
      return (await rig.request('import-a')).state;
    };

    test('excludes them with the message of the service, and sends the others again with a new message', async () => {
      const message = await rig.planOne('import-a', mixed);
      expect(await rig.submit(message)).toBe('unknown');
      expect(await believed()).toBe('planned');
      expect(posts()).toBe(1);
      expect(services.waiting('submit').map(({ body }) => body)).toEqual([message]);

      expect(await rig.submit(message)).toBe('created');
      const request = await rig.request('import-a');
      expect(request).toMatchObject({ state: 'created', attempt: 2, lines: '2,5' });
      expect(request.excludedRows).toMatchObject([{ line: 3, subject: msisdnOf(990), code: 'ROW_REFUSED' }]);
      expect(request.excludedRows?.[0]?.message).toContain('already exists on the stock records');
      expect((await rig.ports.get(request.portId ?? ''))?.rowCount).toBe(2);
      expect((await rig.ports.get(request.portId ?? ''))?.concern).toBeUndefined();
    });

    test('is declined as a whole the second time', async () => {
      const message = await rig.planOne('import-a', rows);
      await rig.submit(message, { client: failing(naming('07700900002')) });
      expect(await believed()).toBe('planned');
      await rig.submit(message, { client: failing(naming('07700900003')) });
      expect(await believed()).toBe('declined');
      expect(await rig.request('import-a')).toMatchObject({
        error: { lines: [5], message: 'not these' },
        excludedRows: [{ line: 3, code: 'ROW_REFUSED' }],
      });
      expect(posts()).toBe(2);
    });

    test.each([
      ['none of the rows', []],
      ['a number that is not in the request', ['07700900777']],
    ])('is declined as a whole when the service names %s', async (_, msisdns) => {
      const message = await rig.planOne('import-a', rows);
      expect(await rig.submit(message, { client: failing(naming(...msisdns)) })).toBe('declined');
      expect(services.waiting('submit')).toEqual([]);
    });

    test('is declined as a whole when the service names all of the rows', async () => {
      const all = failing(naming('07700900001', '07700900002', '07700900003'));
      await rig.submit(await rig.planOne('import-a', rows), { client: all });
      expect(await believed()).toBe('declined');
      expect(services.waiting('submit')).toEqual([]);
      expect(rig.counts.requestsDeclined).toBe(1);
    });

    test('is declined as a whole when the setting requires it, and keeps the lines', async () => {
      const settings = { ...rig.submitParts().settings, retryWithoutDeclined: false };
      const message = await rig.planOne('import-a', rows);
      await rig.submit(message, { client: failing(naming('07700900002')), settings });
      expect(await believed()).toBe('declined');
      expect(await rig.request('import-a')).toMatchObject({ error: { lines: [3] } });
    });

    test('frees the number of the excluded row for another import while the rest is in progress', async () => {
      const message = await rig.planOne('import-a', rows);
      await rig.submit(message, { client: failing(naming('07700900002')) });
      await believed();
      await rig.submit(message);
      rig.pass(minute);
      expect(await rig.submit(await rig.planOne('import-b', [plannedRowOf(2, 9), plannedRowOf(1, 10)]))).toBe(
        'created',
      );
      expect((await rig.request('import-b')).excludedRows).toMatchObject([{ line: 10, code: 'MSISDN_IN_LIVE_IMPORT' }]);
    });
  });

  test('a request whose thousand rows are each declined with a long message ends after one call', async () => {
    const planned = Array.from({ length: 1_000 }, (_, index) => plannedRowOf(index + 1, index + 2));
    const message = await rig.planOne('import-a', planned);
    const fieldErrors = planned.map((_, index) => ({
      field: `rows[${index}].serialNo`,
      message: '\u20ac'.repeat(450),
    }));
    const details = { message: 'x'.repeat(500_000), fieldErrors, msisdns: [] };
    const createPort = () => Promise.reject(new Rejected(details, { call: 'POST /api/porting/1001', status: 422 }));
    expect(await rig.submit(message, { client: { ...rig.submitParts().client, createPort } })).toBe('declined');
    const some = { ...details, fieldErrors: fieldErrors.slice(1) };
    const leavesOne = () => Promise.reject(new Rejected(some, { call: 'POST /api/porting/1001', status: 422 }));
    const other = await rig.planOne('import-b', planned);
    expect(await rig.submit(other, { client: { ...rig.submitParts().client, createPort: leavesOne } })).toBe('planned');
    expect((await rig.request('import-b')).excludedRows).toHaveLength(999);
  });
});
