// The counts of an import with its corrections as they are now: from the index of its results, whatever the number of
// rows.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outcomeColumns } from '#shared/files/added-columns.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { foldResults } from '#shared/outcome/fold.ts';
import { type Outcome, outcomes, sendableAgain } from '#shared/outcome/outcome.ts';
import type { RequestItem } from '#shared/request/request.ts';
import type { RowOutcome } from '#shared/results/file-rows.ts';
import { countCorrected, readRootProgress } from '#shared/results/progress.ts';
import { createResultsIndex } from '#shared/results/results-csv.ts';
import type { ByteRange, ObjectRef } from '#shared/store/files.ts';
import { resultsIndexKey, resultsKey } from '#shared/store/object-keys.ts';
import { emptyAccount, partsAmong } from '../../support/cli/account.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';

type Row = readonly [line: number, outcome: Outcome];

const rowsPerBlock = 600;
const uploadKey = importItemOf('any').key;
const resources = { account: 1001, callingCode: '44', resultsBucket: 'results', workBucket: 'work' };

/** What report writes for these rows. */
function written(importId: string, rows: readonly Row[]) {
  const header = `msisdn,${outcomeColumns.join(',')}\n`;
  const index = createResultsIndex(header.length);
  const texts = [header];
  for (let start = 0; start < rows.length; start += rowsPerBlock) {
    const block = rows.slice(start, start + rowsPerBlock);
    const text = block.map(([line, outcome]) => `n${line},${importId},${line},${outcome},,,,,,,\n`).join('');
    index.add(
      block.map(([rootLine, outcome]) => ({ rootLine, result: { outcome } }) as RowOutcome),
      text.length,
    );
    texts.push(text);
  }
  return { csv: texts.join(''), index: index.build() };
}

const resultOf = ([, outcome]: Row) => ({ outcome });

/** The latest result of each corrected row. */
function latestOf(corrections: readonly (readonly Row[])[]): Map<number, { readonly outcome: Outcome }> {
  const latest = new Map<number, { readonly outcome: Outcome }>();
  for (const row of corrections.flat())
    latest.set(row[0], foldResults(latest.get(row[0]) ?? resultOf(row), resultOf(row)));
  return latest;
}

/** A first import and its corrections, oldest first, and what is read of their files. */
function startChain(imports: readonly (readonly Row[])[]) {
  const objects = new Map<string, Buffer>();
  const items = imports.map((rows, place): ImportItem => {
    const importId = `import${place}`;
    const { csv, index } = written(importId, rows);
    objects.set(resultsKey(importId), Buffer.from(csv));
    objects.set(resultsIndexKey(importId), Buffer.from(JSON.stringify(index)));
    const chain = place === 0 ? { hasParts: true } : { partOf: { importId: 'import0', kind: 'correction' as const } };
    return importItemOf(importId, { ...chain, outcomes: index.outcomes });
  });
  const read: string[] = [];
  let bytes = 0;
  const files = {
    head: async (ref: ObjectRef) => ({
      ...ref,
      etag: 'etag',
      metadata: {},
      lastModified: new Date(0),
      bytes: objects.get(ref.key)?.length ?? 0,
    }),
    read: async ({ key }: ObjectRef, range?: ByteRange) => {
      const body = (objects.get(key) ?? Buffer.alloc(0)).subarray(range?.start, range?.end);
      read.push(key);
      bytes += body.length;
      return (async function* () {
        yield body;
      })();
    },
  };
  const parts = async () => partsAmong(items, { importId: 'import0' });
  const get = async (importId: string) => items.find((item) => item.importId === importId);
  const sources = { ...emptyAccount, files, resources, imports: { get, parts } as never };
  const [root] = items as [ImportItem];
  return {
    sources,
    root,
    objects,
    count: () => {
      const parts = [...latestOf(imports.slice(1))].map(([line, result]) => [line, { result }] as const);
      return countCorrected(sources, root, root.outcomes ?? {}, new Map(parts));
    },
    read,
    bytes: () => bytes,
  };
}

test('the counts of 1,000,000 rows with 11,000 corrected ones read one index and no row', async () => {
  const outcomeAt = (line: number): Outcome => {
    if (line % 100 === 0) return 'rejected';
    return line % 1_000 === 1 ? 'declined' : 'complete';
  };
  const rows = Array.from({ length: 1_000_000 }, (_, index): Row => [index + 2, outcomeAt(index + 2)]);
  const fixed = rows.filter(([, outcome]) => outcome !== 'complete');
  const correction = fixed.map(([line]): Row => [line, line % 1_000 === 0 ? 'declined' : 'in-progress']);
  const { count, read, bytes } = startChain([rows, correction]);
  expect(await count()).toEqual({ complete: 989_000, declined: 1_000, 'in-progress': 10_000 });
  expect(read).toEqual([resultsIndexKey('import0')]);
  expect(bytes()).toBeLessThan(1_000_000);
});

test('the command line reads no row and no request of a large corrected import, and its corrections as they are', async () => {
  const rows = Array.from({ length: 1_000 }, (_, index): Row => [index + 2, index < 10 ? 'rejected' : 'accepted']);
  const { sources, root, read, objects } = startChain([rows, []]);
  const lines = [2, 3, 4, 5].map((line) => `n${line},import0,${line}\n`);
  objects.set(uploadKey, Buffer.from(`msisdn,importId,line\n${lines.join('')}`));
  const requests: Readonly<Record<string, RequestItem>> = {
    import1: requestItemOf({ importId: 'import1', state: 'accepted', rowCount: 4, lines: '2-5' }),
  };
  const progress = { outcomes: { accepted: 990, rejected: 10 } };
  const item = { ...root, rows: 1_000, accepted: 990, rejected: 10, requestCount: 201, progress };
  const ports = { itemsOf: async function* () {}, rowsOf: async function* () {} };
  const ofImport = (importId: string) => {
    const request = requests[importId];
    if (request === undefined) throw new Error(`the requests of ${importId} are read`);
    return [request];
  };
  const live = { ...sources, ports, requests: { ofImport } };
  expect((await readRootProgress(live as never, item)).progress).toEqual({ outcomes: { accepted: 994, rejected: 6 } });
  expect(read).not.toContain(resultsKey('import0'));
  expect(read.filter((key) => key === uploadKey)).toHaveLength(1);
});

const line = fc.integer({ min: 2, max: 12 });
const outcome = fc.constantFrom(...outcomes);
const rowsOf = (lines: readonly number[]) => fc.tuple(...lines.map((each) => outcome.map((name): Row => [each, name])));
const chain = fc.tuple(
  rowsOf(Array.from({ length: 11 }, (_, index) => index + 2)),
  fc.array(fc.uniqueArray(line, { minLength: 1 }).chain(rowsOf), { minLength: 1, maxLength: 4 }),
);

test('the index counts as the rows do', () =>
  fc.assert(
    fc.asyncProperty(chain, async ([root, corrections]) => {
      const latest = latestOf(corrections);
      const shown = root.map((row) => {
        const own = resultOf(row);
        // A row that was sent is sent by no correction.
        return sendableAgain.has(own.outcome) ? foldResults(own, latest.get(row[0]) ?? own).outcome : own.outcome;
      });
      const tally = Object.groupBy(shown, (name) => name);
      const expected = Object.entries(tally).map(([name, rows]) => [name, rows.length]);
      expect(await startChain([root, ...corrections]).count()).toEqual(Object.fromEntries(expected));
    }),
    { numRuns: 50 },
  ));
