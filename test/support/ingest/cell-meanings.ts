// The cells of docs/reference/cells.md, and files that mean the same: they have one plan, whatever way the cells come
// in, and in any order of the rows.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect } from 'vitest';
import { consoleUpload } from '#shared/import/approval.ts';
import type { SavedSettings } from '#shared/import/saved-settings.ts';
import type { NumberItem } from '#shared/request/number-claim.ts';
import { double } from '../double.ts';
import { workbookFile } from '../files/workbook-file.ts';
import { validCells } from './catalogue.ts';
import { type IngestBench, ingestBench } from './ingest.ts';
import { numberAt, simAt } from './valid-rows.ts';

export type Row = Readonly<Record<string, string>>;

const page = readFileSync(new URL('../../../docs/reference/cells.md', import.meta.url), 'utf8');
const tables = page.slice(page.indexOf('<!-- cells'), page.indexOf('<!-- end of cells'));
const spans = (text: string) => [...text.matchAll(/`([^`]*)`/g)].map(([, code = '']) => code);
const lines = tables.split('\n').filter((line) => line.startsWith('| `'));
export const entries = lines.map((line) => {
  const [column = [], cells = [], meaning = []] = line.split(' | ').map(spans);
  return { column: column[0] ?? '', cells, meaning: meaning[0] ?? '' };
});
export const isError = ({ meaning }: { meaning: string }) => /^[A-Z]+_[A-Z_]+$/.test(meaning);
export const meanings = entries.filter((entry) => !isError(entry));

export const names = [...Object.keys(validCells), 'boltOns', 'services', 'esim', 'pacExpiry', 'reference'];
const ported = {
  importId: 'earlier',
  request: 1,
  line: 9,
  claimedAt: '2026-06-02T08:00:00.000Z',
  expiresAt: 1_850_000_000,
};
/** Of numbers with these last digits it is known that they were ported before. */
export const isPorted = (number: string) => number.endsWith('3');
const latest = { portId: 'p', status: 'Complete', readAt: ported.claimedAt, ended: true };
const getMany = async (numbers: readonly string[]): Promise<NumberItem[]> =>
  numbers.filter(isPorted).map((number) => ({ number, ...ported, latest }));

const texts = ['csv', 'semicolons', 'formulas', 'workbook'] as const;
/** `correction`: all rows of a mapped file are rejected, and fixed. `saved`: saved settings map the columns. */
export const waysIn = [...texts, 'correction', 'saved'] as const;
type WayIn = (typeof waysIn)[number];

function fileOf(rows: readonly Row[], way: WayIn, columns: readonly string[]): { body: string | Buffer; key: string } {
  const texts = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))];
  if (way === 'workbook') return { body: workbookFile([{ name: 'One', rows: texts }]), key: 'create-port/a.xlsx' };
  const separator = way === 'semicolons' ? ';' : ',';
  const written = texts.map((cells, line) =>
    cells
      .map((cell) => (way === 'formulas' && line > 0 && cell !== '' && !cell.includes('"') ? `="${cell}"` : cell))
      .map((cell) => `"${cell.replaceAll('"', '""')}"`)
      .join(separator),
  );
  return { body: `${written.join('\n')}\n`, key: 'create-port/a.csv' };
}

interface Uploading {
  readonly bench: IngestBench;
  readonly columns: readonly string[];
  readonly metadata: Record<string, string>;
}

/** Names that simporter does not know, for columns that a mapping or the saved settings name. */
const ownNames: Readonly<Record<string, string>> = { boltOns: 'Own list', connectionDate: 'Own day' };
const mapping = Object.fromEntries(Object.entries(ownNames).map(([name, own]) => [own, name]));
const savedFor = (savedId: string): SavedSettings => ({
  savedId,
  operation: 'create-port',
  name: 'weekly',
  by: 'anna@example.com',
  authors: [],
  savedAt: ported.claimedAt,
  settings: { mapping },
});

function renamedFile(rows: readonly Row[], columns: readonly string[]): string {
  const [header = '', ...records] = fileOf(rows, 'csv', columns).body.toString().split('\n');
  return [header.replaceAll(/\w+/g, (name) => ownNames[name] ?? name), ...records].join('\n');
}

async function uploadAs(way: WayIn, rows: readonly Row[], { bench, columns, metadata }: Uploading) {
  if (way === 'correction') {
    const broken = rows.map((row, index) => ({ ...row, targetNetwork: `broken ${index}.` }));
    const first = await bench.upload(renamedFile(broken, columns), {
      key: 'create-port/first.csv',
      metadata: { ...metadata, map: new URLSearchParams(mapping).toString() },
    });
    const fixed = bench.rejected(first).replaceAll(/broken (\d+)\./g, (_, index) => rows[index]?.targetNetwork ?? '');
    return bench.upload(fixed, { key: 'create-port/fixed.csv', sequencer: '2' });
  }
  if (way === 'saved') return bench.upload(renamedFile(rows, columns), { metadata: { ...metadata, ...consoleUpload } });
  const { body, key } = fileOf(rows, way, columns);
  return bench.upload(body, { key, metadata });
}

