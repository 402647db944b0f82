// The static files of the console: small, without inline code, and usable while no API answers.
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installation } from '#installation';
import { type OpenScreen, testImportPage } from './steps/import-page.ts';
import { testLateAnswers } from './steps/late-answers.ts';
import { testScrollPlace } from './steps/scroll-place.ts';
import { testSignIn } from './steps/sign-in.ts';
import { testTypedCodes } from './steps/typed-codes.ts';
import { colours, findAccessibilityProblems } from './support/accessibility.ts';
import { launchBrowser, unpackBrowser } from './support/browser.ts';
import { serveConsole } from './support/static-console.ts';
import { tablesThatScroll } from './support/tables-that-scroll.ts';

const firstViewLimit = 450_000;
let browser: Browser;
let server: Awaited<ReturnType<typeof serveConsole>>;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), serveConsole(await installation.buildConsole())]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('the browser of the tests changes no variable of their process, nor the object that holds them', async () => {
  const { env } = process;
  const before = { ...env };
  await unpackBrowser();
  expect(process.env).toBe(env);
  expect({ ...process.env }).toEqual(before);
});

/** What the first screen asks for. */
const answers: Readonly<Record<string, unknown>> = {
  '/api/v1/me': { id: 'anna', name: 'anna@example.com', roles: ['operator'] },
  '/api/v1/environment': {
    name: 'production',
    kind: 'production',
    colour: '#4b1d8f',
    account: 1001,
    simulated: false,
    zone: 'Europe/London',
    callingCode: '44',
    approval: 'two',
    maxFileBytes: 1e9,
    maxRowsPerRequest: 100,
  },
  '/api/v1/events': { imports: [] },
  '/api/v1/actions': { actions: [], isIncomplete: false },
  '/api/v1/imports': { imports: [], nextCursor: null },
};

const answerTo = (url: string): unknown => answers[new URL(url).pathname];
const answerCalls = (page: Page) =>
  page.route('**/api/v1/**', (route) => route.fulfill({ json: answerTo(route.request().url()) }));

test('the first view needs at most 450 KB compressed, and nothing of it breaks the Content-Security-Policy', async () => {
  const page = await browser.newPage();
  const violations: string[] = [];
  const sizes = new Map<string, Promise<number>>();
  page.on('console', (message) => message.type() === 'error' && violations.push(message.text()));
  page.on('response', (response) => {
    if (response.url().includes('/api/')) return;
    sizes.set(
      response.url(),
      response.body().then((body) => gzipSync(body).length),
    );
  });
  await answerCalls(page);

  await page.goto(server.url);
  await page.getByRole('heading', { name: 'Upload the first file' }).waitFor();
  await page.waitForLoadState('networkidle');

  expect(violations).toEqual([]);
  expect([...sizes.keys()].some((url) => url.endsWith('.woff2'))).toBe(true);
  const total = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(100_000);
  expect(total).toBeLessThan(firstViewLimit);
  await page.close();
});

test('while no API answers, the page shows it, and continues by itself once it answers', async () => {
  const page = await browser.newPage();
  await page.route('**/api/v1/**', (route) => route.abort());
  await page.goto(server.url);
  await page.getByText('simporter does not answer', { exact: true }).waitFor();

  await page.unrouteAll();
  await answerCalls(page);
  await page.getByRole('heading', { name: 'Imports' }).waitFor();
  await page.close();
});

test.each(['light', 'dark'] as const)(
  'the first screen has no accessibility finding in %s colours',
  async (colorScheme) => {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    await answerCalls(page);
    await page.goto(server.url);
    await page.getByRole('heading', { name: 'Upload the first file' }).waitFor();
    expect(await findAccessibilityProblems(page, colorScheme === 'dark' ? colours : undefined)).toEqual([]);
    await context.close();
  },
);

