// A draft is changed in place: settings, fixed cells and rows left out replace its plan, and somebody else's change is
// said. What was fixed later belongs to the file, too.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPortCells, createPortHeader } from '../../support/ingest/create-port-cells.ts';
import type { ConsoleSession } from '../support/console-session.ts';
import { type ApiCall, apiOf, approvePlan, planFile } from '../support/import-by-api.ts';

const slow = { timeout: 90_000 };
const poll = { timeout: 90_000, interval: 500 };
const place = (name: string) => createPortHeader.indexOf(name);
/** Numbers that no other file of the tests has. */
const firstNumber = 850;

export function testDrafts(session: ConsoleSession): void {
  describe('a draft', () => {
    let page: Page;
    let call: ApiCall;
    let next = firstNumber;
    const rowsOf = (...changes: NonNullable<Parameters<typeof createPortCells>[1]>[]) =>
      changes.map((change) => {
        next += 1;
        return createPortCells(next, { pac: `ABC${108_000 + next}`, ...change });
      });
    const plan = (fileName: string, rows: readonly (readonly string[])[]) =>
      planFile(call, { operation: 'create-port', fileName, rows: [createPortHeader, ...rows] });
    const wrong = { targetNetwork: 'UK Mobil A' };
    const edit = async (row: number, column: string, text: string) => {
      await page.getByRole('grid').getByRole('row').nth(row).getByRole('gridcell').nth(place(column)).dblclick();
      await page.getByLabel('New value of').fill(text);
      await page.keyboard.press('Enter');
    };
    const summaryOf = async (importId: string) => call('GET', `/imports/${importId}`);

    beforeAll(() => {
      page = session.page;
      call = apiOf(session.started);
    });

    test('is checked with its fixed rows, and a number that another row has stays to be fixed', async () => {
      const rows = rowsOf({}, wrong, wrong);
      const importId = await plan('checked.csv', rows);
      await session.goTo(`/imports/${importId}/review`);
      await page.getByRole('grid').waitFor(slow);
      for (const row of [1, 2]) await edit(row, 'targetNetwork', 'UK Mobile A');
      await edit(2, 'msisdn', rows[0]?.[place('msisdn')] ?? '');
      await page.getByRole('button', { name: 'Check 2 fixed numbers with the whole file' }).click(slow);
      await page.getByText('The file was read again with 2 fixed numbers').first().waitFor(slow);
      await page.getByText('0 of 1 number fixed').waitFor(slow);
      await page
        .getByText(/is already on line 2/)
        .first()
        .waitFor();
      await session.inspect('review-checked');
      await edit(1, 'msisdn', '07700 900899');
      await page.getByRole('button', { name: 'Check 1 fixed number with the whole file' }).click(slow);
      await page.getByText('There is nothing to fix').waitFor(slow);
      expect(await summaryOf(importId)).toMatchObject({ reading: 3, accepted: 3, rejected: 0 });
      await expect.poll(async () => (await call('GET', `/imports/${importId}/drafts`)).drafts, poll).toEqual([]);
      await page.getByRole('link', { name: 'Show the import' }).click();
      await page.getByRole('button', { name: 'Approve 3 numbers' }).waitFor(slow);
    });

    test('is sent without the rows that were left out, valid and invalid ones, until they are put back', async () => {
      const importId = await plan('left-out.csv', rowsOf({}, {}, wrong));
      await session.goTo(`/imports/${importId}/rows`);
      for (const line of [2, 4]) await page.getByRole('checkbox', { name: `Select line ${line}` }).click(slow);
      await session.inspect('leave-out');
      await page.getByRole('button', { name: 'Leave out 2 numbers' }).click();
      await expect.poll(async () => (await summaryOf(importId)).outcomes, poll).toEqual({ waiting: 1, 'not-sent': 2 });
      await page.getByRole('row').filter({ hasText: 'The row was left out' }).nth(1).waitFor(slow);
      await page.getByRole('checkbox', { name: 'Select line 2' }).click(slow);
      await page.getByRole('button', { name: 'Put back 1 number' }).click();
      await expect.poll(async () => (await summaryOf(importId)).outcomes, poll).toEqual({ waiting: 2, 'not-sent': 1 });
      await page.getByRole('tab', { name: 'Plan' }).click(slow);
      await page.getByRole('button', { name: 'Approve 2 numbers' }).waitFor(slow);
    });

    test('shows every number of its plan, and leaves out one that was searched', async () => {
      const rows = rowsOf({}, {}, wrong);
      const importId = await plan('plan-numbers.csv', rows);
      await session.goTo(`/imports/${importId}/plan`);
      const numbers = page.getByRole('table', { name: 'Numbers in the plan' });
      await numbers.getByRole('row').filter({ hasText: 'Port to ' }).nth(1).waitFor(slow);
      await session.inspect('plan-numbers');
      const number = rows[1]?.[place('msisdn')] ?? '';
      await page.getByLabel('Find a number, a SIM or your reference').fill(`+44 ${number.slice(-10)}`);
      await expect.poll(() => numbers.getByRole('row').filter({ hasText: 'Port to ' }).count(), poll).toBe(1);
      await page.getByRole('checkbox', { name: 'Select line 3' }).click(slow);
      await page.getByRole('button', { name: 'Leave out 1 number' }).click();
      await page.getByRole('button', { name: 'Approve 1 number' }).waitFor(slow);
      // The search stays: its number is in the plan no more.
      const search = page.getByLabel('Find a number, a SIM or your reference');
      await numbers.getByText('No number of the plan fits the search.').waitFor(slow);
      expect(await search.inputValue()).toBe(`+44 ${number.slice(-10)}`);
      await search.fill('');
      // The new plan has all other numbers.
      await numbers.getByRole('row').filter({ hasText: 'Port to ' }).waitFor(slow);
      expect(await numbers.getByText(rows[0]?.[place('msisdn')] ?? '').count()).toBe(1);
      expect(await summaryOf(importId)).toMatchObject({ reading: 2, accepted: 1, outcomes: { waiting: 1 } });
    });

    test('that somebody else has changed says so, and shows the new plan', async () => {
      const importId = await plan('both.csv', rowsOf({}, wrong, {}));
      await session.goTo(`/imports/${importId}/rows`);
      await page.getByRole('checkbox', { name: 'Select line 2' }).click(slow);
      // Their change comes before this page can know of it.
      await page.route(/\/readings$/, async (route) => {
        await call('POST', `/imports/${importId}/readings`, { reading: 1, leaveOut: [4] });
        await expect.poll(() => summaryOf(importId), poll).toMatchObject({ reading: 2, state: 'planned' });
        await route.continue();
      });
      await page.getByRole('button', { name: 'Leave out 1 number' }).click();
      await page.getByText('The plan was not changed: another person changed it').first().waitFor(slow);
      await page
        .getByText(/Read its new plan, then repeat your changes/)
        .first()
        .waitFor();
      await page.unrouteAll();
      await page.getByRole('row').filter({ hasText: 'The row was left out' }).waitFor(slow);
      expect(await summaryOf(importId)).toMatchObject({ reading: 2, accepted: 1 });
    });

    test('that is read with another header row says what was discarded, and stays the same import', async () => {
      const importId = await plan('header.csv', rowsOf({}, {}, {}));
      await call('POST', `/imports/${importId}/readings`, { reading: 1, leaveOut: [2] });
      await expect.poll(async () => (await summaryOf(importId)).state, poll).toBe('planned');
      await session.goTo(`/imports/${importId}/columns`);
      await page.getByText('The new plan replaces this one.').waitFor(slow);
      await page.getByRole('button', { name: 'Separator' }).click();
      await page.getByRole('option', { name: 'Comma' }).click();
      await page.getByRole('button', { name: 'Read the file again' }).click();
      await page.getByText('or left out, was discarded').first().waitFor(slow);
      await page.getByRole('button', { name: 'Approve 3 numbers' }).waitFor(slow);
      expect(page.url()).toContain(importId);
    });

    test('that was sent keeps its fixed rows marked, and is one entry with its history', async () => {
      const fileName = 'history.csv';
      const importId = await plan(fileName, rowsOf({}, wrong, wrong));
      await approvePlan(call, importId);
      await expect.poll(async () => (await summaryOf(importId)).canChangeRows, poll).toBe(false);
      await session.goTo(`/imports/${importId}/review`);
      await page.getByRole('grid').waitFor(slow);
      await edit(1, 'targetNetwork', 'UK Mobile A');
      await page.getByRole('button', { name: 'Send 1 fixed number' }).click(slow);
      await page.getByRole('button', { name: 'Approve 1 number' }).waitFor(slow);
      await page.getByRole('link', { name: `Part of ${fileName}` }).waitFor();
      await session.inspect('part');
      await session.goTo('/');
      const entry = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('article') })
        .filter({ hasText: 'history' });
      await entry.getByText('1 correction waits for approval').waitFor(slow);
      expect(await entry.count()).toBe(1);
      await session.inspect('imports-waiting');
      await entry.getByRole('link', { name: fileName }).click();
      await page.getByText('1 of 2 numbers that are invalid is fixed and waits for approval.').waitFor(slow);
      const history = page.getByRole('list').filter({ hasText: 'First plan' });
      await page.getByRole('cell', { name: 'No action needed: the row is fixed in a correction' }).waitFor(slow);
      await history.getByRole('link', { name: 'Correction' }).waitFor();
      await session.inspect('parts');
      await page.getByRole('link', { name: 'Review and fix' }).first().click();
      await page.getByText('1 of 2 numbers fixed, 1 of them in a correction').waitFor(slow);
      await session.inspect('review-sent');
      await session.goTo(`/imports/${importId}`);
      await history.getByRole('link', { name: 'Correction' }).click();
      await page.getByRole('link', { name: `Part of ${fileName}` }).click(slow);
      await page.getByText('(this page)').waitFor(slow);
    });
  });
}
