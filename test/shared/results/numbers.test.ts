// What people see of a number, and the numbers that a cancellation names.
import { describe, expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { partItemOf } from '#shared/import/part.ts';
import type { NumberItem } from '#shared/request/number-claim.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { discardPortId } from '#shared/request/request-state.ts';
import { cancellationCsv, readCancellableRows, readNumberDetails } from '#shared/results/numbers.ts';
import { emptyAccount } from '../../support/cli/account.ts';
import { minute } from '../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { portItemOf, portRowsOf, requestItemOf } from '../../support/steps/ledger-items.ts';
import { importItemOf, msisdnOf, plannedRowOf, quietMs } from '../../support/steps/submit-and-sync.ts';

// What happened to a number: a later decline never hides that it was ported.
describe('a number', () => {
  const rows = portRowsOf('PacValid').map((row) => ({ ...row, line: 2, msisdn: '447700900001' }));
  const first: NumberItem = {
    number: '447700900001',
    importId: 'import-a',
    request: 1,
    line: 2,
    claimedAt: '2026-07-01T09:00:00.000Z',
    expiresAt: 1_850_000_000,
    latest: { portId: 'port-a', status: 'Complete', readAt: '2026-07-08T09:00:00.000Z', ended: true },
  };
  const ported = { importId: 'import-a', line: 2, at: '2026-07-08T09:00:00.000Z' };
  const second: NumberItem = { ...first, importId: 'import-b', line: 7, claimedAt: '2026-07-20T09:00:00.000Z', ported };
  const successful = requestItemOf({
    importId: 'import-a',
    state: 'created',
    portId: 'port-a',
    portStatus: 'Complete',
  });
  const error = { kind: 'declined', message: 'The number is not with this network' };

  const detailsWith = (later: Partial<RequestItem>) =>
    readNumberDetails(
      {
        ...emptyAccount,
        numbers: { ...emptyAccount.numbers, get: async () => second, history: async () => [first] },
        requests: {
          ...emptyAccount.requests,
          get: async (importId) => (importId === 'import-a' ? successful : requestItemOf({ importId, ...later })),
        },
        ports: {
          ...emptyAccount.ports,
          get: async (portId) => (portId === 'port-a' ? portItemOf({ portId, status: 'Complete' }) : undefined),
          rows: async (portId) => (portId === 'port-a' ? rows : undefined),
        },
      },
      '447700900001',
    );

  test('a number whose later request was declined is shown as ported, and names the later import', async () => {
    const details = await detailsWith({ state: 'declined', lines: '7', error, endedAt: '2026-07-20T09:01:00.000Z' });
    expect(details).toMatchObject({ outcome: 'complete', importId: 'import-a', line: 2, portId: 'port-a' });
    expect(details?.earlierImports).toEqual([]);
    expect(details?.laterImports).toEqual([
      { importId: 'import-b', line: 7, claimedAt: second.claimedAt, outcome: 'declined', message: error.message },
    ]);
  });

  test('a later request that was sent is shown first', async () => {
    const details = await detailsWith({ state: 'created', lines: '7', portId: 'port-b', portStatus: 'Submitted' });
    expect(details).toMatchObject({ outcome: 'in-progress', importId: 'import-b', line: 7, laterImports: [] });
    expect(details?.earlierImports).toEqual([{ importId: 'import-a', line: 2, claimedAt: first.claimedAt }]);
  });

  test('the time of the call is that of the request, and unknown while nothing was sent', async () => {
    const submittedAt = '2026-07-20T11:30:00.000Z';
    const sent = await detailsWith({ state: 'created', lines: '7', portId: 'port-b', submittedAt });
    expect(sent).toMatchObject({ importId: 'import-b', claimedAt: second.claimedAt, submittedAt });
    // The service limited the call: it is made later.
    const planned = await detailsWith({ state: 'planned', lines: '7', submittedAt });
    expect(planned).toMatchObject({ importId: 'import-b', submittedAt: null });
  });
});

// What a cancellation of an import names: every number that is in a port, or that some are not known yet.
describe('what a cancellation names', () => {
  useFreshRig();

  const sources = () => ({ ...rig, resources: { resultsBucket: services.buckets.results } });
  const cancellable = (item: ImportItem) => readCancellableRows(sources(), item);

  /** Three requests of two rows each. Submit leaves the reading of their ports to sync. */
  const sendThree = async (): Promise<ImportItem> => {
    const { item } = await rig.imports.begin(importItemOf('import-a', { requestCount: 3 }));
    const groups = [1, 11, 21].map((first) => [plannedRowOf(first, first + 1), plannedRowOf(first + 1, first + 2)]);
    for (const message of await rig.plan('import-a', groups)) await rig.submit(message, { readsBack: () => false });
    return item;
  };

  test('ports that sync has not read yet are counted, and named once it has', async () => {
    const item = await sendThree();
    expect(await cancellable(item)).toEqual({ rows: [], unread: 3, unknown: 0 });
    rig.pass(minute);
    await rig.sync();
    const { rows, unread } = await cancellable(item);
    expect(unread).toBe(0);
    expect(rows.map(({ msisdn }) => msisdn).sort()).toEqual(
      [1, 2, 11, 12, 21, 22].map((index) => `+${msisdnOf(index)}`),
    );
  });

  test.each(['submit', 'sync'])(
    'a row of a correction has its line in the first file: %s reads its port',
    async (who) => {
      const first = await sendThree();
      const partOf = { importId: 'import-a', kind: 'correction' } as const;
      const { item: part } = await rig.imports.begin(importItemOf('import-b', { partOf, state: 'in-progress' }));
      await rig.imports.addPart(partItemOf(part, 'import-a'), first);
      const corrected = { ...plannedRowOf(31, 2), correctedRow: 'import-a/5' };
      for (const message of await rig.plan('import-b', [[corrected]]))
        await rig.submit(message, { readsBack: () => who === 'submit' });
      rig.pass(minute);
      await rig.sync();
      const item = (await rig.imports.get('import-a')) ?? first;
      const { rows } = await cancellable(item);
      expect(rows.find(({ msisdn }) => msisdn === `+${msisdnOf(31)}`)).toMatchObject({ line: 5 });
      expect(cancellationCsv(item, rows)).toContain(',line 5,import-a,5\r\n');
    },
  );

  test('a request of unknown outcome is counted: it may have a port', async () => {
    const item = await sendThree();
    const request = await rig.request('import-a');
    const times = { now: rig.service.now(), quietMs };
    await rig.requests.replace(request, discardPortId(request, 'the port of another request', times));
    expect(await cancellable(item)).toMatchObject({ unread: 2, unknown: 1 });
  });
});
