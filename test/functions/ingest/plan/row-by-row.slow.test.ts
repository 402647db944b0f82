// What a row becomes depends on its own cells alone: planned in a file of other rows, in any chunks and quotes, it is
// what it is in a file by itself.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planImport } from '#functions/ingest/plan/plan.ts';
import { csvRow } from '#shared/files/csv/csv-row.ts';
import { defaultSettings } from '#shared/files/upload-settings.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { createPort } from '#shared/operations/create-port/create-port.ts';
import type { AccountSettings, Column, Operation } from '#shared/operations/operation.ts';
import { operations } from '#shared/operations/registry.ts';
import type { PlannedRequest } from '#shared/request/request.ts';
import type { Issue, IssueCode } from '#shared/row/issue.ts';
import { memoryFiles } from '../../../support/in-memory/files.ts';
import { accountSettings, countedLookups, monday, validCells } from '../../../support/ingest/catalogue.ts';
import { validTicketRows } from '../../../support/ingest/operation-cells.ts';
import { numberAt, simAt } from '../../../support/ingest/valid-rows.ts';

interface Reading {
  readonly settings: AccountSettings;
  readonly chunkBytes: number;
}

/** What became of each row, by the place of its record in the file. */
async function outcomesOf(operation: Operation, records: readonly string[], { settings, chunkBytes }: Reading) {
  const [header = '', ...rows] = records;
  const files = memoryFiles();
  files.chunkBytes = chunkBytes;
  files.put('inbox', 'file.csv', [header, ...rows].join(''));
  const nothing = async () => {};
  await planImport(files, {
    importId: 'same',
    object: { bucket: 'inbox', key: 'file.csv' },
    operation,
    settings: defaultSettings,
    limits: { maxFileRows: 100_000, toleratedFailurePercentage: 100, maxOpenGroups: 4, maxWaitingBytes: 2048 },
    context: { catalogue: createCatalogue(countedLookups()), settings, calendar: () => monday },
    buckets: { work: 'work', results: 'results' },
    openCorrection: async () => undefined,
    onHeader: nothing,
    onProgress: nothing,
    onRead: nothing,
  });
  const linesOf = <Line>(bucket: string, name: string): Line[] =>
    files.keys().includes(`${bucket}/imports/same/${name}`)
      ? files
          .text(bucket, `imports/same/${name}`)
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Line)
      : [];
  const sent = new Map(
    linesOf<PlannedRequest>('work', 'plan.ndjson').flatMap(({ label, head, rows: planned }) =>
      planned.map(({ line, ...row }) => [line, { label, head, row }] as const),
    ),
  );
  const issues = Map.groupBy(linesOf<Issue>('results', 'issues.ndjson'), ({ line }) => line);
  return linesWhere(rows).map((start) => ({
    sent: sent.get(start),
    issues: (issues.get(start) ?? []).filter(isOfRow).map(({ line: _, ...issue }) => issue),
  }));
}

/** The line on which each row starts: a cell may have several lines. */
function linesWhere(rows: readonly string[]): number[] {
  let next = 2;
  return rows.map((row) => {
    const start = next;
    next += row.split('\n').length - 1;
    return start;
  });
}

const ofFile: ReadonlySet<IssueCode> = new Set(['MSISDN_ROUNDED', 'ICCID_ROUNDED', 'RECORD_OF_SEVERAL_LINES']);
/** Not of the file as a whole. */
const isOfRow = ({ code }: Issue): boolean => !ofFile.has(code);