test('a list of 400 imports is read as it is scrolled, filtered by the API, and an unreadable file is archived', async () => {
  const page = await browser.newPage();
  await answerCalls(page);
  const about = { state: 'finished', operation: 'create-port', rows: 318, actionRequired: 0, planOnly: true };
  const imports = Array.from({ length: 400 }, (_none, index) => ({
    ...about,
    importId: `import${index}`,
    file: `file-${index}.csv`,
    outcomes: { complete: 318 },
    receivedAt: '2026-07-06T09:00:00.000Z',
    uploadedBy: { by: 'ben@example.com', isVerified: true },
    approvedAt: null,
    isArchived: false,
    waitingParts: {},
  }));
  Object.assign(imports[0] ?? {}, { state: 'rejected', rows: 0, operation: null, outcomes: {} });
  const asked: string[] = [];
  await page.route('**/api/v1/imports?**', (route) => {
    const { search, searchParams } = new URL(route.request().url());
    asked.push(search);
    if (searchParams.get('text') !== null) {
      return route.fulfill({ json: { imports: imports.slice(0, 2), nextCursor: null } });
    }
    const isFirst = searchParams.get('cursor') === null;
    const read = isFirst ? imports.slice(0, 200) : imports.slice(200);
    return route.fulfill({ json: { imports: read, nextCursor: isFirst ? 'next' : null } });
  });
  const changed = imports.slice(0, 1).map((item) => ({ ...item, changedAt: item.receivedAt }));
  await page.route('**/api/v1/events', (route) => route.fulfill({ json: { imports: changed } }));
  await page.route('**/api/v1/imports/import0/archive', (route) => {
    asked.push('archived');
    return route.fulfill({ status: 202, json: { importId: 'import0' } });
  });
  await page.goto(server.url);
  const cards = page.getByRole('article');
  await cards.first().waitFor();
  expect(await cards.count()).toBe(200);
  expect(await cards.nth(1).textContent()).toContain(
    'Port numbers · 318 numbers · 6 Jul 2026, 10:00 by ben@example.com',
  );
  await cards.last().scrollIntoViewIfNeeded();
  await expect.poll(() => cards.count()).toBe(400);
  await page.getByRole('button', { name: 'Archive file-0.csv' }).click();
  await page.getByText('file-0.csv is archived').first().waitFor();
  expect(asked).toContain('archived');
  await page.getByLabel('File or person').fill('ben');
  await page.getByRole('button', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Archived' }).click();
  await page.getByRole('button', { name: 'Received' }).click();
  await page.getByRole('option', { name: 'Today' }).click();
  await expect
    .poll(() => asked.at(-1))
    .toMatch(/^\?limit=200&text=ben&archived=true&since=\d{4}-\d\d-\d\dT\d\d%3A00%3A00.000Z$/);
  await expect.poll(() => cards.count()).toBe(2);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'file-1.csv' }).click();
  await page.getByText('Waiting for simporter to answer').waitFor();
  await page.goBack();
  await expect.poll(() => cards.count()).toBe(2);
  expect(await page.getByLabel('File or person').inputValue()).toBe('ben');
  await page.close();
});

