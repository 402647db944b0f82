// Accepted settings of SIMs are read back until the SIMs show them, also after a crash or a lost answer.
import { type DynamoDBDocumentClient, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { stopImport } from '#functions/ingest/commands/approve-and-stop.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { resultsOf } from '#shared/outcome/request-results.ts';
import { collectResults, rollUp } from '#shared/outcome/rows-of-requests.ts';
import type { ComparisonItem } from '#shared/outcome/service-comparison.ts';
import { submitMessage } from '#shared/request/messages.ts';
import { abandonRequest } from '#shared/request/request-state.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { Ambiguous, NotFound, Rejected, Unavailable } from '#shared/service/errors.ts';
import { createComparisons } from '#shared/store/ports.ts';
import { createRequests } from '#shared/store/requests.ts';
import { isoTime } from '#shared/text/wording.ts';
import { double } from '../../../../support/double.ts';
import { day, hour, minute } from '../../../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../../../support/steps/fresh-services.ts';
import { importItemOf } from '../../../../support/steps/submit-and-sync.ts';

describe('until they are confirmed', () => {
  useFreshRig();

  const sims = ['89440010110010000104', '89440010110010000203'];
  /** The simulator accepts a change of its services, and never makes it. */
  const losing = '89990300110010000107';
  const head = { networkNumber: 101, services: [{ name: 'Roaming', value: 'false' }] };

  /** Sends one request that turns roaming off. The row of the first SIM has line 2. */
  async function send(serials: readonly string[]): Promise<void> {
    const rows = serials.map((subject, index) => ({ line: index + 2, subject, wire: null }));
    const [message] = await rig.plan('import-a', [rows], head, 'bar-service-config');
    if (message === undefined) throw new Error('nothing was planned');
    expect(await rig.submit(message)).toBe('accepted');
  }
  async function comparison(): Promise<ComparisonItem | undefined> {
    for await (const item of rig.comparisons.ofImport('import-a')) return item;
    return undefined;
  }
  const outcomesOf = async (...lines: number[]) => {
    const request = await rig.request('import-a');
    const results = resultsOf(request, {}, await comparison());
    // The counts of the request are always those of its rows.
    const byOutcome = Map.groupBy(results.values(), ({ outcome }) => outcome);
    expect(request.simRows).toEqual(
      Object.fromEntries([...byOutcome].map(([outcome, rows]) => [outcome, rows.length])),
    );
    return lines.map((line) => results.get(line)?.outcome);
  };
  /** The next run that may read the SIMs again. */
  const syncLater = async (milliseconds: number, changes: Parameters<typeof rig.sync>[0] = {}) => {
    rig.pass(milliseconds);
    return rig.sync(changes);
  };

  function failingFor(serial: string, error: Error) {
    const { client } = rig.syncParts();
    const simServices = async (asked: string) => {
      if (asked === serial) throw error;
      return client.simServices(asked);
    };
    return { client: { ...client, simServices } };
  }

  describe('accepted settings', () => {
    test('are in progress until the SIMs show them, and then complete', async () => {
      await send(sims);
      await rig.sync();
      expect(await rig.request('import-a')).not.toHaveProperty('endedAt');
      expect(await outcomesOf(2, 3)).toEqual(['in-progress', 'in-progress']);
      expect(await syncLater(2 * minute)).toMatchObject({ compared: 2 });
      expect(await outcomesOf(2, 3)).toEqual(['complete', 'complete']);
      expect(await rig.request('import-a')).toMatchObject({ state: 'accepted', endedAt: expect.any(String) });
      expect(await comparison()).toMatchObject({ state: 'none', sims: [] });
      expect(services.waiting('report').at(-1)?.body).toEqual({ importId: 'import-a' });
      expect(await syncLater(30 * day)).toMatchObject({ compared: 0 });
    });

    test('that one SIM does not get are a mismatch only after the quiet period', async () => {
      await send([...sims, losing]);
      await syncLater(2 * minute);
      expect(await outcomesOf(2, 3, 4)).toEqual(['complete', 'complete', 'in-progress']);
      expect(await rig.comparisons.found(10)).toEqual([]);
      expect(await syncLater(2 * minute)).toMatchObject({ compared: 1 });
      await syncLater(hour);
      expect(await outcomesOf(2, 3, 4)).toEqual(['complete', 'complete', 'action-required']);
      const services = [{ name: 'Roaming', type: 'Service', requested: 'false', actual: 'true' }];
      expect(await comparison()).toMatchObject({ state: 'found', sims: [{ line: 4, serialNumber: losing, services }] });
      expect(await rig.request('import-a')).toMatchObject({ endedAt: expect.any(String) });
    });

    test('that a SIM has later than the quiet period are complete on the day after', async () => {
      await send([losing]);
      await syncLater(2 * hour);
      expect(await outcomesOf(2)).toEqual(['action-required']);
      const { client } = rig.syncParts();
      const shown = [{ groupName: 'all', services: [{ name: 'Roaming', type: 'Service', optionValue: 'false' }] }];
      const simServices = async () => shown as unknown as Awaited<ReturnType<typeof client.simServices>>;
      await syncLater(day, { client: { ...client, simServices } });
      expect(await outcomesOf(2)).toEqual(['complete']);
      expect(await comparison()).toMatchObject({ state: 'none', sims: [], everFound: true });
    });

    test('are read for a limited number of SIMs in a run, and every SIM is read before one is read twice', async () => {
      await send([losing, ...sims]);
      const one = { settings: { ...rig.syncParts().settings, simsPerRun: 1 } };
      rig.pass(2 * minute);
      const compared: number[] = [];
      for (let run = 0; run < 3; run += 1) compared.push((await rig.sync(one)).compared);
      expect(compared).toEqual([1, 1, 1]);
      expect(await outcomesOf(2, 3, 4)).toEqual(['in-progress', 'complete', 'complete']);
      await syncLater(2 * hour, one);
      expect(await outcomesOf(2, 3, 4)).toEqual(['action-required', 'complete', 'complete']);
    });

    test('stay accepted for a SIM that the service does not show, and the others are complete', async () => {
      await send(sims);
      const declined = { message: 'no such SIM', fieldErrors: [], msisdns: [] };
      const unknown = new NotFound(declined, { call: 'GET /api/sim', status: 404 });
      await syncLater(2 * hour, failingFor(sims[0] ?? '', unknown));
      expect(await outcomesOf(2, 3)).toEqual(['accepted', 'complete']);
      expect(await rig.request('import-a')).toMatchObject({ endedAt: expect.any(String) });
    });

    test('of a SIM that fails to be read are read again a day later', async () => {
      await send(sims);
      const failed = new Unavailable('answered 500', { call: 'GET /api/sim', status: 500 });
      await syncLater(2 * hour, failingFor(sims[0] ?? '', failed));
      expect(await outcomesOf(2, 3)).toEqual(['accepted', 'complete']);
      await syncLater(day);
      expect(await outcomesOf(2, 3)).toEqual(['complete', 'complete']);
    });

    test('have their comparison from the moment on in which they are accepted', async () => {
      await send(sims);
      expect(await comparison()).toMatchObject({ state: 'due', waiting: '2-3', unread: '', dueAt: expect.any(String) });
      expect(await rig.request('import-a')).toMatchObject({ state: 'accepted', simRows: { 'in-progress': 2 } });
      expect(await rig.request('import-a')).not.toHaveProperty('dueAt');
    });

    test.each(['before', 'after'])(
      'of which a run died %s it wrote what it had read are read by the next one',
      async (when) => {
        await send([losing, ...sims]);
        const { comparisons, settings } = rig.syncParts();
        const replace: typeof comparisons.replace = async (...change) => {
          if (when === 'after') await comparisons.replace(...change);
          throw new Error('the process ended');
        };
        const dies = { comparisons: { ...comparisons, replace }, settings: { ...settings, simsPerRun: 1 } };
        await expect(syncLater(2 * hour, dies)).rejects.toThrow('the process ended');
        const first = when === 'after' ? 'action-required' : 'in-progress';
        expect(await outcomesOf(2, 3, 4)).toEqual([first, 'in-progress', 'in-progress']);
        await syncLater(minute);
        expect(await outcomesOf(2, 3, 4)).toEqual(['action-required', 'complete', 'complete']);
        expect(await comparison()).toMatchObject({ state: 'found', sims: [{ line: 2, serialNumber: losing }] });
        expect(await rig.request('import-a')).toMatchObject({ endedAt: expect.any(String), actionRequired: 1 });
      },
    );

    test('keep what is known of a SIM until it is read again', async () => {
      await send([losing, ...sims]);
      await syncLater(2 * hour);
      const failed = new Unavailable('answered 500', { call: 'GET /api/sim', status: 500 });
      await syncLater(day, failingFor(losing, failed));
      expect(await outcomesOf(2, 3, 4)).toEqual(['action-required', 'complete', 'complete']);
      expect((await comparison())?.sims).toMatchObject([{ line: 2, serialNumber: losing }]);
      const one = { settings: { ...rig.syncParts().settings, simsPerRun: 1 } };
      await syncLater(day, one);
      expect(await outcomesOf(2, 3, 4)).toEqual(['action-required', 'complete', 'complete']);
    });

    test('of an expired plan end the request, also if another write of it was first', async () => {
      await send([losing, ...sims]);
      await syncLater(2 * minute);
      const { plans } = rig.syncParts();
      const expired = { ...plans, read: async () => undefined };
      const overtaken = async () => {
        const request = await rig.request('import-a');
        await rig.requests.replace(request, request);
        return undefined;
      };
      await syncLater(2 * hour, { plans: { ...plans, read: overtaken } });
      expect(await rig.request('import-a')).not.toHaveProperty('endedAt');
      expect(await outcomesOf(2, 3, 4)).toEqual(['in-progress', 'complete', 'complete']);
      await syncLater(day, { plans: expired });
      expect(await rig.request('import-a')).toMatchObject({ endedAt: expect.any(String) });
      expect(await outcomesOf(2, 3, 4)).toEqual(['accepted', 'complete', 'complete']);
    });
  });

  /** Sends and reads back three SIMs. Of these, one does not get the services. `onWrite` may end the process. */
  async function sendAndReadBack(importId: string, onWrite: (write: () => Promise<unknown>) => Promise<unknown>) {
    const send = async (command: Parameters<typeof services.table.send>[0]) => {
      const isWrite = [PutCommand, TransactWriteCommand].some((kind) => (command as object) instanceof kind);
      return isWrite ? onWrite(() => services.table.send(command)) : services.table.send(command);
    };
    const table = double<DynamoDBDocumentClient>({ send });
    const [requests, comparisons] = [createRequests(table, rig.table), createComparisons(table, rig.table)];
    const rows = [losing, ...sims].map((subject, index) => ({ line: index + 2, subject, wire: null }));
    const [message] = await rig.plan(importId, [rows], head, 'bar-service-config');
    if (message === undefined) throw new Error('nothing was planned');
    let calls = 0;
    const { client } = rig.submitParts();
    const submit: typeof client.submit = (...call) => {
      calls += 1;
      return client.submit(...call);
    };
    await rig.submit(message, { requests, client: { ...client, submit } }).catch(() => undefined);
    for (const pause of [minute, 2 * minute, hour, hour, hour, day])
      await syncLater(pause, { requests, comparisons }).catch(() => undefined);
    const request = await rig.request(importId);
    const read = await rig.comparisons.get(importId, 1);
    const shown = [...resultsOf(request, {}, read).values()].map(({ outcome }) => outcome);
    return { calls, request, read, shown };
  }

  test('the answer of each write about settings is lost once: nobody is asked, and every SIM is read back (fault 58)', async () => {
    let writes = Number.POSITIVE_INFINITY;
    for (let lostAt = 1; lostAt <= writes; lostAt += 1) {
      writes = 0;
      // A transaction has a token, by which DynamoDB recognises the repetition: here it finds its own write instead.
      const repeating = async (write: () => Promise<unknown>) => {
        writes += 1;
        if (writes === lostAt) await write();
        return write();
      };
      const { calls, shown, request } = await sendAndReadBack(`lost-${lostAt}`, repeating);
      expect([calls, ...shown], `write ${lostAt}`).toEqual([1, 'action-required', 'complete', 'complete']);
      expect(request, `write ${lostAt}`).toMatchObject({ endedAt: expect.any(String), actionRequired: 1 });
    }
    expect(writes).toBeGreaterThan(4);
  });

  test.each(['before', 'after'])(
    'a crash %s each write sends settings once; what is accepted is read back',
    async (when) => {
      let writes = Number.POSITIVE_INFINITY;
      const ends: string[] = [];
      for (let diesAt = 1; diesAt <= writes; diesAt += 1) {
        writes = 0;
        const dying = async (write: () => Promise<unknown>) => {
          writes += 1;
          if (writes === diesAt && when === 'after') await write();
          if (writes === diesAt) throw new Error('the process ended');
          return write();
        };
        const { calls, request, read, shown } = await sendAndReadBack(`dies-${diesAt}`, dying);
        ends.push(request.state);
        expect(calls, `write ${diesAt}`).toBeLessThanOrEqual(1);
        expect(read !== undefined, `write ${diesAt}`).toBe(request.state === 'accepted');
        if (request.state !== 'accepted') continue;
        expect(shown, `write ${diesAt}`).toEqual(['action-required', 'complete', 'complete']);
        expect(request).toMatchObject({ simRows: { complete: 2, 'action-required': 1 }, endedAt: expect.any(String) });
      }
      // A person is asked only where the process ended between the write-ahead record and that of the answer.
      expect(ends.filter((state) => state === 'action-required')).toHaveLength(1);
    },
  );

  test('accepted settings are read back, and an unknown outcome is found out, where other parts were stopped for good', async () => {
    const key = 'bar-service-config/b.csv';
    await rig.imports.begin(importItemOf('import-a', { operation: 'bar-service-config', key, state: 'submitting' }));
    const serials = [...sims, losing, '89440010110010000302', '89440010110010000401'];
    const rows = serials.map((subject, index) => ({ line: index + 2, subject, wire: null }));
    const [message] = await rig.plan('import-a', [rows], head, 'bar-service-config');
    if (message === undefined) throw new Error('nothing was planned');
    const { client } = rig.submitParts();
    const declined = { message: 'a SIM is not on hire', fieldErrors: [], msisdns: [] };
    const submit = () => Promise.reject(new Rejected(declined, { call: 'POST', status: 400 }));
    expect(await rig.submit(message, { client: { ...client, submit } })).toBe('declined');

    const [first, second, third, lost, ...others] = services
      .waiting('submit')
      .map(({ body }) => submitMessage.parse(body));
    if (lost === undefined) throw new Error('the request was not divided');
    const noAnswer = () => Promise.reject(new Ambiguous('no answer', { call: 'POST' }));
    expect(await rig.submit(lost, { client: { ...client, submit: noAnswer } })).toBe('unknown');
    const sent = [first, second, third].flatMap((part) => part ?? []);
    for (const part of sent) expect(await rig.submit(part)).toBe('accepted');
    const at = isoTime(rig.service.now());
    const pipeline = rig.syncParts({ openCatalogue: () => createCatalogue(rig.porting) });
    await stopImport(
      'import-a',
      { kind: 'for-good', at, by: 'Sam' },
      createDeadline(() => 900_000),
      pipeline,
    );
    rig.pass(minute);
    for (const part of others) expect(await rig.submit(part)).toBe('skipped');

    const shown = async () => {
      const none = async function* () {};
      const requests = rig.requests.ofImport('import-a');
      const ports = { itemsOf: none, rowsOf: none };
      const results = await collectResults(requests, ports, rig.comparisons.ofImport('import-a'));
      return [2, 3, 4, 5, 6].map((line) => results.of(line)?.outcome);
    };
    expect(await shown()).toEqual(['in-progress', 'in-progress', 'in-progress', 'unknown', 'not-sent']);
    // A message that comes once more neither sends it again nor ends it.
    expect(await rig.submit(lost)).toBe('not-mine');
    await syncLater(2 * minute);
    expect(await shown()).toEqual(['complete', 'complete', 'in-progress', 'action-required', 'not-sent']);
    await syncLater(2 * hour);
    expect(await shown()).toEqual(['complete', 'complete', 'action-required', 'action-required', 'not-sent']);
    const left = await rig.request('import-a', lost.request);
    const resolution = { at: isoTime(rig.service.now()), by: 'May', what: 'abandon' } as const;
    const abandoned = abandonRequest(left, resolution, 'abandoned', rig.service.now());
    expect(await rig.requests.replace(left, abandoned)).toBeDefined();
    expect((await rollUp(rig.requests.ofImport('import-a'), 1, 'for-good')).state).toBe('finished');
  });
});
