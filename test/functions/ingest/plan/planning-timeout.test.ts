// Files with more ports than can be looked up in one invocation.
import { describe, expect, test } from 'vitest';
import { rowsOfPart } from '#functions/ingest/plan/reject-import.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { countedLookups } from '../../../support/ingest/catalogue.ts';
import {
  csvOf,
  goodRows,
  handle,
  type IngestBench,
  inbox,
  ingestBench,
  notification,
} from '../../../support/ingest/ingest.ts';

const key = 'cancel-port/x.csv';
const portId = (index: number): string => `0f8fad5b-d9cb-469f-a165-70867728950${index}`;
const file = `portId\n${[1, 2, 3, 4, 5].map(portId).join('\n')}\n`;

/** Reading a port takes five minutes; `asked` has the ports that were read. */
function slowPorts() {
  const asked: string[] = [];
  const bench = ingestBench();
  bench.files.put(inbox, key, file);
  Object.assign(bench.dependencies, {
    openCatalogue: () => ({
      ...createCatalogue(countedLookups()),
      port: async (id: string) => {
        asked.push(id);
        bench.remainingMs -= 300_000;
        return undefined;
      },
    }),
  });
  return { bench, asked };
}

const deliver = (bench: IngestBench, deliveries: number) => {
  bench.remainingMs = 900_000;
  return handle(bench, [notification(key)], deliveries);
};
const importOf = ({ ledger }: IngestBench) => [...ledger.items.values()][0];

describe('a file with too many ports', () => {
  test('stops before reading a port could be interrupted, and is repeated', async () => {
    const { bench, asked } = slowPorts();
    expect((await deliver(bench, 1)).batchItemFailures).toHaveLength(1);
    expect(asked).toEqual([portId(1), portId(2), portId(3)]);
    expect(importOf(bench)).toMatchObject({ state: 'planning' });
    expect(bench.files.keys()).toEqual([`${inbox}/${key}`]);
    expect(bench.retried).toEqual(['message-0']);
  });

  test('is rejected at the third delivery, with the reason and what to do', async () => {
    const { bench } = slowPorts();
    expect((await deliver(bench, 2)).batchItemFailures).toHaveLength(1);
    expect(await deliver(bench, 3)).toEqual({ batchItemFailures: [] });
    expect(importOf(bench)).toMatchObject({
      state: 'rejected',
      issues: [
        {
          code: 'FILE_TOO_LARGE',
          message: 'time ran out while ports were looked up with one call each, in each of 3 attempts: split the file',
        },
      ],
    });
    expect(bench.notifiedReports).toEqual([importOf(bench)?.importId]);
  });

  test('is not rejected when another delivery has planned it', async () => {
    const { bench } = slowPorts();
    const { update } = bench.ledger.imports;
    bench.ledger.imports.update = async (importId, changes, expected) => {
      await update(importId, { state: 'submitting' });
      return update(importId, changes, expected);
    };
    expect(await deliver(bench, 3)).toEqual({ batchItemFailures: [] });
    expect(importOf(bench)).toMatchObject({ state: 'submitting', issues: [] });
  });

  test('is repeated when its rejection cannot be stored', async () => {
    const { bench } = slowPorts();
    bench.ledger.imports.update = () => Promise.reject(new Error('table is down'));
    expect((await deliver(bench, 3)).batchItemFailures).toHaveLength(1);
  });
});

/** The time ends after so many reads of the table, one for each batch of rows. */
function slowTable(mostReads: number) {
  const bench = ingestBench();
  bench.files.chunkBytes = 4_096;
  bench.files.put(inbox, 'create-port/x.csv', csvOf(goodRows(1_000)));
  let reads = 0;
  bench.dependencies.numbers.getMany = async () => {
    reads += 1;
    if (reads >= mostReads) bench.remainingMs = 0;
    return [];
  };
  const deliverFile = async (deliveries: number) => {
    [reads, bench.remainingMs] = [0, 900_000];
    return handle(bench, [notification('create-port/x.csv')], deliveries);
  };
  return { bench, deliverFile, reads: () => reads };
}

describe('a file with too many rows for an invocation', () => {
  test('is rejected at once where most of it was not read, with the rows that a part may have', async () => {
    const { bench, deliverFile } = slowTable(3);
    expect(await deliverFile(1)).toEqual({ batchItemFailures: [] });
    expect(importOf(bench)?.issues[0]).toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: expect.stringMatching(
        /^time ran out after \d+ rows, \d+ % of the file: split the file into parts of at most \d+ rows$/,
      ),
    });
    expect(bench.files.keys()).toEqual([`${inbox}/create-port/x.csv`]);
  });

  test('is repeated where nearly all of it was read: another instance may be a little faster', async () => {
    const whole = slowTable(Number.POSITIVE_INFINITY);
    await whole.deliverFile(1);
    const { bench, deliverFile } = slowTable(whole.reads());
    expect((await deliverFile(1)).batchItemFailures).toHaveLength(1);
    expect(importOf(bench)).toMatchObject({ state: 'planning' });
    await deliverFile(3);
    expect(importOf(bench)?.issues[0]?.message).toContain(
      '100 % of the file, in each of 3 attempts: split the file into',
    );
  });
});

test.each([
  [5_400_000, 4_300_000],
  [1_000, 800],
  [7, 5],
  [0, 0],
])('an attempt that read %i rows advises parts of %i', (rows, part) => {
  expect(rowsOfPart(rows)).toBe(part);
});
