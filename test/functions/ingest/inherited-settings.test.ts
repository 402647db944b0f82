// Which settings of a first import apply to its rows when they return (decision 27).
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { operationNamed, operations } from '#shared/operations/registry.ts';
import { createPortingClient } from '#shared/service/client.ts';
import { type RunningSimulator, startSimulator } from '#simulator/start-simulator.ts';
import { type IngestBench, ingestBench } from '../../support/ingest/ingest.ts';
import { benchFor, type OperationMeaning, operationMeanings } from '../../support/ingest/meanings.ts';
import { csvOf } from '../../support/ingest/valid-rows.ts';

let server: RunningSimulator;
beforeAll(async () => {
  server = await startSimulator();
});
afterAll(() => server.stop());

function benchWithService(): IngestBench {
  const [client] = server.clients;
  if (client === undefined) throw new Error('the service has no client');
  const { baseUrl, authUrl } = server;
  const porting = createPortingClient({
    baseUrl,
    authUrl,
    accountId: client.accountId,
    credentials: async () => client,
  });
  return ingestBench({ openCatalogue: () => createCatalogue(porting) });
}

/** The example of an operation, as rows that return from another import. */
function returned(operation: string, importId: string): { header: string[]; text: string } {
  const path = new URL(`../../../examples/${operation}.csv`, import.meta.url);
  const [header = '', ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const marked = rows.map((row, index) => `${row},${importId},${index + 2}`);
  return { header: header.split(','), text: [`${header},importId,line`, ...marked].join('\n') };
}

/** What a person may have said for the first file: a value for each column that the returned file has or could have. */
function settingsFor(operation: string, header: readonly string[]): Record<string, string> {
  const columns = operationNamed(operation)?.columns.map(({ name }) => name) ?? [];
  const values = columns.filter((name) => !header.includes(name)).map((name) => [`set-${name.toLowerCase()}`, '1']);
  const mapping = new URLSearchParams(Object.fromEntries(header.map((name) => [name, '']))).toString();
  return { ...Object.fromEntries(values), map: mapping, 'max-rows-per-port': '1', tolerate: '0', 'per-day': '1' };
}

async function planReturned(operation: string, metadata: (header: readonly string[]) => Record<string, string>) {
  const bench = benchWithService();
  const { header } = returned(operation, '');
  const first = await bench.upload(csvOf([{}, { tariff: '9999' }]), { metadata: { tolerate: '100' } });
  const importId = first?.importId ?? '';
  bench.files.put('inbox', 'create-port/file.csv', csvOf([{}, { tariff: '9999' }]), metadata(header));
  const again = await bench.upload(returned(operation, importId).text, { key: `${operation}/returned.csv` });
  const plan = bench.plan(again).map(({ head, rows }) => ({ head, rows }));
  return { state: again?.state, correctionOf: again?.correctionOf === importId, plan, issues: bench.issues(again) };
}

const others = [...operations.keys()].filter((name) => name !== 'create-port');

test.each(others)('rows that return as %s are read as if nothing had been said for their first file', async (name) => {
  const plain = await planReturned(name, () => ({}));
  expect(plain.correctionOf).toBe(true);
  expect(await planReturned(name, (header) => settingsFor(name, header))).toEqual(plain);
});

const meaningOf = (operation: string): OperationMeaning => {
  const meaning = operationMeanings.find((one) => one.operation === operation);
  if (meaning === undefined) throw new Error(`nothing is known of what people mean by ${operation}`);
  return meaning;
};

/** Two rows, perhaps of an earlier import, of which the first ones are right. */
function twoRows({ fields }: OperationMeaning, right: number, importId?: string): string {
  const returned = importId === undefined ? [] : ['importId', 'line'];
  const rows = [0, 1].map((row) => [
    ...fields.map(({ kind, values }) => {
      if (kind === 'sim' || kind === 'number') return row < right ? values[row] : 'unreadable';
      return values.find((value) => value !== '');
    }),
    ...(importId === undefined ? [] : [importId, String(row + 2)]),
  ]);
  const lines = [[...fields.map(({ names }) => names[0]), ...returned], ...rows];
  return lines.map((cells) => `${cells.map((cell) => `"${cell}"`).join(',')}\n`).join('');
}

/** The first file tolerates no invalid row, and its rows return in an operation: one right, one invalid. */
async function returnHalfRight(first: string, operation: string) {
  const bench = benchFor(meaningOf(operation));
  const root = await bench.upload(twoRows(meaningOf(first), 0), { key: `${first}/a.csv`, metadata: { tolerate: '0' } });
  const again = await bench.upload(twoRows(meaningOf(operation), 1, root?.importId), { key: `${operation}/b.csv` });
  expect(again).toMatchObject({ correctionOf: root?.importId, accepted: 1, rejected: 1 });
  return again;
}

test.each([...operations.keys()])(
  'a correction of %s tolerates no more invalid rows than its first file',
  async (name) => {
    expect(await returnHalfRight(name, name)).toMatchObject({ state: 'rejected' });
  },
);

test.each([...operations.keys()])('what a file of %s tolerates is not said for another operation', async (first) => {
  for (const name of [...operations.keys()].filter((other) => other !== first))
    expect(await returnHalfRight(first, name), name).toMatchObject({ state: 'submitting' });
});

test('rows that return in the same operation have all settings of the first file, also the limit of invalid rows', async () => {
  const bench = ingestBench();
  const first = await bench.upload(csvOf([{}, { tariff: '9999' }, { tariff: '9999' }]), {
    metadata: { tolerate: '0' },
  });
  expect(first).toMatchObject({ state: 'rejected', accepted: 1, rejected: 2 });
  const [header, one, other] = bench.rejected(first).split('\r\n');
  const text = [header, one?.replace('9999', '2001'), other].join('\r\n');
  const again = await bench.upload(text, { key: 'create-port/fixed.csv' });
  expect(again).toMatchObject({ state: 'rejected', accepted: 1, rejected: 1 });
  const own = await bench.upload(text, { key: 'create-port/tolerated.csv', metadata: { tolerate: '50' } });
  expect(own).toMatchObject({ state: 'submitting', accepted: 1, rejected: 1 });
});