test('the next days show their numbers and until when they can be cancelled, and a day lists its ports', async () => {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  await page.clock.setFixedTime('2026-07-04T10:00:00.000Z');
  await answerCalls(page);
  const sums = { ports: 2, numbers: 118, complete: 0, blocked: 17, actionRequired: 1 };
  const days = [
    { ...sums, day: '2026-07-04', complete: 118, blocked: 0, actionRequired: 0, cancelBy: null },
    // Made on Saturday for Monday: the deadline was on Friday.
    { ...sums, day: '2026-07-06', cancelBy: '2026-07-04T09:50:00.000Z' },
    { ...sums, day: '2026-07-08', cancelBy: '2026-07-07T15:00:00.000Z' },
  ];
  const port = {
    status: 'Pac Check Failed',
    importId: '0123456789abcdef',
    rowCount: 18,
    blockedRows: 17,
    actionRequired: 1,
  };
  const ports = [
    { ...port, portId: 'p1', name: 'Field team', day: '2026-07-08', cancelBy: '2026-07-07T15:00:00.000Z' },
  ];
  const asked: string[] = [];
  const list = { reading: '', readAt: null, isComplete: false, ports: [], nextCursor: null };
  await page.route('**/api/v1/ports**', (route) => route.fulfill({ json: list }));
  await page.route('**/api/v1/port-days**', (route) => {
    asked.push(new URL(route.request().url()).search);
    return route.fulfill({ json: { days, ports, isComplete: true, nextCursor: null } });
  });
  await page.goto(`${server.url}#/ports`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('8 Jul 2026').getByText('7 Jul 2026, 16:00').waitFor();
  await row('Today, 4 Jul 2026').waitFor();
  await row('6 Jul 2026').getByText('The service can lock it at any time').waitFor();
  expect(asked).toEqual(['?from=2026-07-04&to=2026-07-17&limit=1']);
  await page.getByRole('button', { name: '8 Jul 2026' }).click();
  await page.getByRole('heading', { name: 'Ports on 8 Jul 2026' }).waitFor();
  expect(await row('Field team').getByRole('link').first().getAttribute('href')).toBe('#/ports/p1');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.setViewportSize({ width: 400, height: 900 });
  await expect.poll(() => tablesThatScroll(page)).toEqual([]);
  await page.getByRole('button', { name: 'Later days' }).click();
  await expect.poll(() => asked.at(-1)).toBe('?from=2026-07-18&to=2026-07-31&limit=1');
  await page.close();
});

test('a SIM is found in the rows of all imports, and the search goes on to older ones', async () => {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  await answerCalls(page);
  await page.route('**/api/v1/numbers/**', (route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/problem+json',
      json: { status: 400, code: 'invalid-request', title: 'Invalid', detail: 'It is a SIM.', errors: [] },
    }),
  );
  const row = { status: '', message: '', whatToDo: '', receivedAt: '2026-07-06T09:00:00.000Z', column: 'SIM' };
  const cell = '8944110068123456787';
  const found = {
    ...row,
    importId: '0123456789abcdef',
    file: 'july.csv',
    line: 7,
    cell,
    outcome: 'complete',
    portId: 'p1',
  };
  const older = {
    ...row,
    importId: 'fedcba9876543210',
    file: 'june.csv',
    line: 2,
    cell,
    outcome: 'rejected',
    portId: '',
  };
  const about = { searched: 50, withoutResults: 0 };
  let newest = [found];
  await page.route('**/api/v1/rows**', (route) => {
    const isFirst = !route.request().url().includes('cursor');
    const answer = isFirst
      ? { ...about, rows: newest, since: '2026-06-09T09:00:00.000Z', nextCursor: 'more' }
      : { ...about, withoutResults: 2, rows: [older], since: '2026-05-01T09:00:00.000Z', nextCursor: null };
    return route.fulfill({ json: answer });
  });
  await page.goto(server.url);
  await page.getByRole('searchbox', { name: 'Find a number, SIM or reference' }).fill(cell);
  await page.keyboard.press('Enter');
  const rows = page.getByRole('main').getByRole('row');
  await rows.filter({ hasText: 'july.csv, line 7' }).getByText(`SIM: ${cell}`).waitFor();
  await page.getByText('50 imports searched, back to 9 Jun 2026').waitFor();
  await page.getByRole('button', { name: 'Search older imports' }).click();
  await rows.filter({ hasText: 'june.csv, line 2' }).waitFor();
  await page.getByText('100 imports searched, back to 1 May 2026').waitFor();
  expect(await rows.filter({ hasText: 'july' }).getByRole('link').last().getAttribute('href')).toBe('#/ports/p1');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  newest = [];
  await page.goto(`${server.url}#/numbers/ORDER-4711`);
  await page.getByText('No row of the imports searched so far has this text.').waitFor();
  await page.getByRole('heading', { name: 'Rows of all imports', exact: true }).waitFor();
  await page.goto(`${server.url}#/numbers/abc`);
  await page.getByText('Enter at least 4 characters to find a SIM, a reference or another text.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.close();
});

test('the ports are shown with the age of the list, filtered and read again, and one is adopted', async () => {
  const page = await browser.newPage();
  await answerCalls(page);
  const about = { status: 'Submitted', connectionDate: '2026-07-16', rowCount: 2, numbers: null };
  const list = { reading: 'first', readAt: '2026-07-06T09:00:00.000Z', isComplete: true, nextCursor: null };
  const ports = [
    { ...about, portId: 'p1', name: 'Field team', importId: null, readAt: list.readAt },
    { ...about, portId: 'p2', name: 'Sales', importId: '0123456789abcdef', readAt: list.readAt },
  ];
  const asked: string[] = [];
  await page.route('**/api/v1/ports**', (route) => {
    asked.push(new URL(route.request().url()).search);
    const isRefreshed = asked.includes('refreshed');
    const later = { reading: 'second', readAt: '2026-07-06T10:00:00.000Z' };
    return route.fulfill({ json: { ...list, ports, ...(isRefreshed && later) } });
  });
  await page.route('**/api/v1/port-list', (route) => {
    asked.push('refreshed');
    return route.fulfill({ status: 202, json: { isAsked: true } });
  });
  const importId = 'fedcba9876543210';
  await page.route('**/api/v1/ports/p1/adopt', (route) => route.fulfill({ status: 202, json: { importId } }));
  await page.goto(`${server.url}#/ports`);
  await page.getByText('as read from the service at 6 Jul 2026, 10:00').waitFor();
  await page.getByRole('link', { name: 'Sales' }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => tablesThatScroll(page)).toEqual([]);
  await page.getByLabel('Number', { exact: true }).fill('07700 900123');
  await page.getByRole('button', { name: 'Made' }).click();
  await page.getByRole('option', { name: 'Elsewhere' }).click();
  await expect.poll(() => asked).toContain('?origin=foreign&number=07700+900123');
  await page.getByRole('button', { name: 'Read again' }).click();
  await page.getByText('as read from the service at 6 Jul 2026, 11:00').waitFor();
  expect(await page.getByRole('button', { name: /^Adopt/ }).count()).toBe(1);
  await page.getByRole('button', { name: 'Adopt Field team' }).click();
  await page.waitForURL(`**/#/imports/${importId}`);
  await page.close();
});

test('saved settings are read and renamed on a phone without scrolling sideways', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await answerCalls(page);
  const about = {
    savedId: 's1',
    operation: 'create-port',
    by: 'anna@example.com',
    savedAt: '2026-07-06T09:00:00.000Z',
  };
  const settings = { mapping: { 'Our phones': 'msisdn' }, columnValues: { tariff: '2001' }, dateOrder: 'dmy' };
  const saved = [{ ...about, name: 'offices-of-the-north-and-the-south-2026', settings }];
  await page.route('**/api/v1/saved-settings', (route) => route.fulfill({ json: { saved } }));
  await page.goto(`${server.url}#/saved`);
  await page.getByText('"Our phones": Number').waitFor();
  expect(await tablesThatScroll(page)).toEqual([]);
  await page.getByRole('button', { name: 'Rename "offices' }).click();
  await page.getByRole('dialog').getByLabel('New name').waitFor();
  await page.close();
});

test('no file of the console names another origin to load from', async () => {
  const page = await browser.newPage();
  const origins = new Set<string>();
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  await answerCalls(page);
  await page.goto(server.url);
  await page.getByRole('link', { name: 'Upload a file' }).first().click();
  await page.getByRole('heading', { name: 'Upload a file' }).waitFor();
  expect([...origins]).toEqual([new URL(server.url).origin]);
  await page.close();
});

/** As an operator. */
const openScreen: OpenScreen = async (address, more, prepare) => {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  const all = { ...answers, ...more };
  await page.route('**/api/v1/**', (route) => route.fulfill({ json: all[new URL(route.request().url()).pathname] }));
  await prepare?.(page);
  await page.goto(server.url + address);
  return page;
};

testImportPage(openScreen);
testTypedCodes(openScreen);
testScrollPlace(openScreen);
testLateAnswers(openScreen);
testSignIn(() => ({ browser, server }), answerTo);
