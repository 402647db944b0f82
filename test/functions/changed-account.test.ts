// The environment is deployed for another account of the service, or for another service. Work of the account before is
// held: nothing of it is sent to the new account or read from it, and it goes on when the environment works for the old
// one again.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rescueImports } from '#functions/sync/lost-messages.ts';
import { resolveRequest } from '#functions/sync/resolve-request.ts';
import { watchLateCommits } from '#functions/sync/unknown-outcomes/late-commits.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { newComparison } from '#shared/outcome/service-comparison.ts';
import { submitMessageOf } from '#shared/request/messages.ts';
import { markActionRequired } from '#shared/request/request-state.ts';
import { createPortingClient, type PortingClient } from '#shared/service/client.ts';
import { Ambiguous } from '#shared/service/errors.ts';
import { portingAccount } from '#shared/text/identity.ts';
import type { ResultsServices } from '../support/embedded/services.ts';
import { startTwinServices } from '../support/in-memory/services.ts';
import { day, hour } from '../support/service/simulator.ts';
import { importItemOf, plannedRowOf, quietMs, type Rig, startRig } from '../support/steps/submit-and-sync.ts';
import { testSettings } from '../support/steps/test-pipeline.ts';

let services: ResultsServices;
let rig: Rig;
beforeAll(async () => {
  services = await startTwinServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
});

const otherId = 1002;
const other = portingAccount({ accountId: otherId, baseUrl: 'service' });
const held = 'This import is of account 1001 at service, and simporter works for account 1002 at service';

/** The pipeline after the deployment: another account, its client, the same table and files. Notes its calls. */
function deployOther() {
  const calls: string[] = [];
  const [, second] = rig.service.clients;
  const { rateLimiter } = rig.connect();
  const client = createPortingClient({
    baseUrl: rig.service.baseUrl,
    authUrl: rig.service.authUrl,
    accountId: otherId,
    rateLimiter,
    wait: async () => {},
    credentials: async () => ({ clientId: second?.clientId ?? '', clientSecret: second?.clientSecret ?? '' }),
    fetch: (input, init) => {
      const path = new URL(String(input)).pathname;
      if (path.startsWith('/api/')) calls.push(`${init?.method ?? 'GET'} ${path}`);
      return fetch(input, init);
    },
  });
  const settings = { ...testSettings, account: other };
  const parts = rig.submitParts();
  const submitParts = {
    client,
    rateLimiter,
    settings,
    validation: { ...parts.validation, settings, catalogue: createCatalogue(client) },
  };
  return { client, calls, settings, submitParts, syncParts: { client, rateLimiter, settings } };
}

const portsOf = async (accountId: number, client = 0): Promise<number> =>
  (await rig.service.call('GET', `/api/porting/${accountId}`, { client })).body.total;

/** Runs of sync until nothing that they know is due, for a month. */
async function syncForLong(parts: ReturnType<typeof deployOther>['syncParts']): Promise<void> {
  for (let days = 0; days < 30; days += 1) {
    rig.pass(day);
    await rig.sync(parts);
  }
}

/** Calls that are about one port, or make one. The lists of the own account are nobody else's. */
const aboutPorts = (calls: readonly string[]) =>
  calls.filter((call) => /\/port\/|^(POST|PUT|PATCH|DELETE) /.test(call));

const ambiguous = () => Promise.reject(new Ambiguous('reset', { call: 'POST /api/porting' }));

