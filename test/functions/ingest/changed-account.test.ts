// Commands and files about work of another account of the service than the environment works for by now.
import { describe, expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { double } from '../../support/double.ts';
import { countedLookups } from '../../support/ingest/catalogue.ts';
import { correct, uploadFirst } from '../../support/ingest/corrections.ts';
import { handle, type IngestBench, ingestBench, notification } from '../../support/ingest/ingest.ts';
import { csvOf, goodRows, numberAt } from '../../support/ingest/valid-rows.ts';
import { iso, noon, portItemOf, requestItemOf } from '../../support/steps/ledger-items.ts';

const other = '1002@service';
const held = 'This import is of account 1001 at service, and simporter works for account 1002 at service';

const deployFor = (bench: IngestBench, account: string): void => {
  const { settings } = bench.dependencies;
  bench.dependencies = { ...bench.dependencies, settings: { ...settings, account } };
};
const current = (bench: IngestBench, item: ImportItem | undefined) => bench.ledger.items.get(item?.importId ?? '');
const give = async (bench: IngestBench, command: object) => {
  const body = JSON.stringify({ at: new Date(bench.time).toISOString(), by: 'Sam', ...command });
  expect(await handle(bench, [body])).toEqual({ batchItemFailures: [] });
};

describe('after a deployment for another account', () => {
  test('a plan cannot be approved, and its import says why', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf(goodRows(2)), { key: 'plan/create-port/x.csv' });
    deployFor(bench, other);
    await give(bench, { approve: item?.importId, plan: item?.planHash });
    expect(current(bench, item)).toMatchObject({ state: 'planned', declinedApproval: { by: 'Sam', reason: held } });
    expect(bench.messages).toEqual([]);
    deployFor(bench, '1001@service');
    await give(bench, { approve: item?.importId, plan: item?.planHash });
    expect(bench.messages).toHaveLength(1);
  });

  test('a plan that was approved before is not released', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf(goodRows(2)), { key: 'plan/create-port/x.csv' });
    const planned = current(bench, item) as ImportItem;
    bench.ledger.items.set(planned.importId, { ...planned, approvedAt: iso(noon) });
    deployFor(bench, other);
    await give(bench, { approve: planned.importId, plan: planned.planHash });
    expect(current(bench, item)?.state).toBe('planned');
    expect([bench.messages, [...bench.ledger.planned]]).toEqual([[], []]);
  });

  test.each(['planning', 'planned', 'submitting'] as const)(
    'a repeated event of an upload continues nothing of an import that is %s',
    async (state) => {
      const bench = ingestBench();
      const text = csvOf(goodRows(2));
      const item = (await bench.upload(text)) as ImportItem;
      bench.ledger.items.set(item.importId, { ...item, state });
      bench.messages.length = 0;
      bench.ledger.planned.clear();
      deployFor(bench, other);
      expect(await bench.upload(text)).toMatchObject({ state, account: '1001@service' });
      expect([bench.messages, [...bench.ledger.planned]]).toEqual([[], []]);
    },
  );

  test('a new upload is of the new account', async () => {
    const bench = ingestBench();
    deployFor(bench, other);
    bench.files.put('inbox', 'create-port/x.csv', csvOf(goodRows(1)));
    await handle(bench, [notification('create-port/x.csv')]);
    expect([...bench.ledger.items.values()]).toMatchObject([{ account: other, state: 'submitting' }]);
    expect([...bench.ledger.planned.values()]).toMatchObject([{ account: other }]);
  });

  test('an import is stopped, but not resumed', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf(goodRows(2)));
    bench.messages.length = 0;
    deployFor(bench, other);
    await give(bench, { stop: item?.importId });
    expect(current(bench, item)?.stop).toMatchObject({ kind: 'until-resumed' });
    bench.time += 1_000;
    await give(bench, { resume: item?.importId });
    expect(current(bench, item)?.stop).toMatchObject({ kind: 'until-resumed' });
    expect(bench.messages).toEqual([]);
  });

  test('its ports are not moved to another day', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf(goodRows(2)));
    bench.messages.length = 0;
    deployFor(bench, other);
    await give(bench, { reschedule: item?.importId, date: 'auto', ask: 'ask-1' });
    const moved = [...bench.ledger.items.values()].at(-1);
    expect(moved).toMatchObject({ state: 'rejected', issues: [{ code: 'PORT_NOT_CHANGEABLE', message: held }] });
    expect(bench.messages).toEqual([]);
  });

  test('its rows are not corrected: they would be sent to the new account', async () => {
    const bench = ingestBench();
    const { rejected } = await uploadFirst(bench);
    bench.messages.length = 0;
    deployFor(bench, other);
    const correction = await correct(bench, rejected.replace('9999', '2001'), 'once');
    expect(correction).toMatchObject({ state: 'rejected', issues: [{ code: 'CORRECTION_IMPORT_UNKNOWN' }] });
    expect(correction?.issues[0]?.message).toBe(`${held}. Remove the columns importId and line to import it as new`);
    expect(bench.messages).toEqual([]);
  });

  const portId = '0f8fad5b-d9cb-469f-a165-000000000001';
  test.each([
    ['by its number', `msisdn\n${numberAt(0)}\n`, 'was not ported with simporter in this account'],
    ['by its id', `portId,wholePort\n${portId},yes\n`, `The service does not know port ${portId} in this account`],
  ])('a file cannot name a port %s, and the service is not asked for it', async (_, text, message) => {
    const asked: string[] = [];
    const port = async (id: string) => {
      asked.push(id);
      return undefined;
    };
    const claim = {
      number: '447700900000',
      importId: 'import-a',
      request: 1,
      line: 2,
      claimedAt: iso(noon),
      expiresAt: 1_850_000_000,
    };
    const bench = ingestBench({
      openCatalogue: () => ({ ...createCatalogue(countedLookups()), port, knownPort: port }),
      numbers: double({ getMany: async () => [claim] }),
      ports: double({
        itemsOf: async function* () {
          yield portItemOf({ portId });
        },
        rowsOf: async function* () {
          yield { portId, rows: [{ line: 2, msisdn: claim.number, status: 'Submitted' }] };
        },
      }),
    });
    bench.dependencies.requests.get = async () => requestItemOf({ state: 'created', portId });
    const options = { key: 'cancel-port/x.csv' };
    expect((await bench.upload(text, options))?.state).not.toBe('rejected');
    deployFor(bench, other);
    asked.length = 0;
    const item = await bench.upload(text, { ...options, sequencer: '2' });
    expect(item).toMatchObject({ accepted: 0, rejected: 1 });
    expect(item?.issues.map((issue) => issue.message).join()).toContain(message);
    expect(asked).toEqual([]);
  });
});
