// Files as people have them, imported through the command line. What must be sent is written beside each: nothing else
// reaches the service, and nothing of it is lost.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createPortBody } from '#shared/service/contract.ts';
import { bookableDay } from '../support/bookable-day.ts';
import { type CliEmulator, startCliEmulator } from '../support/cli/emulator.ts';
import { outcomeJson, statusJson } from '../support/cli/json-shapes.ts';
import { until } from '../support/emulator/start-process.ts';
import { createCall } from '../support/service/simulator-controls.ts';
import { dateFiles } from './date-files.ts';
import { headerFiles } from './header-files.ts';
import { textFiles } from './text-files.ts';
import { workbookFiles } from './workbook-files.ts';
import { type FileCase, Rows, type Sent } from './written-file.ts';

/** Rows of one file at most. */
const rowsOfFile = 5;
const makers = [...textFiles, ...dateFiles, ...workbookFiles, ...headerFiles];
/** Numbers that the simulator has in its stock. */
const inStock = (number: number): boolean => number >= 800 && number < 840;

/** The first number of each file. */
const starts = makers.map((_, index) => index * rowsOfFile + (index * rowsOfFile >= 795 ? 45 : 0));
const names = makers.map((make, index) => make(new Rows('2031-07-15', starts[index] ?? 0)).name);

let emulator: CliEmulator;
let cases: readonly FileCase[];
let sent: ReadonlyMap<string, Sent>;
const issuesOf = new Map<string, z.output<typeof statusJson>['issues']>();

beforeAll(async () => {
  emulator = await startCliEmulator(21_600, { sandbox: true });
  await emulator.changeSpeed(1);
  // A number above 12 cannot be a month.
  const day = bookableDay(emulator.calendar() + 5 * 86_400_000, (one) => one.getUTCDate() > 12);
  cases = makers.map((make, index) => make(new Rows(day, starts[index] ?? 0)));
  const importIds = new Map<string, string>();
  for (const { name, content, words = [] } of cases) {
    await writeFile(join(emulator.folder, name), content);
    const { stdout, stderr } = await emulator.run('import', name, ...words, '--json');
    if (stdout === '') throw new Error(`${name}: ${stderr}`);
    const { importId } = outcomeJson.parse(JSON.parse(stdout));
    importIds.set(name, importId);
  }
  const isOver = (state: string) => state !== 'planning' && state !== 'submitting';
  for (const [name, importId] of importIds) {
    const { issues } = await until('the import is sent', async () => {
      const { stdout } = await emulator.run('status', importId, '--json');
      const status = statusJson.parse(JSON.parse(stdout));
      return isOver(status.state) ? status : undefined;
    });
    issuesOf.set(name, issues);
  }
  sent = await readSent();
}, 600_000);
afterAll(() => emulator?.stop());

/** Of each number, what the service received; the journal has every call. */
async function readSent(): Promise<Map<string, Sent>> {
  if (emulator.service === undefined) throw new Error('there is no simulator');
  const answer = await createCall(emulator.service)('POST', '/_sandbox/journal', { operation: 'createPort' });
  const { requests } = z.object({ requests: z.array(z.object({ body: createPortBody })) }).parse(answer);
  const found = new Map<string, Sent>();
  for (const { body } of requests) {
    for (const { msisdn, tariffId: tariff, boltOns, services, esim } of body.rows) {
      const number = msisdn.replace(/^0/, '44');
      if (found.has(number)) throw new Error(`${number} was sent twice`);
      const set = Object.fromEntries((services ?? []).map(({ name, value }) => [name, value ?? '']));
      found.set(number, { number, date: body.connectionDate.slice(0, 10), tariff, boltOns, services: set, esim });
    }
  }
  return found;
}

it('are at least 80', () => {
  expect(names.length).toBeGreaterThanOrEqual(80);
  expect(new Set(names).size).toBe(names.length);
  expect(starts.some((start) => inStock(start) || inStock(start + rowsOfFile - 1))).toBe(false);
});

describe.each(names.map((name, index) => [name, index] as const))('%s', (_name, index) => {
  it('sends what it must, and explains the rest', () => {
    const { name, sent: expected, errors = [], shows = [] } = cases[index] as FileCase;
    const rows = new Rows('', starts[index] ?? 0);
    const own = Array.from({ length: rowsOfFile }, (_, row) => `44${rows.number(row).slice(1)}`);
    expect(own.flatMap((number) => sent.get(number) ?? [])).toEqual(expected);
    const issues = issuesOf.get(name) ?? [];
    const found = issues.filter(({ severity }) => severity === 'error').map(({ line, code }) => `${line} ${code}`);
    expect(found.toSorted()).toEqual(errors.toSorted());
    expect(issues.map(({ code }) => code)).toEqual(expect.arrayContaining([...shows]));
  });
});

it('sends nothing that no file means', () => {
  const meant = new Set(cases.flatMap((one) => one.sent.map(({ number }) => number)));
  expect([...sent.keys()].filter((number) => !meant.has(number))).toEqual([]);
});