describe('after a deployment for another account', () => {
  test('a planned request is not sent, and is sent once the environment works for its account again', async () => {
    await rig.imports.begin(importItemOf('import-a'));
    const message = await rig.planOne('import-a', [plannedRowOf(1, 2)]);
    const deployed = deployOther();
    expect(await rig.submit(message, deployed.submitParts)).toBe('not-mine');
    await syncForLong(deployed.syncParts);
    expect(services.waiting('submit')).toEqual([]);
    expect(aboutPorts(deployed.calls)).toEqual([]);
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned', attempt: 0 });
    expect([await portsOf(1001), await portsOf(otherId, 1)]).toEqual([0, 0]);

    // The days of its port are over by then, so its date is another one.
    await rig.sync();
    expect(services.waiting('submit')).toMatchObject([{ body: { importId: 'import-a', request: 1 } }]);
  });

  test.each(['stopped', 'scheduled'] as const)('a request that is %s stays so', async (state) => {
    const stop = { kind: 'until-resumed', by: 'Sam', at: '2026-07-06T09:00:00.000Z' } as const;
    await rig.imports.begin(importItemOf('import-a', state === 'stopped' ? { stop } : {}));
    const message = await rig.planOne('import-a', [plannedRowOf(1, 2)]);
    const planned = await rig.request('import-a');
    const dueAt = new Date(rig.service.now() + hour).toISOString();
    if (state === 'scheduled') await rig.requests.replace(planned, { ...planned, state, sendOn: '2026-07-07', dueAt });
    const deployed = deployOther();
    await rig.submit(message, deployed.submitParts);
    await syncForLong(deployed.syncParts);
    expect(aboutPorts(deployed.calls)).toEqual([]);
    expect(services.waiting('submit')).toEqual([]);
    expect((await rig.request('import-a')).state).toBe(state === 'stopped' ? 'planned' : state);
  });

  test('the outcome of a request that the service never answered is not searched for', async () => {
    await rig.imports.begin(importItemOf('import-a'));
    const message = await rig.planOne('import-a', [plannedRowOf(1, 2)]);
    await rig.submit(message, { client: { ...rig.porting, createPort: ambiguous } });
    const deployed = deployOther();
    await syncForLong(deployed.syncParts);
    expect(aboutPorts(deployed.calls)).toEqual([]);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', attempt: 1 });
    // A list without a port is read several times before it proves that there is none.
    for (let run = 0; run < 5; run += 1) {
      await rig.sync();
      rig.pass(quietMs);
    }
    expect((await rig.request('import-a')).state).toBe('planned');
  });

  test('a port is neither read nor changed, and requires no action', async () => {
    await rig.imports.begin(importItemOf('import-a'));
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3, 'INVALID')]));
    await rig.syncNext();
    const { portId = '' } = await rig.request('import-a');
    const before = [await rig.ports.get(portId), await rig.request('import-a')];
    const deployed = deployOther();
    const removing = { ...deployed.settings, removeBlockingAfterMs: 1 };
    await syncForLong({ ...deployed.syncParts, settings: removing });
    expect(aboutPorts(deployed.calls)).toEqual([]);
    expect([await rig.ports.get(portId), await rig.request('import-a')]).toEqual(before);
    await rig.sync();
    expect((await rig.ports.get(portId))?.readAt).not.toBe((before[0] as { readAt: string }).readAt);
  });

  test('the services of a completed port are not compared', async () => {
    await rig.imports.begin(importItemOf('import-a'));
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    const { portId = '', expiresAt } = await rig.request('import-a');
    const place = { importId: 'import-a', request: 1, account: testSettings.account, portId, expiresAt };
    await rig.comparisons.expect(newComparison(place, rig.service.now()));
    const before = await rig.comparisons.get('import-a', 1);
    const deployed = deployOther();
    await syncForLong(deployed.syncParts);
    expect(aboutPorts(deployed.calls)).toEqual([]);
    expect(await rig.comparisons.get('import-a', 1)).toEqual(before);
  });

  test('a request that moves a port neither cancels the port nor sends its rows', async () => {
    await rig.imports.begin(importItemOf('import-a'));
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    const { portId = '' } = await rig.request('import-a');
    await rig.imports.begin(importItemOf('import-b'));
    const message = await rig.planOne('import-b', [plannedRowOf(1, 2)]);
    const planned = await rig.request('import-b');
    const replaces = { importId: 'import-a', request: 1, portId };
    const dueAt = new Date(rig.service.now()).toISOString();
    await rig.requests.replace(planned, { ...planned, replaces, dueAt });
    const deployed = deployOther();
    await rig.submit(message, deployed.submitParts);
    await syncForLong(deployed.syncParts);
    expect(aboutPorts(deployed.calls)).toEqual([]);
    // Its port is cancelled, so it would be sent although its import is stopped.
    const waiting = await rig.request('import-b');
    await rig.requests.replace(waiting, { ...waiting, replaces: { ...replaces, cancelledAt: dueAt } });
    expect(await rig.submit(message, deployed.submitParts)).toBe('not-mine');
    expect(aboutPorts(deployed.calls)).toEqual([]);
  });

  test.each([{ kind: 'resend', yes: true }, { kind: 'abandon' }, { kind: 'adopt', portId: 'some-port' }] as const)(
    'a person who resolves a request is told which account it is of: $kind',
    async (what) => {
      await rig.imports.begin(importItemOf('import-a'));
      const message = await rig.planOne('import-a', [plannedRowOf(1, 2)]);
      await rig.submit(message, { client: { ...rig.porting, createPort: ambiguous } });
      const seen = await rig.request('import-a');
      await rig.requests.replace(seen, markActionRequired(seen, 'nobody knows', rig.service.now()));
      const deployed = deployOther();
      const resolution = { importId: 'import-a', request: 1, what, by: 'Sam' };
      expect(await resolveRequest(resolution, rig.syncParts(deployed.syncParts))).toEqual({
        resolved: false,
        why: held,
        advice: 'Resolve the request once simporter works for its account',
      });
      expect(deployed.calls).toEqual([]);
    },
  );

  test('an interrupted import is not announced again, and late ports are not sought under its name', async () => {
    const receivedAt = new Date(rig.service.now() - hour).toISOString();
    const attemptUntil = receivedAt;
    await rig.imports.begin(importItemOf('import-a', { state: 'planning', receivedAt, attemptUntil }));
    const deployed = deployOther();
    expect(await rescueImports(rig.runParts(deployed.syncParts))).toBe(0);
    expect(await watchLateCommits(rig.runParts(deployed.syncParts))).toBe(0);
    expect(services.waiting('ingest')).toEqual([]);
    expect(await rescueImports(rig.runParts())).toBe(1);
  });

  test('a message whose request is ended for good ends it, because that needs no call', async () => {
    const stop = { kind: 'for-good', by: 'Sam', at: '2026-07-06T09:00:00.000Z' } as const;
    await rig.imports.begin(importItemOf('import-a', { stop }));
    const message = await rig.planOne('import-a', [plannedRowOf(1, 2)]);
    const deployed = deployOther();
    expect(await rig.submit(message, deployed.submitParts)).toBe('skipped');
    expect(deployed.calls).toEqual([]);
  });

  test('its own requests and ports go on as ever', async () => {
    const deployed = deployOther();
    await rig.imports.begin(importItemOf('import-b', { account: other }));
    const ofAccount = { provisioningOrder: null, provisioningOrderName: 'Field team' };
    await rig.plan('import-b', [[plannedRowOf(3, 2)]], ofAccount);
    const seen = await rig.request('import-b');
    const own = await rig.requests.replace(seen, { ...seen, account: other });
    if (own === undefined) throw new Error('the request was not written');
    expect(await rig.submit(submitMessageOf(own), deployed.submitParts)).toBe('created');
    expect([await portsOf(1001), await portsOf(otherId, 1)]).toEqual([0, 1]);
    const { portId = '' } = await rig.request('import-b');
    await syncForLong(deployed.syncParts);
    expect(await rig.ports.get(portId)).toMatchObject({ account: other, status: 'Complete' });
  });
});

test('the same account at another address is another account', async () => {
  await rig.imports.begin(importItemOf('import-a'));
  const message = await rig.planOne('import-a', [plannedRowOf(1, 2)]);
  const settings = { ...testSettings, account: '1001@another' };
  expect(await rig.submit(message, { settings })).toBe('not-mine');
  const client: PortingClient = rig.porting;
  await rig.sync({ settings, client });
  expect((await rig.request('import-a')).attempt).toBe(0);
});
