// The rows for queries that report writes after the CSV files, over an embedded S3: DuckDB reads them, as
// `simporter query` does.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { queryFiles } from '#cli/query/query-files.ts';
import { readyQueries } from '#cli/query/ready-queries.ts';
import { outcomeColumns } from '#shared/files/added-columns.ts';
import { csvHeader, csvRow } from '#shared/files/csv/csv-row.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { writeAnalytics } from '#shared/results/analytics.ts';
import { openCsvTable } from '#shared/results/import-files.ts';
import { DeadlineExceeded } from '#shared/runtime/clock.ts';
import { analyticsKey, analyticsPrefix, resultsKey } from '#shared/store/object-keys.ts';
import { double } from '../../support/double.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const importId = 'abcdefgh12345678';
const own = ['Mobile', 'From', 'note'];
const itemOf = (changes: Partial<ImportItem> = {}) =>
  importItemOf(importId, {
    state: 'finished',
    columnIndexes: { msisdn: 0, sourceNetwork: 1 },
    layout: { delimiter: ';', headerLine: 3 },
    ...changes,
  });

type Cells = Partial<Record<(typeof outcomeColumns)[number] | (typeof own)[number], string>>;
const csvOf = (rows: readonly Cells[], id = importId): string => {
  const header = [...own, ...outcomeColumns];
  const records = rows.map((row, index) => ({ importId: id, line: String(index + 4), ...row }) as Cells);
  return (
    csvHeader(header, ';') +
    records
      .map((row) =>
        csvRow(
          header.map((name) => row[name] ?? ''),
          ';',
        ),
      )
      .join('')
  );
};
const put = (text: string, id = importId) =>
  services.s3.send(new PutObjectCommand({ Bucket: 'results', Key: resultsKey(id), Body: text }));
const resources = { resultsBucket: 'results', callingCode: '44' };
const write = (item = itemOf(), checkTime?: () => void) =>
  writeAnalytics(item, { files: rig.files, resources }, checkTime);
const written = async () => {
  const versions = await Array.fromAsync(rig.files.versions('results'));
  return versions.map(({ key }) => key).filter((key) => key.startsWith(analyticsPrefix));
};

const query = (sql: string) =>
  queryFiles(double({ s3: services.s3, files: rig.files, resources }), sql, async ({ columns, rows }) => ({
    columns: columns.map(({ name }) => name),
    rows: (await Array.fromAsync(rows)).flat(),
  }));

const awkward: readonly Cells[] = [
  { Mobile: '07700 900001', From: 'Source; One', outcome: 'complete', portId: 'p1', status: 'Complete' },
  { Mobile: '+447700900002', outcome: 'declined', message: '=SUM(1;2) "quoted"\r\nsecond line', whatToDo: "'+1 it" },
  { Mobile: 'no number', note: 'x', outcome: 'rejected', message: 'é 😀  \u0000 end ', bookedDate: '2026-07-08' },
  { Mobile: '', outcome: 'not-sent', submittedAt: '2026-07-06T09:00:00.000Z', completedAt: '2026-07-07T09:00:00.000Z' },
];

test('DuckDB reads the cells of results.csv, byte for byte; an empty cell is NULL', async () => {
  await put(csvOf(awkward));
  await write();
  expect(await written()).toEqual([`analytics/operation=create-port/month=2026-07/${importId}.parquet`]);
  const table = await openCsvTable({ files: rig.files, resources }, itemOf(), {
    object: { bucket: 'results', key: resultsKey(importId) },
    operation: undefined,
  });
  const records = (await Array.fromAsync(table?.rows ?? [])).flat();
  expect(records).toHaveLength(awkward.length);
  const names =
    'import_id, line, outcome, port_id, status, message, what_to_do, booked_date, submitted_at, completed_at';
  const { rows } = await query(`SELECT ${names} FROM results ORDER BY line`);
  expect(rows.map((row) => row.map((cell) => cell ?? ''))).toEqual(
    records.map((cells) => cells.slice(-outcomeColumns.length)),
  );
  expect(rows.flat()).not.toContain('');
});

test('each row also has its import, its number and its networks', async () => {
  await put(csvOf(awkward));
  await write(itemOf({ columnValues: { sourceNetwork: 'Source Two', targetNetwork: 'UK Mobile A' } }));
  const names = 'account, operation, month, uploaded_at, number, source_network, target_network';
  const about = ['1001', 'create-port', '2026-07', '2026-07-06T09:00:00.000Z'];
  expect((await query(`SELECT ${names} FROM results ORDER BY line`)).rows).toEqual([
    [...about, '447700900001', 'Source; One', 'UK Mobile A'],
    [...about, '447700900002', 'Source Two', 'UK Mobile A'],
    [...about, null, 'Source Two', 'UK Mobile A'],
    [...about, null, 'Source Two', 'UK Mobile A'],
  ]);
});

test('the file has the rows of results.csv as it is now, and is not written again without need', async () => {
  await put(csvOf([{ outcome: 'declined' }]));
  await write();
  const first = await rig.files.head({ bucket: 'results', key: analyticsKey(itemOf()) });
  await write();
  expect(await rig.files.head({ bucket: 'results', key: analyticsKey(itemOf()) })).toEqual(first);
  await put(csvOf([{ outcome: 'complete' }]));
  await write();
  expect((await query('SELECT outcome FROM results')).rows).toEqual([['complete']]);
});

