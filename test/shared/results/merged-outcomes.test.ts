// The rows of a first import with those of its corrections: what is kept of their cells.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { RequestItem } from '#shared/domain/requests/ledger.ts';
import { openMergedOutcomes } from '#shared/results/merged-outcomes.ts';
import { requestItemOf } from '../../support/results-ledger.ts';
import { importItemOf } from '../../support/results-rig.ts';

interface Uploads {
  readonly first: string;
  readonly fixed: string;
}

/** No row of the first file is in a request; those of the correction are accepted. */
async function merge(uploads: Uploads, columnIndexes: Readonly<Record<string, number>> = {}) {
  const itemOf = (importId: keyof Uploads) =>
    importItemOf(importId, { key: importId, state: 'rejected', columnIndexes, operation: 'provision' });
  const lines = `2-${uploads.fixed.trimEnd().split('\n').length}`;
  const ofImport = async function* (importId: string): AsyncGenerator<RequestItem> {
    if (importId === 'fixed') yield requestItemOf({ importId, state: 'accepted', ticket: 't', lines });
  };
  const outcomes = await openMergedOutcomes(itemOf('first'), [{ ...itemOf('fixed'), state: 'finished' }], {
    files: {
      head: async () => undefined,
      read: async ({ key }) => Readable.from([Buffer.from(uploads[key as keyof Uploads])]),
    },
    resultsBucket: 'results',
    requests: { ofImport },
    ports: { rowsOf: async function* () {} },
  });
  return (await Array.fromAsync(outcomes.batches)).flat();
}

test('columns are found by the name of the operation, else by their header, also where two are alike', async () => {
  const first = 'SIM,Note,Note,Mine\na,b,c,d\n';
  const fixed = 'importId,line,Mine,Note,Note,SIM\nfirst,2,D,B,C,A\n';
  expect((await merge({ first, fixed })).map(({ cells }) => cells)).toEqual([['A', 'B', 'C', 'D']]);
});

test('a file with more corrected cells than fit into memory shows the others as they were, with their result', async () => {
  const rows = 150;
  const places = Array.from({ length: rows }, (_, index) => index + 2);
  const first = `SIM,Note\n${places.map((line) => `${line},own\n`).join('')}`;
  const note = 'x'.repeat(250_000);
  const fixed = `SIM,Note,importId,line\n${places.map((line) => `${line},${note},first,${line}\n`).join('')}`;
  const merged = await merge({ first, fixed });
  expect(new Set(merged.map(({ result }) => result.outcome))).toEqual(new Set(['accepted']));
  expect(merged[0]?.cells[1]).toBe(note);
  expect(merged.at(-1)?.cells).toEqual([String(rows + 1), 'own']);
});