/** The rows that a correction replaces are part of its content. */
const contentHashAs = (way: WayIn, contentHash: string | undefined) =>
  way === 'correction' ? 'of a correction' : contentHash;

/** The plan of a file that means the same and came in this way. */
export const planAs = (way: WayIn, plan: Awaited<ReturnType<typeof planOf>>) => ({
  ...plan,
  contentHash: contentHashAs(way, plan.contentHash),
});

/** What is sent, each row by its reference, and what is wrong with the others. */
export async function planOf(rows: readonly Row[], way: WayIn, columns = names, metadata: Record<string, string> = {}) {
  const bench = ingestBench({
    numbers: double({ getMany }),
    savedSettings: double({ get: async (id) => savedFor(id) }),
  });
  const item = await uploadAs(way, rows, { bench, columns, metadata });
  const nameAt = (line: number) => rows[line - 2]?.reference ?? 'the file';
  const sent = bench
    .plan(item)
    .flatMap(({ head, rows: planned }) =>
      planned.map(({ line, subject, wire }) => `${nameAt(line)}: ${JSON.stringify({ head, subject, wire })}`),
    );
  const errors = bench
    .issues(item)
    .flatMap(({ severity, line, code }) => (severity === 'error' ? [`${nameAt(line)}: ${code}`] : []));
  return { sent: sent.sort(), errors: errors.sort(), contentHash: contentHashAs(way, item?.contentHash) };
}

export const rowAt = (index: number, changed: Row = {}): Row => ({
  ...validCells,
  msisdn: numberAt(index),
  serialNo: simAt(index),
  reference: `row ${index}`,
  ...changed,
});

/** The columns of which a row may have any of the cells with one meaning. */
const varied = meanings.filter(({ column }) => !['msisdn', 'serialNo', 'pac'].includes(column));
const variants = fc.record({
  entry: fc.nat(varied.length - 1),
  cell: fc.nat(20),
  isInvalid: fc.integer({ min: 0, max: 9 }),
});

/** In every way in, in another order, and in two files. */
export async function checkSameMeaning(numRuns: number, rows = { minLength: 1, maxLength: 8 }): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.array(variants, rows),
      fc.constantFrom(...waysIn),
      fc.infiniteStream(fc.nat(1_000)),
      async (choices, way, places) => {
        const invalid = (index: number): Row => (choices[index]?.isInvalid === 0 ? { tariff: '9999' } : {});
        const plain = choices.map(({ entry }, index) => {
          const { column, meaning } = varied[entry] as (typeof varied)[number];
          return rowAt(index, { [column]: meaning, ...invalid(index) });
        });
        const other = choices.map(({ entry, cell }, index) => {
          const { column, cells } = varied[entry] as (typeof varied)[number];
          return rowAt(index, { [column]: cells[cell % cells.length] ?? '', ...invalid(index) });
        });
        const expected = await planOf(plain, 'csv');
        const shuffled = other
          .map((row) => ({ row, place: places.next().value ?? 0 }))
          .sort((one, two) => one.place - two.place)
          .map(({ row }) => row);
        const columns = names.toSorted(
          (one, two) => one.length * 7 - two.length * 7 + ((places.next().value ?? 0) % 2),
        );
        expect(await planOf(shuffled, way, columns)).toEqual(planAs(way, expected));
        const half = Math.ceil(other.length / 2);
        const parts = [other.slice(0, half), other.slice(half)].filter((part) => part.length > 0);
        const plans = await Promise.all(parts.map((part) => planOf(part, way)));
        const ofRows = (texts: readonly string[]) => texts.filter((text) => !text.startsWith('the file')).sort();
        expect(ofRows(plans.flatMap(({ errors }) => errors))).toEqual(ofRows(expected.errors));
      },
    ),
    { numRuns },
  );
}

/** Whatever row has the cell that asks. */
export async function checkAskingRow(numRuns: number): Promise<void> {
  const columns = [...names.filter((name) => name !== 'esim'), 'SIM type'];
  await fc.assert(
    fc.asyncProperty(fc.nat(79), fc.constantFrom(...texts, 'saved' as const), async (place, way) => {
      const rows = Array.from({ length: 80 }, (_, index) => rowAt(index * 10, { 'SIM type': 'Nano' }));
      const asking = rows.with(place, { ...(rows[place] as Row), 'SIM type': 'eSIM' });
      expect((await planOf(rows, way, columns)).errors).toEqual([]);
      expect((await planOf(asking, way, columns)).errors).toEqual(['the file: HEADER_NEAR_MISS']);
    }),
    { numRuns },
  );
}
