// A messy workbook of 400 numbers becomes an approved plan with one reading: the page asks everything that it must know
// before the first row is validated. With the mouse, and with the keyboard alone.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { formatDay } from '../../console/text/format.ts';
import { workbookFile } from '../support/files/workbook-file.ts';
import { numberAt, simAt } from '../support/ingest/valid-rows.ts';
import { useConsole } from './support/console-session.ts';
import { apiOf } from './support/import-by-api.ts';
import { takePicture } from './support/screenshot.ts';
import { tablesThatScroll } from './support/tables-that-scroll.ts';

vi.setConfig({ testTimeout: 300_000 });

const slow = { timeout: 90_000 };
const mimeType = 'application/octet-stream';
const session = useConsole(1);
let page: Page;
beforeAll(() => {
  page = session.page;
});

const dayMs = 86_400_000;

/** Working days that can be booked, of which the text `08/07/2026` does not show whether the day is first. */
const days = Array.from({ length: 38 }, (_, index) => new Date(Date.now() + (index + 7) * dayMs))
  .filter((day) => day.getUTCDate() >= 4 && day.getUTCDate() <= 12 && day.getUTCDate() !== day.getUTCMonth() + 1)
  .filter((day) => day.getUTCDay() >= 2 && day.getUTCDay() <= 4);
const [firstDay = new Date(), secondDay = firstDay] = days;
const written = (day: Date) => day.toISOString().slice(0, 10).split('-').reverse().join('/');

/**
 * Two sheets with numbers, each with a title above its header, a column with an unknown name, no tariff, and dates of
 * which nothing shows whether the day or the month is first. One row lacks its provisioning order.
 */
function messyWorkbook(nameOfNumbers: string, first: number, numbersOfSheet = 200): Buffer {
  const header = [nameOfNumbers, 'SIM no', 'PAC', 'Port type', 'Target', 'Source', 'Port date', 'Provisioning order'];
  const rowOf = (index: number) => [
    numberAt(index),
    simAt(index),
    `ABC${100_000 + index}`,
    'Port',
    'UK Mobile A',
    'Source Mobile One',
    written(index % 2 === 0 ? firstDay : secondDay),
    index === first + 7 ? '' : '5001',
  ];
  const sheets = ['North', 'South'].map((name, place) => ({
    name,
    rows: [
      [`Numbers of the ${name} office`],
      null,
      header,
      ...Array.from({ length: numbersOfSheet }, (_, index) => rowOf(first + place * numbersOfSheet + index)),
    ],
  }));
  return workbookFile([{ name: 'Notes', rows: [['Ask the team leads before Friday'], ['Draft']] }, ...sheets]);
}

/** Readings that a person asked for, and findings that a page shows of the whole file. */
async function expectOneReading(fileName: string): Promise<void> {
  const call = apiOf(session.started);
  const { imports } = await call('GET', '/imports');
  const [item, ...others] = imports.filter(({ file }: { file: string }) => file === fileName);
  expect(others).toEqual([]);
  // The first one ended with the questions, before any row was validated.
  expect(item).toMatchObject({ reading: 2, rows: 400, accepted: 399, rejected: 1 });
}

