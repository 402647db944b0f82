// How a file is read, the grid of its invalid rows, what a person typed until it is sent, and what a screen shows: in a
// real browser, and almost without ports.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createPortCells, createPortHeader } from '../support/ingest/create-port-cells.ts';
import { testAnswers } from './steps/answers.ts';
import { testDrafts } from './steps/drafts.ts';
import { testGrid } from './steps/grid.ts';
import { testKeptWork } from './steps/kept-work.ts';
import { testSavedSettings } from './steps/saved-settings.ts';
import { chooseInPage } from './support/choose-file.ts';
import { useConsole } from './support/console-session.ts';
import { type ApiCall, apiOf, approvePlan, passDays, planFile } from './support/import-by-api.ts';

vi.setConfig({ testTimeout: 300_000 });

const slow = { timeout: 90_000 };
const session = useConsole(1);
const { goTo, openPage, problems } = session;
const wrong = { targetNetwork: 'UK Mobil A' };
let page: Page;
let call: ApiCall;
let files = 0;
let cells = 0;

/** The cells of new rows, each with its own number. */
const rowsOf = (...changes: NonNullable<Parameters<typeof createPortCells>[1]>[]) =>
  changes.map((change) => {
    cells += 1;
    return createPortCells(600 + cells, change);
  });

function plan(rows: readonly (readonly string[])[], header: readonly string[] = createPortHeader): Promise<string> {
  files += 1;
  return planFile(call, { operation: 'create-port', fileName: `file-${files}.csv`, rows: [header, ...rows] });
}

/** On its page the test passes the time: nobody has to wait for it. */
const openTimedPage = (at: string): Promise<Page> => openPage({ at, prepare: (opened) => opened.clock.install() });
const passTimeUntilShown = (awaited: Locator) =>
  expect
    .poll(async () => {
      await awaited.page().clock.runFor(1_000);
      return awaited.isVisible();
    }, slow)
    .toBe(true);

const problem = (status: number, code: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', code, status, title: code, detail: 'Not now.' }),
});

beforeAll(() => {
  page = session.page;
  call = apiOf(session.started);
});

testSavedSettings(session);
testAnswers(session);
testGrid(session);
testKeptWork(session);
testDrafts(session);

