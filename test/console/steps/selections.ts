// A file in progress: invalid cells are fixed by a pasted column, a request is moved to another day, and numbers are
// cancelled. The history shows each of it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPortCells, createPortHeader } from '../../support/ingest/create-port-cells.ts';
import { numberAt } from '../../support/ingest/valid-rows.ts';
import type { ConsoleSession } from '../support/console-session.ts';
import { type ApiCall, apiOf, approvePlan, planFile } from '../support/import-by-api.ts';

const slow = { timeout: 90_000 };
const poll = { timeout: 90_000, interval: 500 };
const fileName = 'spring.csv';
/** Two requests of four numbers, and three rows with another mistake each. */
const tariffs = ['2001', '2001', '2001', '2001', '2002', '2002', '2002', '2002', '20O1', '2OO1', 'two'];
export const firstSelectedNumber = 300;
const lineOf = (index: number): number => index + 2;

/** Wednesdays from ten days later on, without those that can be a holiday: networks take no date far ahead. */
function wednesdays(now: string): string[] {
  const dayMs = 86_400_000;
  const first = Date.parse(now) + 10 * dayMs;
  return Array.from({ length: 28 }, (_, index) => new Date(first + index * dayMs))
    .filter((day) => day.getUTCDay() === 3)
    .map((day) => day.toISOString().slice(0, 10))
    .filter((day) => !/-(12-2[56]|01-01)$/.test(day));
}

