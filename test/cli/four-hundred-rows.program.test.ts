// The whole story of a messy file: at most five commands until each of its 400 rows is answered, and nobody edits cells
// that are not wrong.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { writeWorkbook } from '#shared/files/workbook/write-workbook.ts';
import { bookableDay } from '../support/bookable-day.ts';
import { type CliEmulator, startCliEmulator } from '../support/cli/emulator.ts';
import { numberJson, outcomeJson, validationJson } from '../support/cli/json-shapes.ts';
import { until } from '../support/emulator/start-process.ts';
import { readWorkbookFile } from '../support/files/read-workbook.ts';
import { createPortCells, createPortHeader } from '../support/ingest/create-port-cells.ts';
import { duplicates, messyRows, wrongCells } from '../support/ingest/messy-rows.ts';
import { numberAt } from '../support/ingest/valid-rows.ts';
import { createCall } from '../support/service/simulator-controls.ts';

const dayMs = 86_400_000;
/** A calendar day in four seconds. */
const speed = 21_600;
/** Until the rows are sent: their date can still be booked then, however busy the machine is. */
const slowSpeed = 60;
let emulator: CliEmulator;
let date: string;
/** What a person types. */
const typed: string[] = [];

const json = async <Schema extends z.ZodType>(schema: Schema, ...words: string[]): Promise<z.output<Schema>> =>
  schema.parse(JSON.parse((await emulator.run(...words, '--json')).stdout));
const type = (...words: string[]) => {
  typed.push(words[0] ?? '');
  return emulator.run(...words);
};

beforeAll(async () => {
  emulator = await startCliEmulator(speed, { sandbox: true });
  await emulator.changeSpeed(slowSpeed);
  // No date that could have day and month swapped.
  date = bookableDay(emulator.calendar() + 9 * dayMs, (day) => day.getUTCDate() > 12);
  const { workbook, csv } = messyRows(date);
  await writeFile(join(emulator.folder, 'July.xlsx'), workbook);
  await writeFile(join(emulator.folder, 'July twin.csv'), csv);
});
afterAll(() => emulator?.stop());

const createdPorts = async (): Promise<number> => {
  if (emulator.service === undefined) throw new Error('there is no simulator');
  const pattern = { operation: 'createPort' };
  const answer = await createCall(emulator.service)('POST', '/_sandbox/journal', pattern);
  const { count } = z.object({ count: z.int() }).parse(answer);
  return count;
};

const errorsOf = ({ issues }: z.output<typeof validationJson>) =>
  issues.filter(({ severity }) => severity === 'error').map(({ line, column, code }) => [line, column, code]);

test('the workbook and its Windows-1252 twin are read alike, and only what is truly wrong is an error', async () => {
  const validated = await json(validationJson, 'validate', 'July.xlsx');
  const wrong = wrongCells(date).length;
  expect(validated).toMatchObject({ rows: 400, accepted: 400 - wrong - duplicates, rejected: wrong + duplicates });
  const codes = validated.issues.map(({ code }) => code);
  const notices = ['HEADER_BELOW_OTHER_ROWS', 'DATE_ORDER_DETECTED', 'RECORD_IS_TOTALS', 'ICCID_PADDING_REMOVED'];
  expect(codes).toEqual(expect.arrayContaining(notices));
  const twin = await json(validationJson, 'validate', 'July twin.csv');
  expect(twin.issues.map(({ code }) => code)).toContain('FILE_ENCODING_DETECTED');
  expect(errorsOf(twin)).toEqual(errorsOf(validated));
  expect([twin.rows, twin.accepted, twin.requests]).toEqual([400, validated.accepted, validated.requests]);
});

test('five commands answer every row, and only the wrong cells are edited', async () => {
  await type('import', 'July.xlsx');
  await until('the file is read', async () => {
    const { stdout } = await emulator.run('status', 'July.xlsx', '--json');
    return stdout !== '' && JSON.parse(stdout).state !== 'planning' ? true : undefined;
  });
  await type('rejected', 'July.xlsx', '--xlsx', 'rejected.xlsx');
  await fixWrongCells('rejected.xlsx');
  typed.push('import');
  const correction = await emulator.runToTheEnd('rejected.xlsx', 'import', 'rejected.xlsx', '--watch');
  expect(correction.stdout).toContain('July.xlsx as a whole: ');
  typed.push('status');
  const status = await emulator.runToTheEnd('July.xlsx', 'status', 'July.xlsx', '--watch');
  expect(status.stdout).toContain('finished: 394 of 400 ported, 6 duplicates');
  await type('results', 'July.xlsx', '--xlsx', 'results.xlsx');
  expect(typed.length).toBeLessThanOrEqual(5);
  const { header, rows } = await readWorkbookFile(join(emulator.folder, 'results.xlsx'));
  const of = (name: string) => rows.map((cells) => cells[header.indexOf(name)]);
  expect(new Set(of('line')).size).toBe(400);
  expect(of('outcome').filter((outcome) => outcome === 'complete')).toHaveLength(394);
  expect(of('outcome').filter((outcome) => outcome === 'duplicate')).toHaveLength(6);
  expect(new Set(of('bookedDate'))).toEqual(new Set([date, '']));
});

/** Nothing else of the file is touched; the duplicates stay in it. */
async function fixWrongCells(name: string): Promise<void> {
  const path = join(emulator.folder, name);
  const { header, rows } = await readWorkbookFile(path);
  const right = new Map(wrongCells(date).map(({ row, column, right: value }) => [String(row + 4), { column, value }]));
  const line = header.indexOf('line');
  let fixed = 0;
  for (const cells of rows) {
    const fix = right.get(cells[line] ?? '');
    if (fix === undefined) continue;
    cells[fix.column] = fix.value;
    fixed += 1;
  }
  expect(fixed).toBe(right.size);
  await writeFile(path, writeWorkbook({ header, rows: Readable.from([rows]) }));
}

test('the same file imported again sends nothing, and each number still shows its success first', async () => {
  const before = await createdPorts();
  expect(before).toBeGreaterThan(0);
  const again = await json(outcomeJson, 'import', 'July.xlsx', '--watch');
  expect(again).toMatchObject({ rows: 400, accepted: 0, state: 'rejected' });
  expect(await createdPorts()).toBe(before);
  const number = await json(numberJson, 'number', numberAt(1));
  expect(number).toMatchObject({ outcome: 'complete', portStatus: 'Complete', line: 5 });
});

test('a group name of 255 emoji is sent and ends', async () => {
  const header = [...createPortHeader, 'groupName'];
  const cells = [...createPortCells(700), '\u{1F600}'.repeat(255)];
  await emulator.write('emoji.csv', `${header.join(',')}\n${cells.join(',')}\n`);
  const { stdout } = await emulator.runToTheEnd('emoji.csv', 'import', 'emoji.csv', '--watch', '--json');
  expect(outcomeJson.parse(JSON.parse(stdout))).toMatchObject({ state: 'finished', outcomes: { complete: 1 } });
});