/** Each row has its own, in some notation. */
function ownCell({ valueKind, isDate }: Column, index: number): fc.Arbitrary<string> {
  const number = numberAt(index);
  const sim = simAt(index);
  if (valueKind === 'msisdn') {
    return fc.oneof(
      { weight: 6, arbitrary: fc.constant(number) },
      fc.constantFrom(
        `44${number.slice(1)}`,
        `+44 (${number.slice(1, 5)}) ${number.slice(5)}`,
        `+44 (0)${number.slice(1)}`,
        `${number.slice(0, 5)}\u00A0${number.slice(5)}`,
        ` '${number}`,
        `+336123456${10 + index}`,
        `${index}47E+11`,
        number.slice(1),
        '',
      ),
    );
  }
  if (valueKind === 'iccid') {
    return fc.oneof(
      { weight: 6, arbitrary: fc.constant(sim) },
      fc.constantFrom(`${sim.slice(0, 8)} ${sim.slice(8)}`, `${sim}F`, `${sim.slice(0, -1)}x`, ''),
    );
  }
  if (isDate) {
    const day = fc.integer({ min: 1, max: 31 }).map((date) => `2026-07-${String(date).padStart(2, '0')}`);
    return fc.oneof({ weight: 6, arbitrary: day }, fc.constantFrom('', '2026-06-31', '46203', 'n/a'));
  }
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(`ABC${123_400 + index}`) },
    fc.constantFrom('', 'abc 123-456', '123456ABC', '03P123456559', 'ABC12345', '-'),
  );
}

const goodCells = ({ name }: Operation): Readonly<Record<string, string>> =>
  validTicketRows.get(name)?.[0] ?? { ...validCells, boltOns: '101', esim: '', provisioningOrderName: '' };

/** Few texts, so that rows share them. A group name has one meaning in a file. */
const otherCell = ({ name, example }: Column, good: Readonly<Record<string, string>>): fc.Arbitrary<string> =>
  name === 'groupName'
    ? fc.constant('')
    : fc.oneof(
        { weight: 20, arbitrary: fc.constant(good[name] ?? '') },
        { weight: 2, arbitrary: fc.constantFrom(example, '', '2003', '101;103', 'N/A') },
        {
          weight: 1,
          arbitrary: fc.constantFrom('"', 'Zoë', 'ZoÃ«', 'a,b', '\u200B', ' z ', '2026-07-31', 'two\nlines'),
        },
      );

/** The records of a file with its columns in any order, some cells in quotes. */
const fileOf = (operation: Operation): fc.Arbitrary<string[]> => {
  const { columns } = operation;
  const good = goodCells(operation);
  const order = fc.shuffledSubarray([...columns], { minLength: columns.length });
  const rowOf = (names: readonly Column[], index: number) =>
    fc.tuple(
      ...names.map((column) => {
        const isOwn = column.valueKind !== undefined || (column.isDate === true && !column.repeats);
        const cell = isOwn ? ownCell(column, index) : otherCell(column, good);
        return fc
          .tuple(cell, fc.nat(4))
          .map(([text, quotes]) => (quotes === 0 ? quoted(text) : csvRow([text]).trimEnd()));
      }),
    );
  return order.chain((names) =>
    fc
      .tuple(...Array.from({ length: 20 }, (_, index) => rowOf(names, index)))
      .map((rows) => [csvRow(names.map(({ name }) => name)), ...rows.map((cells) => `${cells.join(',')}\n`)]),
  );
};

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const british: AccountSettings = { ...accountSettings, bundleControlNetworks: ['Network A', '201'] };
const anySettings = fc.constantFrom<AccountSettings>(
  british,
  { ...british, msisdnFormat: 'e164plus', maxRowsPerRequest: 3 },
  { ...british, callingCode: '33' },
  { ...british, callingCode: '49', msisdnFormat: 'e164' },
);

test.each([...operations.values()].map((operation) => [operation.name, operation] as const))(
  'a row of %s is planned in a file as it is alone',
  async (name, operation) => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(
        fileOf(operation),
        anySettings,
        fc.constantFrom(64, 1000, 65_536),
        async (records, settings, chunkBytes) => {
          const [header = '', ...rows] = records;
          const together = await outcomesOf(operation, records, { settings, chunkBytes });
          for (const [index, row] of rows.entries()) {
            const [alone] = await outcomesOf(operation, [header, row], { settings, chunkBytes: 65_536 });
            expect(together[index]).toEqual(alone);
            if (alone?.sent !== undefined) accepted += 1;
          }
        },
      ),
      { numRuns: operation === createPort ? 40 : 8 },
    );
    // The ports of the others are not those of the catalogue.
    if (name !== 'update-port' && name !== 'cancel-port') expect(accepted).toBeGreaterThan(0);
  },
);
