// Files with more ports than can be looked up in one invocation.
import { describe, expect, test } from 'vitest';
import { createCatalogue } from '#shared/operations/kit/catalogue.ts';
import { countedLookups } from '../../support/rows-catalogue.ts';
import { handle, type IngestBench, inbox, ingestBench, notification } from '../../support/rows-ingest.ts';

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
