// Rows of results.csv are read by its index: the answers do not depend on how many reads they take.
import { describe, expect, test } from 'vitest';
import { outcomeColumns } from '#shared/files/added-columns.ts';
import type { RowOutcome } from '#shared/results/file-rows.ts';
import { createResultsIndex } from '#shared/results/results-csv.ts';
import { type RowFilter, readRowPage } from '#shared/results/row-page.ts';
import type { ByteRange, ObjectRef } from '#shared/store/files.ts';
import { resultsIndexKey, resultsKey } from '#shared/store/object-keys.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';

const importId = 'abcdefgh01234567';
const blocks = 200;
const rowsPerBlock = 5;

/** A results.csv of 1,000 rows, every tenth one declined, and the bytes of each read. */
function resultsOfManyBlocks(lineAt = (place: number) => place + 2) {
  const header = `msisdn,${outcomeColumns.join(',')}\n`;
  const index = createResultsIndex(header.length);
  let text = header;
  for (let block = 0; block < blocks; block += 1) {
    const rows = Array.from({ length: rowsPerBlock }, (_, row) => {
      const rootLine = lineAt(block * rowsPerBlock + row);
      return { rootLine, result: { outcome: rootLine % 10 === 0 ? 'declined' : 'complete' } } as RowOutcome;
    });
    const written = rows
      .map(({ rootLine, result }) => `number ${rootLine},${importId},${rootLine},${result.outcome},,,,,,,\n`)
      .join('');
    index.add(rows, written.length);
    text += written;
  }
  const objects = new Map([
    [resultsKey(importId), text],
    [resultsIndexKey(importId), JSON.stringify(index.build())],
  ]);
  const reads: number[] = [];
  const files = {
    head: async (ref: ObjectRef) => {
      const bytes = objects.get(ref.key)?.length ?? 0;
      return { ...ref, bytes, etag: 'etag', metadata: {}, lastModified: new Date(0) };
    },
    read: async ({ key }: ObjectRef, range?: ByteRange) => {
      const bytes = Buffer.from(objects.get(key) ?? '').subarray(range?.start, range?.end);
      if (key === resultsKey(importId)) reads.push(bytes.length);
      return (async function* () {
        yield bytes;
      })();
    },
  };
  const resources = { account: 1, callingCode: '44', resultsBucket: 'results', workBucket: 'work' };
  const read = (filter: Partial<RowFilter>) => {
    reads.length = 0;
    return readRowPage({ files, resources }, importItemOf(importId), { limit: 10_000, ...filter });
  };
  return { read, reads };
}

async function linesOfAllPages(read: ReturnType<typeof resultsOfManyBlocks>['read']): Promise<number[]> {
  const lines: number[] = [];
  for (let afterRow: number | null = -1; afterRow !== null; ) {
    const page = await read({ afterRow, limit: 7 });
    lines.push(...(page?.rows ?? []).map(({ line }) => line));
    afterRow = page?.nextAfterRow ?? null;
  }
  return lines;
}

describe('a file of 200 blocks', () => {
  const { read, reads } = resultsOfManyBlocks();

  test('is read in few requests where all of it is searched', async () => {
    const page = await read({ finds: (texts) => texts.includes('number 999') });
    expect(page?.rows.map(({ line }) => line)).toEqual([999]);
    expect(page?.nextAfterRow).toBeNull();
    // The header, then 1, 2, 4 ... 128 blocks.
    expect(reads).toHaveLength(1 + 8);
  });

  test('is read no further than the first page needs', async () => {
    const page = await read({ limit: 3 });
    expect(page?.rows.map(({ line }) => line)).toEqual([2, 3, 4]);
    expect(page?.nextAfterRow).toBe(2);
    expect(reads).toHaveLength(2);
  });

  test('gives each row once, page by page', async () => {
    expect(await linesOfAllPages(read)).toEqual(Array.from({ length: blocks * rowsPerBlock }, (_, row) => row + 2));
  });

  test('is skipped where its blocks have no such row', async () => {
    const scattered = await read({ lines: [3, 600, 1_001] });
    expect(scattered?.rows.map(({ line }) => line)).toEqual([3, 600, 1_001]);
    expect(reads).toHaveLength(1 + 3);
    const declined = await read({ outcomes: ['declined'] });
    expect(declined?.rows).toHaveLength(100);
  });
});

describe('a correction whose lines descend', () => {
  const lineAt = (place: number) => 1_001 - place;
  const { read } = resultsOfManyBlocks(lineAt);

  test('gives each row once, page by page, in the order of the file', async () => {
    expect(await linesOfAllPages(read)).toEqual(
      Array.from({ length: blocks * rowsPerBlock }, (_, place) => lineAt(place)),
    );
  });

  test('has the lines that are searched', async () => {
    const scattered = await read({ lines: [3, 600, 1_001] });
    expect(scattered?.rows.map(({ line }) => line)).toEqual([1_001, 600, 3]);
  });
});
