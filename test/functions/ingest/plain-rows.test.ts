// The short way of a row through ingest against the long way: whatever the file, both leave the same bytes behind.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlanTask, planImport } from '#functions/ingest/plan.ts';
import { csvRow } from '#shared/csv/writer.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { createPort } from '#shared/operations/create-port.ts';
import type { AccountSettings, Column, Operation } from '#shared/operations/operation.ts';
import { operations } from '#shared/operations/registry.ts';
import { accountSettings, countedLookups, goodCells, monday } from '../../support/rows-catalogue.ts';
import { numberAt, simAt } from '../../support/rows-ingest.ts';
import { memoryFiles } from '../../support/rows-memory.ts';

const nothing = async () => {};

/** Everything that planning the file answers and leaves behind. */
async function planned(operation: Operation, body: string, settings: AccountSettings, chunkBytes = 65_536) {
  const files = memoryFiles();
  files.chunkBytes = chunkBytes;
  files.put('inbox', 'file.csv', body);
  const task: PlanTask = {
    importId: 'same',
    object: { bucket: 'inbox', key: 'file.csv' },
    operation,
    defaults: {},
    limits: { maxFileRows: 100_000, toleratedFailurePercentage: 100, maxWaitingRows: 30 },
    context: { catalogue: createCatalogue(countedLookups()), settings, calendar: () => monday },
    buckets: { work: 'work', results: 'results' },
    onProgress: nothing,
    onRead: nothing,
  };
  const answer = await planImport(files, task);
  const texts = files.keys().map((key) => [key, files.text(key.split('/')[0] ?? '', key.slice(key.indexOf('/') + 1))]);
  return { answer, texts: texts.filter(([key]) => key !== 'inbox/file.csv') };
}

/** The same operation, none of whose cells has a form. */
const allTheLongWay = (operation: Operation): Operation => ({
  ...operation,
  columns: operation.columns.map(({ form: _, ...column }) => column),
});

/** Cells of a column with a form: its own for each row, some repeated, some written in other ways. */
const ownCell = ({ form }: Column) => {
  const at = fc.integer({ min: 0, max: 60 });
  if (form === 'msisdn') {
    const number = at.map(numberAt);
    return fc.oneof(
      { weight: 12, arbitrary: number },
      number.map((text) => `44${text.slice(1)}`),
      number.map((text) => `+44${text.slice(1)}`),
      number.map((text) => ` ${text}`),
      fc.constantFrom('', '7700900123', '+33612345678', '447700900', '4.47E+11'),
    );
  }
  if (form === 'iccid') {
    const sim = at.map(simAt);
    return fc.oneof(
      { weight: 12, arbitrary: sim },
      sim.map((text) => `${text.slice(0, 8)} ${text.slice(8)}`),
      fc.constantFrom('', '8944110068123456780', '8944110068123450000', '89441100681234567890', '8'),
    );
  }
  return fc.oneof(
    { weight: 12, arbitrary: at.map((index) => `ABC${123_400 + index}`) },
    fc.constantFrom('', 'abc123456', 'ABC 123456', '123456ABC', '03P123456559', 'ABC12345'),
  );
};

const good: Readonly<Record<string, string>> = { ...goodCells, boltOns: '101', esim: '', provisioningOrderName: '' };
/** Cells of the other columns: few texts, so that rows of one kind come again and again. */
const otherCell = ({ name, example }: Column) =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constant(good[name] ?? '') },
    { weight: 2, arbitrary: fc.constantFrom(example, '', '2003', '101;103') },
    { weight: 1, arbitrary: fc.constantFrom('"', 'Zoë', 'a,b', '\u200B', '2026-07-31') },
  );

