// The static files of the console: small, without inline code, and usable while no API answers.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccessibilityProblems } from './support/accessibility.ts';
import { launchBrowser } from './support/browser.ts';
import { buildConsole, serveConsole } from './support/static-console.ts';

const firstViewLimit = 450_000;
let browser: Browser;
let folder: string;
let server: Awaited<ReturnType<typeof serveConsole>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  await buildConsole(folder);
  [browser, server] = await Promise.all([launchBrowser(), serveConsole(folder)]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the first screen asks for. */
const answers: Readonly<Record<string, unknown>> = {
  '/api/v1/me': { id: 'anna', name: 'anna@example.com', roles: ['operator'] },
  '/api/v1/environment': {
    ...{ name: 'production', kind: 'production', colour: '#4b1d8f', account: 1001, simulated: false },
    ...{ zone: 'Europe/London', callingCode: '44', needsSecondPerson: true, maxFileBytes: 1e9, maxRowsPerRequest: 100 },
  },
  '/api/v1/events': { imports: [], actionRequired: 0 },
  '/api/v1/imports': { imports: [], nextCursor: null },
};

const answerCalls = (page: Page) =>
  page.route('**/api/v1/**', (route) => route.fulfill({ json: answers[new URL(route.request().url()).pathname] }));

test('the first view needs at most 450 KB compressed, and nothing of it breaks the Content-Security-Policy', async () => {
  const page = await browser.newPage();
  const violations: string[] = [];
  const sizes = new Map<string, number>();
  page.on('console', (message) => message.type() === 'error' && violations.push(message.text()));
  page.on('response', async (response) => {
    if (response.url().includes('/api/')) return;
    sizes.set(response.url(), gzipSync(await response.body()).length);
  });
  await answerCalls(page);

  await page.goto(server.url);
  await page.getByRole('heading', { name: 'Upload the first file' }).waitFor();
  await page.waitForLoadState('networkidle');

  expect(violations).toEqual([]);
  expect([...sizes.keys()].some((url) => url.endsWith('.woff2'))).toBe(true);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
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
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await context.close();
  },
);

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