describe('corrections', () => {
  const cell = (one: Page, name: string) => one.getByRole('grid').getByRole('gridcell', { name, exact: true });
  const openReview = async (one: Page, importId: string) => {
    await one.goto(`${session.started.url}/#/imports/${importId}/review`);
    await one.getByRole('grid').waitFor(slow);
  };
  const fix = async (one: Page, row: number, text = 'UK Mobile A') => {
    const place = one.getByRole('grid').getByRole('row').nth(row).getByRole('gridcell');
    await place.nth(createPortHeader.indexOf('targetNetwork')).dblclick();
    await one.getByLabel('New value of').fill(text);
    await one.keyboard.press('Enter');
  };
  const saved = (one: Page) => one.getByText(/^Saved \d\d:\d\d$/).waitFor(slow);

  test('that were made just after coming back to the tab stay, with what can be undone', async () => {
    await openReview(page, await plan(rowsOf({}, wrong, wrong, wrong)));
    await fix(page, 1);
    await saved(page);
    const changed = page.waitForResponse((answer) => answer.url().endsWith('/events') && answer.status() === 200, slow);
    await plan(rowsOf({}));
    await changed;
    await fix(page, 2);
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('2 of 3 numbers fixed').waitFor(slow);
    await saved(page);
    expect(await cell(page, 'UK Mobile A').count()).toBe(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => cell(page, 'UK Mobile A').count()).toBe(0);
  });

  test('of two tabs are merged by line', async () => {
    const importId = await plan(rowsOf({}, wrong, wrong, wrong));
    await openReview(page, importId);
    const other = await openPage({ at: `/imports/${importId}/review` });
    await other.getByRole('grid').waitFor(slow);
    await fix(page, 1);
    await saved(page);
    await fix(other, 2, 'UK Mobile B');
    await cell(other, 'UK Mobile A').waitFor(slow);
    await saved(other);
    await page.reload();
    await cell(page, 'UK Mobile A').waitFor(slow);
    expect(await cell(page, 'UK Mobile B').count()).toBe(1);
    await other.close();
  });

  test('with a text that no cell can have leave it out with a reason, and the other rows are checked', async () => {
    await openReview(page, await plan(rowsOf({}, wrong, wrong)));
    await fix(page, 1, 'x'.repeat(2_001));
    await page.getByText('1 text left out: a cell has at most 2,000 characters').first().waitFor(slow);
    await fix(page, 2);
    await page.getByText('1 of 2 numbers fixed').waitFor(slow);
    await saved(page);
  });

  test('are not changed by the keys of a column name, which sorts', async () => {
    await openReview(page, await plan(rowsOf({}, wrong, wrong)));
    const name = page.getByRole('columnheader', { name: /Gaining network/ });
    await name.getByRole('button').focus();
    for (const [key, direction] of [
      ['Enter', 'ascending'],
      ['Space', 'descending'],
      ['Delete', 'descending'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await name.getAttribute('aria-sort'), key).toBe(direction);
    }
    expect(await page.getByLabel('New value of').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
  });
});

describe('an import', () => {
  test('that does not exist is awaited for a while, with one call a second, and then there is none', async () => {
    const waiting = await openTimedPage('/');
    let calls = 0;
    waiting.on('request', (request) => {
      if (request.url().endsWith('/imports/zzzzzzzzzzzzzzzz')) calls += 1;
    });
    await waiting.goto(`${session.started.url}/#/imports/zzzzzzzzzzzzzzzz`);
    await waiting.getByRole('heading', { level: 1, name: 'Waiting for the file' }).waitFor(slow);
    await passTimeUntilShown(waiting.getByRole('heading', { level: 1, name: 'There is no such import' }));
    expect(calls).toBeLessThan(30);
    for (const screen of ['report', 'review', 'columns']) {
      await waiting.goto(`${session.started.url}/#/imports/zzzzzzzzzzzzzzzz/${screen}`);
      await waiting.getByRole('heading', { level: 1, name: 'There is no such import' }).waitFor(slow);
      expect(await waiting.getByRole('button', { name: 'Try again' }).count(), screen).toBe(0);
    }
    await waiting.close();
  });

  test('that lacks columns names all of them, with one next step', async () => {
    const without = (cells: readonly string[]) =>
      cells.filter((_, index) => !['targetNetwork', 'portType'].includes(createPortHeader[index] ?? ''));
    await goTo(`/imports/${await plan(rowsOf({}).map(without), without(createPortHeader))}`);
    await page.getByText('2 questions').waitFor(slow);
    const text = (await page.locator('main').innerText()).replaceAll('\n', ' ');
    for (const column of ['Gaining network', 'Port type']) expect(text).toContain(`Which column is "${column}"?`);
    expect(text).not.toMatch(/rejected/i);
    await page.getByRole('button', { name: 'Check the numbers' }).waitFor();
  });

  test('shows a number as it is in the file, and Back returns to the tab before', async () => {
    const [row = []] = rowsOf({});
    const written = (row[0] ?? '').replace(/^(44|0)/, '');
    const importId = await plan([[written, ...row.slice(1)]]);
    await approvePlan(call, importId);
    await goTo(`/imports/${importId}/rows`);
    await page.getByRole('link', { name: written, exact: true }).waitFor(slow);
    await page.getByRole('tab', { name: 'Requests' }).click();
    await page.getByRole('tab', { name: 'Requests', selected: true }).waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'Numbers', selected: true }).waitFor(slow);
  });

  test('leads from a number to its request, from there to its port, and back to the request and the import', async () => {
    const [row = []] = rowsOf({});
    const importId = await plan([row]);
    await approvePlan(call, importId);
    const requestOf = async () => (await call('GET', `/imports/${importId}/requests`)).requests[0];
    await expect.poll(async () => (await requestOf())?.portId).toEqual(expect.any(String));
    await goTo(`/numbers/${row[0]}`);
    await page.getByRole('link', { name: 'Open request' }).click(slow);
    await page.getByRole('heading', { level: 1, name: 'Request 1' }).waitFor(slow);
    await session.inspect('request');
    await page.getByRole('link', { name: '1, in the numbers of the file' }).click();
    await page.getByRole('heading', { name: 'Numbers of request 1' }).waitFor(slow);
    await page.goBack();
    await page.getByRole('link', { name: 'Open', exact: true }).click(slow);
    await page.getByRole('link', { name: 'Open request' }).click(slow);
    await page.getByRole('heading', { level: 1, name: 'Request 1' }).waitFor(slow);
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByRole('link', { name: 'request 1' }).waitFor(slow);
    expect(page.url()).toContain(importId);
  });

  test('goes as many pages on as the button is pressed, also while the first of them is read', async () => {
    await goTo(`/imports/${await plan(rowsOf(...Array.from({ length: 130 }, () => wrong)))}/rows`);
    await page.getByRole('button', { name: 'Next page' }).waitFor(slow);
    const pressed = Promise.withResolvers<void>();
    await page.route(/\/rows\?.*cursor/, async (route) => {
      await pressed.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Next page' }).dblclick();
    pressed.resolve();
    await page.getByRole('cell', { name: '102', exact: true }).waitFor(slow);
    const numbered = (number: number) =>
      page.getByRole('button', { name: new RegExp(`^(Page )?${number}\\b`) }).count();
    expect([await numbered(3), await numbered(4)]).toEqual([1, 0]);
    await page.unrouteAll();
  });

  test('has a colour for each outcome, and the same counts with a duplicate in the bar, on the page and in the dialog', async () => {
    const [first = [], second = []] = rowsOf({}, wrong);
    await goTo(`/imports/${await plan([first, first, second])}`);
    await page.getByText('1 number is invalid and will not be sent.').waitFor(slow);
    for (const outcome of ['duplicate', 'rejected']) {
      const mark = `document.querySelector('.legend .${outcome}')`;
      const colour = await page.evaluate(`getComputedStyle(${mark}).backgroundColor`);
      expect(colour, outcome).not.toBe('rgba(0, 0, 0, 0)');
    }
    await page.getByRole('button', { name: 'Approve 1 number' }).click();
    await page.getByText('1 number with errors will not be sent.').waitFor();
  });

  test('is approved with Enter, and at once shows that it is being sent', async () => {
    await page.route(/\/imports\/\w+(\/plan)?$/, (route) =>
      route.request().method() === 'GET' ? undefined : route.continue(),
    );
    await page.getByLabel('Note for the history').fill('Order 4711');
    await page.keyboard.press('Enter');
    await page.getByText('Approved, being sent').waitFor(slow);
    expect(await page.getByRole('button', { name: /^Approve \d/ }).count()).toBe(0);
    await page.unrouteAll();
  });

  test('has a report without the column of another import', async () => {
    const withCentre = [...createPortHeader, 'Cost centre'];
    const [one = [], other = []] = rowsOf({}, {});
    const first = await plan([[...one, 'North']], withCentre);
    const second = await plan([[...other, 'South']], withCentre);
    await goTo(`/imports/${first}/report`);
    await page.getByRole('button', { name: /column of the file/ }).click(slow);
    await page.getByRole('option', { name: 'Cost centre' }).click();
    await goTo(`/imports/${second}/report`);
    await page.getByText(`file-${files}.csv`).first().waitFor(slow);
    await expect.poll(() => page.locator('main').innerText(), slow).not.toContain('Cost centre');
  });
});

describe('columns and formats', () => {
  test('of a file with a long text fit the page', async () => {
    const [row = []] = rowsOf({});
    await goTo(`/imports/${await plan([[...row, 'x'.repeat(1_900)]], [...createPortHeader, 'Note'])}/columns`);
    await page.getByText('Note').first().waitFor(slow);
    await page.waitForLoadState('networkidle');
    const widths = 'Math.max(...[...document.querySelectorAll("main table")].map((table) => table.scrollWidth))';
    expect(await page.evaluate(widths)).toBeLessThan(1_600);
  });

  test('that were read again without being saved have no other notice', async () => {
    await page.route(/\/saved-settings\//, (route) => route.fulfill(problem(500, 'internal-error')));
    await page.getByRole('button', { name: 'Read the file again' }).click();
    await page.getByText('The settings were not saved').first().waitFor(slow);
    await page.waitForURL(/\/imports\/\w+$/, slow);
    expect(await page.locator('body').innerText()).not.toContain('not read again');
    await page.unrouteAll();
  });
});

test('an upload waits while the API has too many requests, and goes on', async () => {
  const waiting = await openTimedPage('/upload');
  const declined = { links: 2, complete: 1 };
  await waiting.route(/\/uploads\/[^/]+\/(links|complete)$/, (route) => {
    const name = route.request().url().endsWith('links') ? 'links' : 'complete';
    declined[name] -= 1;
    return declined[name] >= 0 ? route.fulfill(problem(429, 'too-many-requests')) : route.continue();
  });
  const begin = [createPortHeader, ...rowsOf({})].map((row) => `${row.join(',')}\r\n`).join('');
  await waiting.locator('input[type=file]').waitFor({ state: 'attached' });
  await waiting.evaluate(chooseInPage({ name: 'busy.csv', begin, bytes: begin.length + 10 }));
  await waiting.getByRole('button', { name: 'Upload and check' }).click();
  await passTimeUntilShown(waiting.getByRole('button', { name: 'Approve 1 number' }));
  await waiting.close();
});

test('a file without an extension is declined before it is uploaded', async () => {
  await goTo('/upload');
  await page.setInputFiles('input[type=file]', { name: 'numbers', mimeType: '', buffer: Buffer.from('msisdn\n') });
  await page
    .getByText(/"numbers" has no extension/)
    .first()
    .waitFor(slow);
});

test('the list of ports is read again, also while the calendar is paused', async () => {
  await call('POST', '/simulator/calendar', { speed: 0 });
  await goTo('/ports');
  const again = page.getByRole('button', { name: 'Read again' });
  for (const time of ['first', 'second']) {
    await expect.poll(() => again.isEnabled(), slow).toBe(true);
    const asked = page.waitForResponse((answer) => answer.url().endsWith('/port-list'), slow);
    await again.click();
    await asked;
    // While it is being read, the page asks for the list again.
    await page.waitForResponse((answer) => /\/v1\/ports(\?|$)/.test(answer.url()), slow);
    await expect.poll(() => again.getAttribute('aria-disabled'), { ...slow, message: time }).not.toBe('true');
  }
  await call('POST', '/simulator/calendar', { speed: 1 });
});

test('what no event reports, as of an import that is older than the newest 50, is read again within a minute', async () => {
  const isAboutActions = (url: string) => /\/api\/v1\/actions\b/.test(url);
  let reads = 0;
  const other = await openPage({
    at: '/actions',
    prepare: async (opened) => {
      await opened.clock.install();
      await opened.route(/\/events$/, (route) => route.fulfill({ json: { imports: [] } }));
      opened.on('request', (request) => {
        if (isAboutActions(request.url())) reads += 1;
      });
    },
  });
  await expect.poll(() => reads, slow).toBeGreaterThan(0);
  await other.waitForLoadState('networkidle');
  const before = reads;
  await other.clock.fastForward(61_000);
  await expect.poll(() => reads, slow).toBe(before + 1);
  await other.close();
});

test('the description of the API can be read', async () => {
  // A menu closes when its page gets the focus: that of the test before had it.
  await page.bringToFront();
  await page.getByRole('button', { name: /local/ }).first().click();
  const [download] = await Promise.all([
    page.waitForEvent('download', slow),
    page.getByRole('menuitem', { name: /API description/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('openapi.json');
});

describe('a port with invalid PACs', () => {
  test('has the same outcome for a blocked number in its bar and its row', async () => {
    const importId = await plan(rowsOf({ pac: 'INV123001' }, { pac: 'INV123002' }, {}));
    await approvePlan(call, importId);
    // The PACs are checked after hours.
    await passDays(call, 1, async () => (await call('GET', `/imports/${importId}`)).actionRequired > 0);
    await goTo(`/imports/${importId}/rows`);
    const row = page.getByRole('row').filter({ hasText: 'blocked' });
    await row.waitFor(slow);
    expect(await row.locator('.mark').getAttribute('class')).toBe('mark in-progress');
    expect(await page.locator('.legend').innerText()).toMatch(/1\s+in progress/);
  });

  test('keeps the field of one PAC when the other is sent', async () => {
    await goTo('/actions');
    const inputs = page.locator('input[type=password]');
    await inputs.first().waitFor(slow);
    await inputs.nth(0).fill('XYZ100001');
    await inputs.nth(1).fill('XYZ1');
    await page.getByRole('button', { name: 'Send 2 new PACs' }).isDisabled();
    await inputs.nth(1).fill('');
    await page.getByRole('button', { name: 'Send 1 new PAC' }).click();
    await page.getByText('1 new PAC sent.').first().waitFor(slow);
    await inputs.first().fill('XYZ100002');
    await page.getByRole('button', { name: 'Send 1 new PAC' }).click();
    await expect.poll(() => inputs.count(), slow).toBe(0);
  });
});

test('nothing broke the Content-Security-Policy', () => {
  expect(problems).toEqual([]);
});
