// Cells that repeat are validated once for each distinct text of them, wherever their columns are.
import { expect, test } from 'vitest';
import { RowValidator } from '#functions/ingest/validate/row-validator.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import { column, type Operation, repeatingColumn } from '#shared/operations/operation.ts';
import { chunked } from '../../../support/files/csv-source.ts';
import { rowsContext } from '../../../support/ingest/catalogue.ts';

const text = { help: '', example: '' };
const columns = [repeatingColumn('network', text), column('number', text), repeatingColumn('tariff', text)];

/** What the rows of a file share, and how often that was validated. */
async function headsOf(content: string) {
  const opened = await readCsv(chunked(content));
  if (!opened.ok) throw new Error(opened.issue.message);
  const { header, batches } = opened.value;
  let validated = 0;
  const checkShape: Operation['checkShape'] = async (cells) => {
    validated += 1;
    return {
      shape: { label: '', head: JSON.stringify([cells('network'), cells('tariff')]) },
      findings: [],
      checkRow: (row) => ({ subject: row('number'), wire: null }),
    };
  };
  const indexes = new Map(header.map((name, index) => [name, index]));
  const operation = { columns, checkShape } as unknown as Operation;
  const validator = new RowValidator(operation, { indexes, defaults: new Map() }, rowsContext());
  const heads: (string | undefined)[] = [];
  for await (const batch of batches) {
    for (const [record, line] of batch.lines.entries()) {
      await validator.prepare(batch, record);
      heads.push(validator.validate(line).accepted?.shape.head);
    }
  }
  return { heads, validated };
}

test('rows share what was validated if their cells that repeat are the same', async () => {
  expect(await headsOf('network,number,tariff\nA,1,x\nB,2,x\nA,3,x\nA,4,x\n')).toEqual({
    heads: ['["A","x"]', '["B","x"]', '["A","x"]', '["A","x"]'],
    validated: 2,
  });
});

test('other quotes are only validated once more', async () => {
  expect(await headsOf('network,number,tariff\nA,1,x\n"A",2,x\n"A",3,x\nA,4,"x"\n')).toEqual({
    heads: ['["A","x"]', '["A","x"]', '["A","x"]', '["A","x"]'],
    validated: 3,
  });
});

test('separators of other files inside the cells do not make two rows the same', async () => {
  const { heads } = await headsOf('network;number;tariff\nA,x;1;y\nA;2;x,y\n');
  expect(heads).toEqual(['["A,x","y"]', '["A","x,y"]']);
});

test('the columns may be adjacent, in any order, or missing', async () => {
  expect((await headsOf('tariff,network,number\nx,A,1\ny,A,2\n')).heads).toEqual(['["A","x"]', '["A","y"]']);
  expect(await headsOf('number\n1\n2\n')).toEqual({ heads: ['["",""]', '["",""]'], validated: 1 });
});
