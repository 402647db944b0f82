// How long a person waits for screens of the console, in a real browser on the local emulator. Prints one line of
// JSON: `npx node bench/console.ts [--runs 3] [--quick]`. See METHOD.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { emulatorClients } from '#cli/target/aws-target.ts';
import { inParallel } from '#shared/service/in-parallel.ts';
import { createImports } from '#shared/store/imports.ts';
import { launchBrowser } from '../test/console/support/browser.ts';
import { apiOf, planFile } from '../test/console/support/import-by-api.ts';
import { generateRows } from '../test/support/ingest/generate-rows.ts';
import { startEmulator } from './local-emulator.ts';
import { median } from './quantile.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' }, quick: { type: 'boolean' } } });
const share = values.quick ? 100 : 1;
const [imports, invalid, rows, many] = [200 / share, 5_000 / share, 100_000 / share, 10_000 / share];
const folder = mkdtempSync(join(tmpdir(), 'simporter-console-bench-'));
const emulator = await startEmulator(folder);

const call = apiOf(emulator);
const plan = (fileName: string, records: Iterable<string>) =>
  planFile(call, {
    operation: 'create-port',
    fileName,
    rows: [...records].map((record) => record.trimEnd().split(',')),
  });

/** Every row but the first is invalid. */
function invalidRecords(): string[] {
  const [header, first, ...others] = generateRows({ rows: invalid + 1 });
  return [header, first, ...others.map((record) => record.replace('UK Mobile', 'UK Mobil'))] as string[];
}

async function untilListed(page: Page): Promise<void> {
  await page.reload();
  await page
    .getByRole('main')
    .getByRole('listitem')
    .nth(imports - 1)
    .waitFor({ state: 'attached' });
}

/** As many imports as an account has in some years: copies of one, each a millisecond older. */
async function addImports(importId: string): Promise<void> {
  const { table } = emulatorClients(emulator);
  const store = createImports(table, emulator.outputs.ResultsTable ?? '');
  const item = await store.get(importId);
  if (item === undefined) throw new Error(`there is no import ${importId}`);
  const copies = Array.from({ length: many }, (_, index) => {
    const receivedAt = new Date(Date.parse(item.receivedAt) - index - 1).toISOString();
    return { ...item, importId: `copy${String(index).padStart(12, '0')}`, receivedAt };
  });
  await inParallel(copies, 16, async (copy) => void (await store.begin(copy)));
}

async function untilFirstIsListed(page: Page): Promise<void> {
  await page.reload();
  await page.getByRole('main').getByRole('listitem').first().waitFor({ state: 'attached' });
}

async function openGrid(page: Page, importId: string): Promise<void> {
  await page.goto(`#/imports/${importId}/review`);
  await page.getByText(`All ${invalid.toLocaleString('en-GB')} numbers`).waitFor();
  await page.getByRole('grid').getByRole('gridcell').first().waitFor();
}

/** By its SIM. */
async function searchRow(page: Page, serialNo: string, line: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Find a number or a text' }).fill(serialNo);
  await page.getByRole('cell', { name: line, exact: true }).waitFor();
}

async function measure(page: Page) {
  const times: number[][] = [[], [], [], []];
  const take = async (index: number, action: () => Promise<void>) => {
    const begun = performance.now();
    await action();
    times[index]?.push(performance.now() - begun);
  };
  const [large, review] = await Promise.all([
    plan('large.csv', generateRows({ rows })),
    plan('invalid.csv', invalidRecords()),
  ]);
  const [header = '', ...records] = [...generateRows({ rows: imports })];
  for (let at = 0; at < records.length; at += 8) {
    const next = records.slice(at, at + 8);
    await Promise.all(next.map((record, index) => plan(`file-${at + index}.csv`, [header, record])));
  }
  const lines = [...generateRows({ rows })];
  for (let run = 0; run < Number(values.runs); run += 1) {
    await page.goto('#/');
    await take(0, () => untilListed(page));
    await take(1, () => openGrid(page, review));
    await page.goto(`#/imports/${large}/rows`);
    await page.getByText('Numbers of the file').waitFor();
    const index = Math.floor(rows / 2) + run;
    const [, serialNo = ''] = lines[index]?.split(',') ?? [];
    await take(2, () => searchRow(page, serialNo, String(index + 1)));
  }
  await addImports(large);
  await page.goto('#/');
  for (let run = 0; run < Number(values.runs); run += 1) await take(3, () => untilFirstIsListed(page));
  /** `ms` is from the click or the address until a person sees the result, `aimMs` the most that they should wait. */
  const figure = (screen: string, amount: number, index: number, aimMs: number) => ({
    screen,
    amount,
    ms: Math.round(median(times[index] ?? [])),
    aimMs,
  });
  return [
    figure('imports, first view', imports, 0, 1_500),
    figure('invalid rows, opened', invalid, 1, 3_000),
    figure('rows, searched', rows, 2, 2_000),
    figure('imports, first page', many, 3, 1_000),
  ];
}

const browser = await launchBrowser();
try {
  const page = await browser.newPage({ baseURL: `${emulator.url}/`, viewport: { width: 1366, height: 768 } });
  page.setDefaultTimeout(90_000);
  await page.goto(`#token=${emulator.token}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  console.log(JSON.stringify(await measure(page)));
} finally {
  await browser.close();
  await emulator.stop();
  rmSync(folder, { recursive: true });
}