/** With axe in both modes, and as on a phone. */
async function inspect(name: string): Promise<void> {
  await session.inspect(`first-reading-${name}`);
  await page.setViewportSize({ width: 400, height: 860 });
  await expect.poll(() => page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(400);
  await takePicture(page, `first-reading-${name}-400`);
  if (name.endsWith('questions')) expect(await tablesThatScroll(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 860 });
}

const checkbox = (sheet: string, tab = page) => tab.getByRole('checkbox', { name: `Sheet "${sheet}"` });
const dayFirst = (tab = page) => tab.getByRole('radio', { name: 'Day first' });
const check = (tab = page) => tab.getByRole('button', { name: 'Check the numbers' });
const enterTariff = (tab = page) => tab.getByRole('button', { name: 'or enter one value for all rows: Tariff' });
const ready = (tab = page) => tab.getByRole('button', { name: 'Check the numbers', disabled: false });

test('a messy workbook is asked about once, read once and approved, with at most 12 clicks', async () => {
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click(slow);
  };
  const fileName = 'offices.xlsx';
  await click(page.getByRole('link', { name: 'Upload a file' }).first());
  const chosen = page.waitForEvent('filechooser', slow);
  await click(page.getByText('Choose a file', { exact: true }).first());
  await (await chosen).setFiles({ name: fileName, mimeType, buffer: messyWorkbook('Our phones', 0) });
  await inspect('upload');
  await click(page.getByRole('button', { name: 'Upload and check' }));
  await checkbox('North').waitFor(slow);
  // It is no failure, and nothing is chosen that a person did not choose.
  const text = (await page.locator('main').innerText()).replaceAll('\n', ' ');
  expect(text).not.toMatch(/rejected|error/i);
  expect(text).toContain('Nothing was checked or sent so far');
  expect(text).toMatch(/Sheet "North" Header in row 3 Our phones · SIM no · .+ Sheet "South"/);
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
  await inspect('sheets');
  await click(checkbox('North'));
  await click(checkbox('South'));
  await page.getByText('4 questions').waitFor(slow);
  await page.getByText('What is "Our phones"? Choose it below, or leave it as your own column.').waitFor();
  await page
    .getByText(`"Port date": which day is ${written(firstDay)}?`)
    .first()
    .waitFor();
  expect(await page.getByLabel('Row of the header').inputValue()).toBe('3');
  await inspect('questions');
  await page.getByText(`"Port date": ${written(firstDay)} is ${formatDay(firstDay.toISOString())}`).waitFor();
  await click(dayFirst());
  // What was chosen survives a reload, and a restart of simporter.
  await page.reload();
  await page.getByText('3 questions').waitFor(slow);
  expect(await dayFirst().isChecked()).toBe(true);
  await click(page.getByRole('button', { name: 'Column Our phones' }));
  await click(page.getByRole('option', { name: 'Number' }).first());
  await session.restart();
  await page.reload();
  await page.getByText('1 question').waitFor(slow);
  for (const sheet of ['North', 'South']) expect(await checkbox(sheet).isChecked(), sheet).toBe(true);
  await click(enterTariff());
  await page.keyboard.type('2001');
  await page.keyboard.press('Escape');
  await ready().waitFor(slow);
  await inspect('answered');
  await click(check());
  await page.getByText('1 number is invalid and will not be sent.').waitFor(slow);
  await page.getByRole('button', { name: 'Approve 399 numbers' }).waitFor(slow);
  await inspect('plan');
  await click(page.getByRole('button', { name: 'Approve 399 numbers' }));
  await inspect('approve');
  await click(page.getByRole('button', { name: 'Approve and send' }));
  await page.getByText('Approved: 399 numbers will be sent').first().waitFor(slow);
  await expectOneReading(fileName);
  expect(clicks).toBeLessThanOrEqual(12);
});

test('the next workbook of the same form asks nothing, and its plan names the saved settings', async () => {
  await session.goTo('/upload');
  const buffer = messyWorkbook('Our phones', 400);
  await page.setInputFiles('input[type=file]', { name: 'offices-2.xlsx', mimeType, buffer });
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await page.getByRole('button', { name: 'Approve 399 numbers' }).waitFor(slow);
  await page.getByText(/Read as "offices", saved by /).waitFor();
});

test('the same is done with the keyboard alone', async () => {
  const fileName = 'keyboard.xlsx';
  const { keyboard } = page;
  const tabTo = async (target: Locator) => {
    await target.first().waitFor(slow);
    for (let presses = 0; presses < 120; presses += 1) {
      if (await target.first().evaluate((element) => element.matches(':focus'))) return;
      await keyboard.press('Tab');
    }
    throw new Error(`${target} is not reached with Tab`);
  };
  const press = async (target: Locator, key = 'Enter') => {
    await tabTo(target);
    await keyboard.press(key);
  };
  await session.goTo('/');
  await press(page.getByRole('link', { name: 'Upload a file' }));
  const chosen = page.waitForEvent('filechooser', slow);
  await press(page.locator('input[type=file]'));
  await (await chosen).setFiles({ name: fileName, mimeType, buffer: messyWorkbook('Their phones', 600) });
  await inspect('keyboard-upload');
  await press(page.getByRole('button', { name: 'Upload and check' }));
  await checkbox('North').waitFor(slow);
  await inspect('keyboard-sheets');
  for (const sheet of ['North', 'South']) await press(checkbox(sheet), 'Space');
  await press(page.getByRole('radio').first(), 'Space');
  expect(await dayFirst().isChecked()).toBe(true);
  await press(enterTariff());
  await keyboard.type('2001');
  await keyboard.press('Escape');
  await page.getByText('2 questions').waitFor(slow);
  await inspect('keyboard-questions');
  await page.getByRole('heading', { name: fileName, level: 1 }).focus();
  await press(page.getByRole('button', { name: 'Column Their phones' }));
  await page.getByRole('option').first().waitFor(slow);
  await keyboard.type('Number');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await ready().waitFor(slow);
  await inspect('keyboard-answered');
  await press(check());
  const approve = page.getByRole('button', { name: 'Approve 399 numbers' });
  await approve.waitFor(slow);
  await inspect('keyboard-plan');
  await press(approve);
  await inspect('keyboard-approve');
  await press(page.getByRole('button', { name: 'Approve and send' }));
  await page.getByText('Approved: 399 numbers will be sent').first().waitFor(slow);
  await expectOneReading(fileName);
});

