// 5,000 invalid rows in the grid: only the rows on the screen are in the page, and one change costs one call.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPortCells, createPortHeader } from '../../support/ingest/create-port-cells.ts';
import type { ConsoleSession } from '../support/console-session.ts';
import { apiOf, planFile } from '../support/import-by-api.ts';

const invalidRows = 5_000;
const invalid = '5,000';
/** Every row is invalid in the same way; the first one is valid, so that there is a plan. */
const record = (index: number): string[] =>
  createPortCells(1_000 + index, {
    pac: `ABC${200_000 + index}`,
    targetNetwork: index === 0 ? 'UK Mobile A' : 'UK Mobil A',
  });
const slow = { timeout: 90_000 };

export function testLargeGrid(session: ConsoleSession): void {
  describe('5,000 invalid rows', () => {
    let page: Page;
    const calls: string[] = [];
    const callsOf = (part: string) => calls.filter((url) => url.includes(part)).length;
    const rowsInPage = () => page.getByRole('grid').getByRole('row').count();

    beforeAll(async () => {
      const rows = [createPortHeader, ...Array.from({ length: invalidRows + 1 }, (_, index) => record(index))];
      const importId = await planFile(apiOf(session.started), {
        operation: 'create-port',
        fileName: 'large.csv',
        rows,
      });
      page = await session.openPage({
        at: `/imports/${importId}/review`,
        prepare: async (opened) => opened.on('request', (request) => calls.push(request.url())),
      });
    });

    test('are read once, 2,500 at a time, and the page holds the rows on the screen', async () => {
      await page.getByText(`All ${invalid} numbers`).waitFor(slow);
      expect(callsOf('/rows?')).toBe(invalidRows / 2_500);
      expect(await rowsInPage()).toBeLessThan(60);
    });

    test('scroll to the last one without a call, and the page still holds the rows on the screen', async () => {
      const before = callsOf('/rows?');
      await page.getByRole('grid').getByRole('gridcell', { name: 'UK Mobil A' }).first().click();
      await page.keyboard.press('Control+End');
      await page.getByRole('rowheader', { name: new RegExp(`${invalidRows + 2}$`) }).waitFor();
      expect(await rowsInPage()).toBeLessThan(60);
      expect(callsOf('/rows?')).toBe(before);
    });

    test('are checked by few calls when all are fixed alike, also where the API asks to wait', async () => {
      const last = page.getByRole('grid').getByRole('gridcell', { name: 'UK Mobil A' }).last();
      await last.dblclick();
      await page.getByLabel('New value of').fill('UK Mobile A');
      await page.keyboard.press('Enter');
      await page.getByText(`1 of ${invalid} numbers fixed`).waitFor(slow);
      expect(callsOf('/validate')).toBe(1);
      const code = 'too-many-requests';
      const tooMany = { type: 'about:blank', code, status: 429, title: 'Too many requests', detail: 'Wait.' };
      await page.route('**/validate', (route) => route.fulfill({ status: 429, json: tooMany }), { times: 1 });
      await page.getByRole('button', { name: /^Fix all 4,999 alike/ }).click();
      await page.getByText(`${invalid} of ${invalid} numbers fixed`).waitFor(slow);
      expect(callsOf('/validate')).toBeLessThan(40);
      expect(await rowsInPage()).toBeLessThan(60);
    });

    test('are not read again because something else has changed, nor what the service offers', async () => {
      const lasting = () => ['/rows?', '/me', '/operations', '/reference-data'].map(callsOf);
      const before = { lasting: lasting(), imports: callsOf('/imports/') };
      const call = apiOf(session.started);
      await planFile(call, { operation: 'create-port', fileName: 'other.csv', rows: [createPortHeader, record(0)] });
      await expect.poll(() => callsOf('/imports/')).toBeGreaterThan(before.imports);
      expect(lasting()).toEqual(before.lasting);
      await page.getByText(`${invalid} of ${invalid} numbers fixed`).waitFor();
    });
  });
}
