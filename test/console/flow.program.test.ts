// A person ports the numbers of a messy workbook without a terminal: in a real browser, over the real emulator and the
// porting simulator. The tests run in the order of the file and continue from each other.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { readWorkbookFile } from '../support/files/read-workbook.ts';
import {
  fileName,
  hostileText,
  invalidPacs,
  messyWorkbook,
  misspelt,
  rows,
  shortened,
} from '../support/ingest/messy-workbook.ts';
import { sendDeclinedNumbers, testDeclinedNumbers } from './steps/declined-numbers.ts';
import { testLargeGrid } from './steps/large-grid.ts';
import { testLargeUpload } from './steps/large-upload.ts';
import { testLostAccess } from './steps/lost-access.ts';
import { testNumberSearch } from './steps/number-search.ts';
import { testOptionColumns } from './steps/option-columns.ts';
import { checkPeriodReport } from './steps/period-report.ts';
import { sendInvalidPac, testRoles } from './steps/roles.ts';
import { testSelections } from './steps/selections.ts';
import { testSlowValidation } from './steps/slow-validation.ts';
import { testStopping } from './steps/stopping.ts';
import { testUnknownOutcomes } from './steps/unknown-outcomes.ts';
import { useConsole } from './support/console-session.ts';
import { apiOf, passDays } from './support/import-by-api.ts';
import { pdfText } from './support/pdf-text.ts';
import { takePicture, takeScreenshot } from './support/screenshot.ts';

// Axe and the calendar share the processor with the browser.
vi.setConfig({ testTimeout: 300_000 });

const slow = { timeout: 90_000 };
/** The address of the first import. */
let importAddress = '';
const session = useConsole(1);
const { goTo, inspect, openPage, problems } = session;
let page: Page;
beforeAll(() => {
  page = session.page;
});

/** Where the control that had it is gone. */
const expectFocusOnHeading = () =>
  expect.poll(() => page.evaluate('document.activeElement.className'), slow).toBe('screen-title');

test('the address with the token opens the console, and the token does not stay in the address', async () => {
  await page.getByRole('heading', { name: 'Upload the first file' }).waitFor(slow);
  expect(page.url()).not.toContain(session.started.token);
  await page.getByText('SIMULATOR', { exact: true }).waitFor();
  await inspect('imports-empty');
});

test('a messy workbook is uploaded, and its plan is shown', async () => {
  await page.getByRole('link', { name: 'Upload a file' }).first().click();
  const buffer = messyWorkbook();
  await page.setInputFiles('input[type=file]', { name: fileName, mimeType: 'application/octet-stream', buffer });
  await page.getByText(fileName).waitFor();
  expect(await page.getByRole('main').innerText()).not.toMatch(/\d{4}-\d\d-\d\dT/);
  await inspect('upload');
  const template = page.waitForEvent('download', slow);
  await page.getByRole('button', { name: 'Excel', exact: true }).click();
  expect((await template).suggestedFilename()).toBe('create-port.xlsx');
  expect((await readWorkbookFile(await (await template).path())).header).toContain('targetNetwork');
  await page.getByRole('checkbox', { name: /whose PAC expires soon/ }).check();
  const begun = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/uploads'));
  await page.getByRole('button', { name: 'Upload and check' }).click();
  expect((await begun).postDataJSON()).toMatchObject({ operation: 'create-port', separateExpiringPacs: true });
  const valid = rows - misspelt - shortened;
  await page.getByRole('button', { name: `Approve ${valid} numbers` }).waitFor(slow);
  importAddress = new URL(page.url()).hash.slice(1);
  await page.getByText(`of ${rows} numbers are valid`).waitFor();
  await page.getByText(`${misspelt + shortened} numbers are invalid and will not be sent.`).waitFor();
  await inspect('plan');
});

test('invalid numbers are fixed by pasting in one tab, in another with the keyboard, and all alike at once', async () => {
  await page.getByRole('link', { name: 'Review and fix' }).click();
  const wrong = (one: Page) => one.getByRole('grid').getByRole('gridcell', { name: 'UK Mobil A' });
  await wrong(page).first().waitFor();
  await session.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const other = await openPage({ at: new URL(page.url()).hash.slice(1) });
  await wrong(other).last().click(slow);
  await other.evaluate("navigator.clipboard.writeText('UK Mobile A')");
  await other.keyboard.press('Control+V');
  await other.getByText(/^Saved \d\d:\d\d$/).waitFor(slow);
  await other.close();
  await wrong(page).first().click();
  await page.keyboard.press('F2');
  await page.getByLabel('New value of').fill('UK Mobile A');
  await page.keyboard.press('Enter');
  await page.getByText(`2 of ${misspelt + shortened} numbers fixed`).waitFor(slow);
  await page.keyboard.press('ArrowUp');
  await page.getByRole('button', { name: `Fix all ${misspelt - 2} alike` }).click();
  await page.getByText(`${misspelt} of ${misspelt + shortened} numbers fixed`).waitFor(slow);
  await inspect('review');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(`2 of ${misspelt + shortened} numbers fixed`).waitFor();
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.getByText(`${misspelt} of ${misspelt + shortened} numbers fixed`).waitFor();
});