/** A file whose columns stand in any order. */
const fileOf = ({ columns }: Operation) => {
  const row = fc.record(
    Object.fromEntries(columns.map((column) => [column.name, (column.form ? ownCell : otherCell)(column)])),
  );
  const order = fc.shuffledSubarray([...columns], { minLength: columns.length });
  const quoted = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 });
  return fc.tuple(order, fc.array(row, { minLength: 1, maxLength: 60 }), quoted).map(([names, rows, quotes]) => {
    const lines = rows.map((cells, index) => {
      const texts = names.map(({ name }) => cells[name] ?? '');
      if (quotes[index % quotes.length] !== true) return csvRow(texts);
      return `${texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')}\n`;
    });
    return csvRow(names.map(({ name }) => name)) + lines.join('');
  });
};

const anySettings = fc.constantFrom<AccountSettings>(
  accountSettings,
  { ...accountSettings, msisdnFormat: 'e164plus', maxRowsPerRequest: 3 },
  { ...accountSettings, callingCode: '33' },
  { ...accountSettings, callingCode: '49', msisdnFormat: 'e164' },
);

describe('the short way leaves behind what the long way does', () => {
  test.each([...operations.values()].map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_, operation) => {
      const longWay = allTheLongWay(operation);
      await fc.assert(
        fc.asyncProperty(
          fileOf(operation),
          anySettings,
          fc.constantFrom(64, 1000, 65_536),
          async (body, settings, chunkBytes) => {
            expect(await planned(operation, body, settings, chunkBytes)).toEqual(
              await planned(longWay, body, settings, chunkBytes),
            );
          },
        ),
        { numRuns: operation === createPort ? 150 : 25 },
      );
    },
  );
});

/** Create Port, and how often it judged a row. */
function counted(): { readonly operation: Operation; readonly count: () => number } {
  let count = 0;
  const judgeShape: Operation['judgeShape'] = async (cells, context) => {
    const judged = await createPort.judgeShape(cells, context);
    const judgeRow: typeof judged.judgeRow = (...row) => {
      count += 1;
      return judged.judgeRow(...row);
    };
    return { ...judged, judgeRow };
  };
  return { operation: { ...createPort, judgeShape }, count: () => count };
}

const columns = [...Object.keys(good), 'pacExpiry', 'reference'];
const linesOf = (rows: readonly Record<string, string>[]): string =>
  [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))].map(csvRow).join('');

describe('which rows are judged', () => {
  const plainRows = (pacExpiry = '') =>
    Array.from({ length: 50 }, (_, index) => ({ ...good, msisdn: numberAt(index), serialNo: simAt(index), pacExpiry }));

  test('of fifty plain rows of one kind the first two, and two that are made up', async () => {
    const { operation, count } = counted();
    const { answer } = await planned(operation, linesOf(plainRows()), accountSettings);
    expect({ accepted: answer.accepted, judged: count() }).toEqual({ accepted: 50, judged: 4 });
  });

  test('each that is not written plainly', async () => {
    const { operation, count } = counted();
    const rows = plainRows().map((row) => ({ ...row, msisdn: ` ${row.msisdn}` }));
    const { answer } = await planned(operation, linesOf(rows), accountSettings);
    expect({ accepted: answer.accepted, judged: count() }).toEqual({ accepted: 50, judged: 50 });
  });

  test('each whose reference has a character that nobody sees, to refuse it', async () => {
    const rows = plainRows().map((row, index) => ({ ...row, reference: index === 40 ? 'Order\u200B 41' : 'Order' }));
    const { answer } = await planned(createPort, linesOf(rows), accountSettings);
    expect(answer.issues.map(({ line, code }) => [line, code])).toEqual([[42, 'CELL_CONTROL_CHARACTER']]);
  });

  test('a number that stands on an earlier line, whichever way the earlier line went', async () => {
    const earlier: Readonly<Record<number, number>> = { 1: 0, 41: 40, 45: 0 };
    const rows = plainRows().map((row, index) => ({ ...row, msisdn: numberAt(earlier[index] ?? index) }));
    const { answer } = await planned(createPort, linesOf(rows), accountSettings);
    expect(answer.issues.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      '3: the number 447700900000 stands on line 2 already',
      '43: the number 447700900040 stands on line 42 already',
      '47: the number 447700900000 stands on line 2 already',
    ]);
  });
});
