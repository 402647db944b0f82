// What a screen shows while an answer is awaited, and when it does not come.
import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { addressOfImport, answersAboutImport } from '../support/mock-import.ts';
import type { OpenScreen } from './import-page.ts';

const failure = {
  status: 400,
  contentType: 'application/problem+json',
  json: { status: 400, code: 'invalid-request', title: 'Invalid', detail: 'This time it failed.', errors: [] },
};

/** Answers calls of this address with a failure, the first of them once it is released. */
async function failLate(page: Page, address: RegExp) {
  const released = Promise.withResolvers<void>();
  await page.route(address, async (route: Route) => {
    await released.promise;
    await route.fulfill(failure);
  });
  return { release: released.resolve, answer: () => page.unroute(address) };
}

const choose = async (page: Page, list: RegExp | string, option: string) => {
  await page.getByRole('button', { name: list }).click();
  await page.getByRole('option', { name: option }).click();
};

export function testLateAnswers(openScreen: OpenScreen): void {
  describe('while an answer is awaited', () => {
    test('a report has no figures of the column that was chosen before, and stays when the call fails', async () => {
      const groups = (name: string) => [{ name, rows: 1, outcomes: { complete: 1 } }];
      const report = {
        rows: 1,
        outcomes: { complete: 1 },
        columns: ['Depot', 'Team'],
        asOf: '2026-07-06T09:00:00.000Z',
      };
      const about = { importId: '0123456789abcdef', file: 'july.csv', byNetwork: [], byDay: [], byColumn: [] };
      const page = await openScreen(`${addressOfImport}/report`, answersAboutImport(), (opened) =>
        opened.route(/\/v1\/reports\//, (route) => {
          const by = new URL(route.request().url()).searchParams.get('by');
          const byColumn = by === null ? [] : groups(`First of ${by}`);
          return route.fulfill({ json: { ...about, ...report, byColumn } });
        }),
      );
      await choose(page, /column of the file/, 'Depot');
      await page.getByText('First of Depot').waitFor();
      expect(await page.locator('.figure').innerText()).toBe('1 of 1 number ported');
      const late = await failLate(page, /\/reports\/.*by=Team/);
      await choose(page, /column of the file/, 'Team');
      await page.getByRole('status').getByText('Loading').waitFor();
      expect(await page.getByText('First of Depot').count()).toBe(0);
      late.release();
      await page.getByText('This time it failed.').waitFor();
      await page.getByRole('heading', { level: 1, name: 'Report' }).waitFor();
      await late.answer();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('First of Team').waitFor();
      await page.close();
    });

    test('the report of a period has no sums and no file of the time that was chosen before', async () => {
      const [item] = Object.values(answersAboutImport({ state: 'finished', outcomes: { complete: 1 } }));
      const page = await openScreen('#/report', { '/api/v1/imports': { imports: [item], nextCursor: null } });
      const csv = page.getByRole('button', { name: 'CSV' });
      const sums = page.getByRole('heading', { name: 'By operation' });
      await sums.waitFor();
      expect(await csv.isEnabled()).toBe(true);
      const late = await failLate(page, /\/imports\?/);
      await choose(page, 'Received', 'In the last 7 days');
      await page.getByRole('status').getByText('Loading').waitFor();
      expect([await sums.count(), await csv.isEnabled()]).toEqual([0, false]);
      late.release();
      await page.getByText('This time it failed.').waitFor();
      await late.answer();
      await page.getByRole('button', { name: 'Try again' }).click();
      await sums.waitFor();
      await page.getByRole('link', { name: 'Imports' }).last().click();
      await sums.waitFor({ state: 'detached' });
      await page.goBack();
      await sums.waitFor();
      await page.getByRole('button', { name: 'Received' }).getByText('In the last 7 days').waitFor();
      await page.close();
    });
  });

  describe('a next page that cannot be read', () => {
    const isNext = /[?&]cursor=/;

    test('is named at the end of the list of imports, and read again when a person asks for it', async () => {
      const [item] = Object.values(answersAboutImport({ state: 'finished', outcomes: { complete: 1 } }));
      const page = await openScreen('#/', { '/api/v1/imports': { imports: [item], nextCursor: 'next' } }, (opened) =>
        opened.route(isNext, (route) => route.fulfill(failure)),
      );
      await page.getByText('Older imports cannot be shown').waitFor();
      await page.getByText('This time it failed.').waitFor();
      await page.unroute(isNext);
      await page.route(isNext, (route) => route.fulfill({ json: { imports: [], nextCursor: null } }));
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Older imports cannot be shown').waitFor({ state: 'detached' });
      expect(await page.getByRole('article').count()).toBe(1);
      await page.close();
    });

    const noPort = { reading: '', readAt: null, isComplete: true, ports: [], nextCursor: 'next' };
    const noRow = { rows: [], searched: 50, withoutResults: 0, since: '2026-06-09T09:00:00.000Z', nextCursor: 'next' };
    test.each([
      ['ports', '#/ports', 'Show more ports', { '/api/v1/ports': noPort }],
      ['requests', `${addressOfImport}/requests`, 'Show more requests', answersAboutImport({ state: 'in-progress' })],
      ['rows', '#/numbers/SIM%20of%20Anna', 'Search older imports', { '/api/v1/rows': noRow }],
    ])('is named beside the button below a table of %s', async (_what, address, button, answers) => {
      const page = await openScreen(address, answers, async (opened) => {
        await opened.route(/\/v1\/numbers\//, (route) => route.fulfill(failure));
        await opened.route(isNext, (route) => route.fulfill(failure));
      });
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('alert').getByText('This time it failed.').waitFor();
      await page.unroute(isNext);
      await page.getByRole('button', { name: button }).click();
      await page.getByText('This time it failed.').waitFor({ state: 'detached' });
      await page.close();
    });
  });
}