test('the fixed numbers are checked with the whole file, and are in its plan', async () => {
  await page.getByRole('button', { name: `Check ${misspelt} fixed numbers with the whole file` }).click();
  await page.getByText(`0 of ${shortened} number fixed`).waitFor(slow);
  await goTo(importAddress);
  await page.getByRole('button', { name: `Approve ${rows - shortened} numbers` }).waitFor(slow);
});

test('a change by one person shows on the page of another, and an approval never counts twice', async () => {
  const [watcher, other] = [await openPage(), await openPage()];
  await other.getByRole('link', { name: fileName }).last().click();
  const shown = watcher.getByRole('listitem').filter({ hasText: fileName }).last();
  await shown.getByText('Waiting for approval').waitFor();
  await goTo(importAddress);
  for (const one of [page, other]) {
    await one.getByRole('button', { name: /^Approve \d+ numbers$/ }).click();
    await one.getByRole('button', { name: 'Approve and send' }).waitFor();
  }
  // The second person presses the button before the page can know of the first, and need not wait for it then.
  const declined = Promise.withResolvers<void>();
  await other.route('**/api/v1/**', async (route) => {
    if (route.request().method() === 'GET') await declined.promise;
    await route.continue();
  });
  // With the keyboard only.
  await page.getByLabel('Note for the history').focus();
  await page.keyboard.type('Network corrected');
  const confirm = page.getByRole('button', { name: 'Approve and send' });
  for (let presses = 0; presses < 5; presses += 1) {
    if (await confirm.evaluate((element) => element.matches(':focus'))) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page
    .getByText(`Approved: ${rows - shortened} numbers will be sent`)
    .first()
    .waitFor();
  await expectFocusOnHeading();
  await shown.getByText(/Submitting|In progress|require action/).waitFor(slow);
  await other.getByRole('button', { name: 'Approve and send' }).click();
  await other.getByText('The plan was not approved: another person changed it').first().waitFor();
  await takeScreenshot(other, 'conflict');
  declined.resolve();
  await Promise.all([watcher.close(), other.close()]);
});

test('two invalid PACs are replaced inline, and never shown', async () => {
  await goTo('/actions');
  const send = page.getByRole('button', { name: /^Send (new PACs|\d)/ });
  await passDays(apiOf(session.started), 1, () => send.first().isVisible());
  const inputs = page.locator('input[type=password]');
  expect(await inputs.count()).toBe(invalidPacs);
  for (const [index, pac] of ['XYZ100001', 'XYZ100002'].entries()) await inputs.nth(index).fill(pac);
  await inspect('actions');
  await page.getByRole('button', { name: `Send ${invalidPacs} new PACs` }).click();
  // The action goes away: what happened is a notice, and the focus is not lost with the button.
  await send.first().waitFor({ ...slow, state: 'detached' });
  await page.getByText(`${invalidPacs} new PACs sent.`).first().waitFor();
  await expectFocusOnHeading();
  expect(await page.content()).not.toContain('XYZ10000');
  await goTo(importAddress);
  await page.getByRole('link', { name: 'New PACs' }).waitFor(slow);
});

test('every number is accounted for, and the page shows it without a reload', async () => {
  await goTo(importAddress);
  const call = apiOf(session.started);
  await passDays(call, 20, async () => (await call('GET', importAddress)).state === 'finished');
  const ported = rows - shortened;
  await page.getByText(`Finished: ${ported} of ${rows} numbers ported`).waitFor(slow);
  await page.getByText(`${rows} of ${rows} numbers are accounted for.`).waitFor();
  await page.getByText(`${shortened} number is invalid and not sent.`).waitFor();
  await page.getByRole('tab', { name: 'Numbers' }).click();
  await page.getByText('Numbers of the file').waitFor();
  await page.getByText(hostileText).waitFor(slow);
  await inspect('import');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('Uploaded').first().waitFor();
  await inspect('history');
});

test('the report is by day, network and cost centre', async () => {
  await page.getByRole('link', { name: 'Report' }).click();
  await page.getByText('By connection date').waitFor();
  await page.getByRole('button', { name: /column of the file/ }).click();
  await page.getByRole('option', { name: 'Cost centre' }).click();
  await page.getByText('By Cost centre').waitFor();
  await inspect('report');
});

test('the report prints to a document with its figures and the environment, also from a dark page', async () => {
  await page.getByRole('button', { name: 'Use dark colours' }).click();
  const note = "document.body.setAttribute('data-printed', document.body.className)";
  await page.evaluate(`addEventListener('beforeprint', () => ${note}, { once: true })`);
  const seen = await page.getByText(/ of \d+ ported$/).allInnerTexts();
  const shares = await page.locator('main td, main th[scope=row], .legend li').allInnerTexts();
  const pdf = await page.pdf({ format: 'A4', printBackground: false });
  const text = pdfText(pdf).replaceAll(/\s+/g, ' ');
  for (const figure of [fileName, 'SIMULATOR', `of ${rows}`, ...seen, ...shares.filter((share) => share !== '')]) {
    expect(text).toContain(figure.replaceAll(/\s+/g, ' ').trim());
  }
  expect(await page.locator('body').getAttribute('data-printed')).not.toContain('awsui-dark-mode');
  expect(await page.locator('body').getAttribute('class')).toContain('awsui-dark-mode');
  await page.getByRole('button', { name: 'Use light colours' }).click();
  for (const control of ['Print or save as PDF', 'Next day', 'Also by a column']) expect(text).not.toContain(control);
});

test('the report is downloaded as a workbook and as a CSV', async () => {
  for (const [name, extension] of [
    ['Excel', 'xlsx'],
    ['CSV', 'csv'],
  ] as const) {
    const download = page.waitForEvent('download', slow);
    await page.getByRole('button', { name, exact: true }).click();
    // The browser replaces what no file system allows.
    const safeName = fileName.replace(/\.\w+$/, '').replaceAll(/[<>]/g, '_');
    expect((await download).suggestedFilename()).toBe(`results-${safeName}.${extension}`);
  }
  await goTo(importAddress);
  await page.getByRole('tab', { name: 'Files' }).click();
  for (const name of ['results.xlsx', 'results.csv', 'issues.ndjson']) {
    await page.getByRole('button', { name, exact: false }).waitFor(slow);
  }
  await inspect('files');
});

test('a number is found in any notation, and leads to its port', async () => {
  await goTo('/numbers/%2B44%207700%20900210');
  await page.getByRole('heading', { name: '07700 900210' }).waitFor();
  await inspect('number');
  await page.getByRole('link', { name: 'Open', exact: true }).click();
  await page.getByText('Connection date').waitFor();
  await inspect('port');
});

test('the list shows every import with its numbers, and the simulator its calendar', async () => {
  await goTo('/');
  await page.getByRole('link', { name: fileName }).last().waitFor();
  await page.getByRole('img', { name: `${rows - shortened} of ${rows} ported` }).waitFor(slow);
  await inspect('imports');
  await checkPeriodReport(session, `${rows - shortened} of ${rows} ported`);
  await goTo('/simulator');
  await page.getByText('Faults of the service').waitFor();
  await page.getByText('Loading').waitFor({ state: 'hidden' });
  await inspect('simulator');
});

test('the calendar is paused, moved by a day and continued from the banner of any screen', async () => {
  await goTo('/');
  const banner = page.getByRole('region', { name: 'Environment' });
  const readDay = async () => {
    const shown = (await banner.locator('.digits').textContent()) ?? '';
    return Date.parse(`${/\d+ \w+ \d{4}/.exec(shown)?.[0]} 12:00 UTC`);
  };
  await banner.getByRole('button', { name: 'Pause' }).click();
  await banner.getByText(', paused').waitFor();
  const paused = await readDay();
  await banner.getByRole('button', { name: 'Next day' }).click();
  await expect.poll(readDay, slow).toBe(paused + 86_400_000);
  await inspect('banner');
  // No number is in progress, so the calendar that runs by itself waits.
  await banner.getByRole('button', { name: 'Run' }).click();
  await banner.getByText(', waits for you').waitFor();
  expect(await readDay()).toBe(paused + 86_400_000);
  await goTo('/simulator');
  await page.getByRole('radio', { name: 'A day a minute' }).click();
  await banner.getByText(', a day takes 1 minute').waitFor();
  // What follows awaits no ports.
  await apiOf(session.started)('POST', '/simulator/calendar', { speed: 1 });
});

testLostAccess(session, fileName);
testSelections(session);
testOptionColumns(session);
testNumberSearch(session, '07700 900210');
describe('imports that wait for the service', () => {
  beforeAll(async () => {
    const call = apiOf(session.started);
    await Promise.all([sendDeclinedNumbers(call), sendInvalidPac(call)]);
  });
  testUnknownOutcomes(session);
  testDeclinedNumbers(session);
  testRoles(session);
});
testStopping(session);
testSlowValidation(session);
testLargeGrid(session);
testLargeUpload(session);

test.each([390, 320])('at %d pixels no screen is wider than the window', async (width) => {
  await page.setViewportSize({ width, height: 844 });
  const screens = {
    imports: '/',
    period: '/report',
    upload: '/upload',
    actions: '/actions',
    number: '/numbers/07700900210',
    import: importAddress,
    report: `${importAddress.split('/').slice(0, 3).join('/')}/report`,
    ports: '/ports',
    saved: '/saved',
    simulator: '/simulator',
  };
  const tooWide: string[] = [];
  for (const [name, screen] of Object.entries(screens)) {
    await goTo(screen);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const shown = await page.locator('html').evaluate((html) => html.scrollWidth);
    if (width === 390) await takePicture(page, `${name}-phone`);
    if (shown > width) tooWide.push(`${screen}: ${shown}`);
  }
  expect(tooWide).toEqual([]);
});

test('no text of a file was taken for code, and nothing broke the Content-Security-Policy', () => {
  expect(problems).toEqual([]);
});