test('a results.csv that is replaced while it is read is read again', async () => {
  await put(csvOf([{ outcome: 'declined' }]));
  let reads = 0;
  const read: typeof rig.files.read = async (ref) => {
    reads += 1;
    if (reads === 1) await put(csvOf([{ outcome: 'complete' }]));
    return rig.files.read(ref);
  };
  await writeAnalytics(itemOf(), { files: { ...rig.files, read }, resources });
  expect((await query('SELECT outcome FROM results')).rows).toEqual([['complete']]);
});

test.each<[string, Partial<ImportItem>]>([
  ['an import in progress', { state: 'in-progress' }],
  ['a correction, whose rows are those of its first import', { partOf: { importId: 'first', kind: 'correction' } }],
])('%s has no file', async (_what, changes) => {
  await put(csvOf([{ outcome: 'complete' }]));
  await write(itemOf(changes));
  expect(await written()).toEqual([]);
  expect((await query('SELECT * FROM results')).rows).toEqual([]);
});

test('without time nothing is written, and the message is delivered again', async () => {
  await put(csvOf([{ outcome: 'complete' }]));
  const late = () => {
    throw new DeadlineExceeded('late');
  };
  await expect(write(itemOf(), late)).rejects.toThrow(DeadlineExceeded);
  expect(await written()).toEqual([]);
});

test('many rows are several groups, in their order', async () => {
  const rows = 45_000;
  await put(csvOf(Array.from({ length: rows }, (_, index) => ({ outcome: 'complete', portId: `p${index % 7}` }))));
  await write();
  const sums = 'SELECT count(*), min(line), max(line), count(DISTINCT line), count(DISTINCT port_id) FROM results';
  expect((await query(sums)).rows).toEqual([[rows, 4, rows + 3, rows, 7].map(String)]);
});

test('a query reads no other file, and changes nothing', async () => {
  await expect(query("SELECT * FROM read_csv('/etc/hostname')")).rejects.toThrow(/disabled/);
});

describe('a ready query', () => {
  const columnsOf: Readonly<Record<string, readonly string[]>> = {
    'success-by-network': ['source_network', 'month', 'numbers', 'ported', 'percent'],
    'days-to-port': ['days', 'numbers'],
    declines: ['operation', 'outcome', 'message', 'numbers'],
    'not-ported': ['number', 'attempts', 'last_upload', 'last_outcome', 'last_message'],
    'daily-counts': ['day', 'operation', 'uploaded', 'succeeded', 'declined', 'cancelled', 'invalid'],
  };
  const ported = { From: 'One', outcome: 'complete', completedAt: '2026-07-09T23:00:00.000Z' };
  const answers: Readonly<Record<string, readonly (readonly (string | null)[])[]>> = {
    'success-by-network': [
      ['One', '2026-07', '4', '2', '50'],
      ['Two', '2026-08', '1', '0', '0'],
    ],
    'days-to-port': [['3', '2']],
    declines: [
      ['create-port', 'declined', 'no such number', '2'],
      ['create-port', 'cancelled', 'unknown account', '1'],
    ],
    'not-ported': [
      ['447700900003', '2', '2026-08-01T09:00:00.000Z', 'declined', 'no such number'],
      ['447700900004', '1', '2026-07-06T09:00:00.000Z', 'cancelled', 'unknown account'],
    ],
    'daily-counts': [
      ['2026-07-06', 'create-port', '4', '2', '1', '1', '0'],
      ['2026-08-01', 'create-port', '1', '0', '1', '0', '0'],
    ],
  };

  test.each(Object.entries(readyQueries))('%s answers its question', async (name, { sql }) => {
    const declined = { Mobile: '07700900003', outcome: 'declined', message: 'no such number' };
    await put(
      csvOf([
        { ...ported, Mobile: '07700900001' },
        { ...ported, Mobile: '07700900002' },
        { ...declined, From: 'One' },
        { Mobile: '07700900004', From: 'One', outcome: 'cancelled', message: 'unknown account' },
      ]),
    );
    await write();
    await put(csvOf([{ ...declined, From: 'Two' }], 'second'), 'second');
    await write({ ...itemOf({ receivedAt: '2026-08-01T09:00:00.000Z' }), importId: 'second' });
    expect(await query(sql)).toEqual({ columns: columnsOf[name], rows: answers[name] });
  });

  // What Athena and DuckDB do alike. `date_diff` takes the unit first in both.
  const shared = [
    'avg',
    'cast',
    'coalesce',
    'count',
    'count_if',
    'date_diff',
    'max',
    'max_by',
    'min',
    'round',
    'substr',
  ];
  test.each(Object.entries(readyQueries))('%s has only what Athena and DuckDB understand alike', (_name, { sql }) => {
    const called = [...sql.matchAll(/\b([a-z_]+)\(/gi)].map(([, name = '']) => name.toLowerCase());
    expect(called.filter((name) => !shared.includes(name))).toEqual([]);
    expect(sql).not.toMatch(/::|\bGROUP BY ALL\b|\bQUALIFY\b|\bILIKE\b|"/i);
    const selected = [...sql.matchAll(/\bAS (\w+)/g)].map(([, alias = '']) => alias);
    const grouped = /GROUP BY (.*)/.exec(sql)?.[1]?.split(', ') ?? [];
    // Athena takes no alias there.
    expect(grouped.filter((name) => selected.includes(name))).toEqual([]);
  });
});
