// How a file is read is saved under its header: the next file with this header asks nothing, in another browser too.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { workbookFile } from '../../support/files/workbook-file.ts';
import { createPortCells, createPortHeader } from '../../support/ingest/create-port-cells.ts';
import { numberAt, simAt } from '../../support/ingest/valid-rows.ts';
import type { ConsoleSession } from '../support/console-session.ts';

export function testSavedSettings(session: ConsoleSession): void {
  describe('how a file is read', () => {
    const slow = { timeout: 90_000 };
    let page: Page;
    beforeAll(async () => {
      page = session.page;
      await page.getByRole('heading', { name: 'Upload the first file' }).waitFor(slow);
    });

    const columns = ['My phones', 'SIM no', 'PAC', 'Port type', 'Target', 'Source', 'Port date', 'Provisioning order'];
    const row = (index: number) => [
      numberAt(index),
      simAt(index),
      `ABC${103_000 + index}`,
      'Port',
      'UK Mobile A',
      'Source Mobile One',
      'auto',
      '5001',
    ];

    async function upload(tab: Page, name: string, index: number) {
      const text = `Numbers of July\n${columns.join(';')}\n${row(index).join(';')}\n`;
      await tab.goto(`${session.started.url}/#/upload`);
      await tab.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(text) });
      await tab.getByRole('button', { name: 'Upload and check' }).click();
    }

    /** The options of one list are gone before another list is opened. */
    async function choose(list: Locator, option: string) {
      await list.click();
      await page.getByRole('option', { name: option }).first().click();
      await page.getByRole('option').first().waitFor({ state: 'detached' });
    }

    test('a column with an unknown name is chosen, a missing one gets a value, and the choices are saved', async () => {
      await upload(page, 'Acme weekly.csv', 260);
      await page.getByText('My phones', { exact: true }).first().waitFor(slow);
      const missing = page.getByRole('row').filter({ hasText: 'Missing: choose the column below' });
      await missing.getByText('Tariff').waitFor();
      expect((await missing.getByRole('rowheader').allTextContents()).map((text) => text.trim())).toEqual([
        'Number',
        'Tariff',
      ]);
      expect(await missing.getByRole('cell').allInnerTexts()).not.toContainEqual(expect.stringMatching(/,? or\s*$/));
      expect(await page.locator('main').textContent()).not.toMatch(/--map|msisdn/);
      await choose(page.getByRole('button', { name: 'Column My phones' }), 'Number');
      await page.getByRole('button', { name: 'or enter one value for all rows: Tariff' }).click();
      await page.getByRole('combobox', { name: 'Tariff' }).fill('2001');
      await missing.first().waitFor({ state: 'detached' });
      await page.getByRole('heading', { name: 'Acme weekly.csv', level: 1 }).click();
      const name = page.getByRole('textbox', { name: 'Name of the saved settings' });
      expect(await name.inputValue()).toBe('Acme weekly');
      await session.inspect('columns');
      await page.getByRole('button', { name: 'Check the numbers' }).click();
      await page.getByRole('button', { name: 'Approve 1 number' }).waitFor(slow);
    });

    test('in another browser, the next file with the header is planned at once and names the saved settings', async () => {
      const browser = session.context.browser();
      const context = await browser?.newContext();
      const colleague = await context?.newPage();
      if (colleague === undefined) throw new Error('there is no browser');
      await colleague.goto(session.started.address);
      await colleague.getByRole('link', { name: 'Acme weekly.csv' }).first().waitFor(slow);
      await upload(colleague, 'august.csv', 261);
      await colleague.getByRole('button', { name: 'Approve 1 number' }).waitFor(slow);
      await colleague.getByText(/Read as "Acme weekly", saved by .+ on /).waitFor();
      await colleague.getByRole('link', { name: 'Columns and formats' }).click();
      await colleague.getByText(/The choices below are those of "Acme weekly", saved by /).waitFor(slow);
      expect(await colleague.getByRole('button', { name: 'Column My phones' }).textContent()).toContain('Number');
      await context?.close();
    });

    test('saved settings are listed with their choices, renamed and deleted', async () => {
      await page.goto(`${session.started.url}/#/upload`);
      await page.getByRole('link', { name: 'Saved settings' }).click();
      const shown = page.getByRole('row').filter({ hasText: 'Acme weekly' });
      await shown.getByText('"My phones": Number').waitFor(slow);
      await shown.getByText('Tariff "2001" for all rows').waitFor();
      await session.inspect('saved');
      await page.getByRole('button', { name: 'Rename "Acme weekly"' }).click();
      await page.getByRole('textbox', { name: 'New name' }).fill('Acme');
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('button', { name: 'Delete "Acme"' }).click(slow);
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No saved settings').waitFor(slow);
      await upload(page, 'september.csv', 262);
      await page.getByText('Which column is "Number"?').first().waitFor(slow);
    });

    test('two sheets with the same columns are chosen, and read as one file', async () => {
      const sheets = ['October', 'November'].map((name, index) => ({
        name,
        rows: [createPortHeader, createPortCells(263 + index)],
      }));
      await page.goto(`${session.started.url}/#/upload`);
      const mimeType = 'application/octet-stream';
      await page.setInputFiles('input[type=file]', { name: 'autumn.xlsx', mimeType, buffer: workbookFile(sheets) });
      await page.getByRole('button', { name: 'Upload and check' }).click();
      for (const sheet of ['October', 'November']) {
        await page.getByRole('checkbox', { name: `Sheet "${sheet}"` }).check(slow);
      }
      await page.getByRole('button', { name: 'Check the numbers' }).click(slow);
      await page.getByRole('button', { name: 'Approve 2 numbers' }).waitFor(slow);
    });
  });
}