export function testSelections(session: ConsoleSession): void {
  describe('a file in progress', () => {
    let call: ApiCall;
    let importId: string;
    let date = '';
    let newDate = '';
    const rowsBy = async (outcome: string) =>
      (await call('GET', `/imports/${importId}/rows?outcome=${outcome}`)).rows.map(
        ({ line }: { line: number }) => line,
      );

    beforeAll(async () => {
      call = apiOf(session.started);
      // A day a minute: the network answers within an hour, and the ports must still be in progress at the end.
      await call('POST', '/simulator/calendar', { speed: 1_440 });
      [date = '', newDate = ''] = wednesdays((await call('GET', '/simulator/calendar')).now);
      const record = (tariff: string, index: number) =>
        createPortCells(firstSelectedNumber + index, { pac: `ABC${104_000 + index}`, connectionDate: date, tariff });
      const rows = [createPortHeader, ...tariffs.map(record)];
      importId = await planFile(call, { operation: 'create-port', fileName, rows });
    });
    // What follows awaits no ports.
    afterAll(() => call('POST', '/simulator/calendar', { speed: 1 }));

    test('a column that was copied from a spreadsheet is pasted into the grid, and is one action to undo', async () => {
      const { page, context } = session;
      await session.goTo(`/imports/${importId}/review`);
      const grid = page.getByRole('grid');
      await grid.getByRole('gridcell', { name: '20O1' }).click();
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      // As Excel copies cells: quoted where a cell has a line break.
      const copied = '2001\r\n"2001\n"\r\n2001\r\n2001\r\nlast\r\n';
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(copied)})`);
      await page.keyboard.press('Control+V');
      await page.getByText('3 of 3 numbers fixed').waitFor(slow);
      await page.getByText('2 pasted values left out: the grid has no cell for them').first().waitFor();
      await page.keyboard.press('Control+Z');
      await page.getByText('0 of 3 numbers fixed').waitFor();
      await page.keyboard.press('Control+Y');
      await page.getByText('3 of 3 numbers fixed').waitFor();
      await page.getByRole('button', { name: 'Check 3 fixed numbers with the whole file' }).click();
      await page.getByRole('link', { name: 'Show the import' }).click(slow);
      await page.getByRole('button', { name: 'Approve 11 numbers' }).waitFor(slow);
    });

    test('a selected request is moved to another day, and the other stays', async () => {
      const { page } = session;
      await approvePlan(call, importId);
      // While PACs are checked, a port cannot be cancelled.
      const isSubmitted = ({ portStatus }: { portStatus: string | null }) => portStatus === 'Submitted';
      const requestsNow = async () => (await call('GET', `/imports/${importId}/requests`)).requests;
      await expect.poll(async () => (await requestsNow()).filter(isSubmitted).length, poll).toBe(2);
      await session.goTo(`/imports/${importId}/requests`);
      await page.getByRole('checkbox', { name: 'Select request 1' }).click();
      await page.getByRole('button', { name: 'Reschedule 1 request' }).click();
      const dialog = page.getByRole('dialog', { name: 'Move 1 port to another date' });
      await dialog.getByRole('radio', { name: 'A day that I choose' }).click();
      const date = dialog.getByRole('textbox', { name: 'Date' });
      await date.pressSequentially(newDate.replaceAll('-', ''));
      await session.inspect('reschedule');
      await dialog.getByRole('button', { name: 'Reschedule', exact: true }).click();
      await page.waitForURL((url) => url.hash.startsWith('#/imports/') && !url.hash.includes(importId));
      const movedId = new URL(page.url()).hash.split('/')[2];
      const movedTo = async () => (await call('GET', `/imports/${movedId}`).catch(() => ({}))).expectedDate;
      await expect.poll(movedTo, poll).toBe(newDate);
      const [first, second] = await requestsNow();
      await expect.poll(async () => (await call('GET', `/ports/${first.portId}`)).status, poll).toMatch(/cancel/i);
      expect((await call('GET', `/ports/${second.portId}`)).status).not.toMatch(/cancel/i);
      await page.getByText('of 7 numbers').first().waitFor(slow);
      await page.getByRole('link', { name: `Part of ${fileName}` }).waitFor(slow);
    });

    test('where no port can be moved, the page names why, and leads to the ports', async () => {
      const { page } = session;
      // They are booked for this day already.
      const moved = await call('POST', `/imports/${importId}/reschedule`, { date, requests: [2] });
      await session.goTo(`/imports/${moved.importId}`);
      await page.getByText('No port was moved: nothing was sent').waitFor(slow);
      await page.getByText(/^Request 2, port .*: The port is already booked for/).waitFor();
      await page.getByRole('link', { name: 'Choose ports again' }).click();
      await page.getByRole('checkbox', { name: 'Select request 2' }).waitFor(slow);
    });

    test('a search continues where an answer has no row, as in a large file, until it finds one', async () => {
      const { page } = session;
      const empty = { columns: [], rows: [], nextCursor: 'behind', asOf: new Date().toISOString() };
      await page.route(/\/rows\?.*text=/, (route) => {
        const url = new URL(route.request().url());
        if (url.searchParams.get('cursor') === null) return route.fulfill({ json: empty });
        url.searchParams.delete('cursor');
        return route.continue({ url: url.href });
      });
      await session.goTo(`/imports/${importId}/rows`);
      await page.getByRole('searchbox', { name: 'Find a number or a text' }).fill(numberAt(firstSelectedNumber + 7));
      await page.getByRole('row').filter({ hasText: '07700900307' }).waitFor(slow);
      await expect.poll(() => page.getByRole('row').count(), poll).toBe(2);
      await page.unrouteAll();
      await page.getByRole('searchbox', { name: 'Find a number or a text' }).fill('');
    });

    test('selected numbers are cancelled once their plan is approved, and the others stay', async () => {
      const { page } = session;
      await session.goTo(`/imports/${importId}/rows`);
      const lines = [lineOf(4), lineOf(5)];
      for (const line of lines) await page.getByRole('checkbox', { name: `Select line ${line}` }).click();
      await page.getByRole('button', { name: 'Cancel 2 numbers' }).click();
      await session.inspect('cancel');
      await page.getByRole('button', { name: 'Create the plan' }).click();
      await page.getByText('The cancellation of 2 numbers is planned.').waitFor(slow);
      await page.getByRole('button', { name: 'Approve 2 numbers' }).click(slow);
      await page.getByRole('button', { name: 'Approve and send' }).click();
      await expect.poll(() => rowsBy('cancelled'), poll).toEqual(expect.arrayContaining(lines));
      // The numbers of the request that was moved are in their new port.
      const others = (await rowsBy('in-progress')).filter((line: number) => line >= lineOf(4));
      expect(others).toEqual([6, 7, 8, 9, 10].map(lineOf));
      await session.goTo(`/imports/${importId}/rows`);
      await expect.poll(() => page.getByRole('row').filter({ hasText: 'Cancelled' }).count(), poll).toBe(2);
    });

    test('the history of the import has every action with its person', async () => {
      const { page } = session;
      await session.goTo(`/imports/${importId}/audit`);
      const entries = page.locator('.timeline > li');
      await entries.filter({ hasText: 'Cancellation planned' }).waitFor();
      const { name } = await call('GET', '/me');
      const shown = await entries.allTextContents();
      const kinds = ['Uploaded', 'File read again', 'Approved', 'Rescheduled', 'Cancellation planned'];
      expect(kinds.filter((kind) => !shown.some((text) => text.includes(kind) && text.includes(name)))).toEqual([]);
    });
  });
}