test('a slow network loses nothing of what a person chose', async () => {
  const fileName = 'slow.xlsx';
  const throttled = await page.context().newCDPSession(page);
  const limits = { offline: false, latency: 400, downloadThroughput: 60_000, uploadThroughput: 30_000 };
  await session.goTo('/upload');
  await throttled.send('Network.emulateNetworkConditions', limits);
  const buffer = messyWorkbook('Slow phones', 960, 20);
  await page.setInputFiles('input[type=file]', { name: fileName, mimeType, buffer });
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await checkbox('North').click(slow);
  // Each of these is chosen while the page still reads what the choice before it changed.
  await checkbox('South').click(slow);
  await dayFirst().click(slow);
  await page.reload();
  await page.getByText('3 questions').waitFor(slow);
  for (const sheet of ['North', 'South']) expect(await checkbox(sheet).isChecked(), sheet).toBe(true);
  expect(await dayFirst().isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Column Slow phones' }).click(slow);
  await page.getByRole('option', { name: 'Number' }).first().click(slow);
  await enterTariff().click(slow);
  await page.keyboard.type('2001');
  await page.keyboard.press('Escape');
  await ready().waitFor(slow);
  // One press is one reading, however long it takes.
  await check().dblclick(slow);
  await page.getByRole('button', { name: /^Approve (?:up to )?39 numbers/ }).waitFor(slow);
  const { imports } = await apiOf(session.started)('GET', '/imports');
  const found = imports.filter(({ file }: { file: string }) => file === fileName);
  expect(found).toMatchObject([{ reading: 2, rows: 40, accepted: 39, rejected: 1 }]);
  await throttled.send('Network.emulateNetworkConditions', {
    ...limits,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await throttled.detach();
});

test('an old tab is told that the questions were answered elsewhere, and shows the plan', async () => {
  await session.goTo('/upload');
  const buffer = messyWorkbook('My phones', 0, 20);
  await page.setInputFiles('input[type=file]', { name: 'tabs.xlsx', mimeType, buffer });
  await page.getByRole('button', { name: 'Upload and check' }).click();
  const answer = async (tab: Page, sheet: string) => {
    await checkbox(sheet, tab).click(slow);
    await dayFirst(tab).click(slow);
    await tab.getByRole('button', { name: 'Column My phones' }).click();
    await tab.getByRole('option', { name: 'Number' }).first().click();
    await enterTariff(tab).click();
    await tab.keyboard.type('2001');
    await tab.keyboard.press('Escape');
  };
  await checkbox('North').waitFor(slow);
  const old = await session.openPage({ at: new URL(page.url()).hash.slice(1) });
  await answer(old, 'South');
  await ready(old).waitFor(slow);
  // It cannot know of the other answers before its own are sent.
  const isSent = Promise.withResolvers<void>();
  await old.route('**/api/v1/**', async (route) => {
    if (route.request().method() === 'GET') await isSent.promise;
    await route.fallback();
  });
  await answer(page, 'North');
  await check().click(slow);
  await page.getByRole('button', { name: /^Approve (?:up to )?19 numbers/ }).waitFor(slow);
  await check(old).click();
  await old.getByText('The file was not read again: another person changed it').first().waitFor(slow);
  isSent.resolve();
  await old.getByRole('button', { name: /^Approve (?:up to )?19 numbers/ }).waitFor(slow);
  await old.close();
});

test('nothing broke the Content-Security-Policy', () => {
  expect(session.problems).toEqual([]);
});
