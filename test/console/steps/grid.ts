// The grid of invalid rows as a spreadsheet, in a real browser: ranges, copy, fill down, find and replace, sort,
// filters, and columns that the file lacks.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPortCells, createPortHeader } from '../../support/ingest/create-port-cells.ts';
import type { ConsoleSession } from '../support/console-session.ts';
import { apiOf, planFile } from '../support/import-by-api.ts';

export function testGrid(session: ConsoleSession): void {
  describe('the grid of invalid rows', () => {
    const slow = { timeout: 90_000 };
    const wrong = ['UK Mobil A', 'UK Mobil A', 'UK Mobil B', 'UK Mobil B'];
    const header = createPortHeader.map((name) => (name === 'sourceNetwork' ? 'Losing operator' : name));
    let page: Page;
    let importId: string;

    const cellAt = (row: number, column: number) =>
      page
        .getByRole('grid')
        .getByRole('row')
        .nth(row + 1)
        .getByRole('gridcell')
        .nth(column);
    const textsOf = (column: number) => page.getByRole('grid').locator(`[data-place$="/${column}"]`).allTextContents();
    const selected = () =>
      page.locator('[aria-selected=true]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-place')));
    const place = (name: string) => createPortHeader.indexOf(name);
    const target = place('targetNetwork');

    beforeAll(async () => {
      page = session.page;
      await page.setViewportSize({ width: 1366, height: 768 });
      // The file has no column provisioningOrder, which every SIM needs.
      const without = (cells: readonly string[]) =>
        cells.filter((_cell, index) => index !== place('provisioningOrder'));
      const records = wrong.map((targetNetwork, index) =>
        createPortCells(430 + index, { pac: `ABC10${index}430`, targetNetwork }),
      );
      const named = header.map((name) => (name === 'Losing operator' ? 'losing network' : name));
      const rows = [named, ...records].map(without);
      const file = { operation: 'create-port', fileName: 'grid.csv', rows };
      importId = await planFile(apiOf(session.started), file);
      await session.goTo(`/imports/${importId}/review`);
      await page.getByRole('grid').waitFor(slow);
    });

    test('the grid is in the first window, with plain labels, the header of the file and the columns that it lacks', async () => {
      const box = await page.getByRole('grid').boundingBox();
      expect(box?.y).toBeLessThan(500);
      const names = await page.getByRole('columnheader').allTextContents();
      expect(names.slice(0, 3)).toEqual(['Line', 'Number msisdn', 'SIM serial serialNo']);
      expect(names).toContain('Losing network losing network');
      expect(names).toContain('Provisioning order Not in the file');
      await session.inspect('review-grid');
    });

    test('a range is selected with the mouse, filled down with a key, and is one action to undo', async () => {
      await cellAt(0, target).dblclick();
      await page.getByLabel('New value of').fill('UK Mobile A');
      await page.keyboard.press('Enter');
      await cellAt(0, target).hover();
      await page.mouse.down();
      await cellAt(2, target).hover();
      await page.mouse.up();
      expect(await page.locator('[aria-selected=true]').count()).toBe(3);
      await page.keyboard.press('Control+D');
      expect(await textsOf(target)).toEqual(['UK Mobile A', 'UK Mobile A', 'UK Mobile A', 'UK Mobil B']);
      await page.keyboard.press('Control+Z');
      expect(await textsOf(target)).toEqual(['UK Mobile A', ...wrong.slice(1)]);
    });

    test('a range is selected with the keys and copied as a spreadsheet takes it, without PACs', async () => {
      await session.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await cellAt(0, place('pac')).click();
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('Control+C');
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied.replaceAll('\r', '')).toBe('\tPort\n\tPort');
    });

    test('find and replace counts the cells before it applies', async () => {
      await page.getByRole('button', { name: 'Find and replace' }).click();
      await page.getByLabel('Find', { exact: true }).fill('mobil b');
      await page.getByLabel('Replace with').fill('Mobile A');
      await session.inspect('review-replace');
      await page.getByRole('button', { name: 'Replace in 2 cells' }).click();
      expect(await textsOf(target)).toEqual(['UK Mobile A', 'UK Mobil A', 'UK Mobile A', 'UK Mobile A']);
    });

    test('rows are filtered by a column, and sorted by its header', async () => {
      await page.getByRole('button', { name: 'Filter columns' }).click();
      await page.getByRole('searchbox', { name: 'Filter by Gaining network' }).fill('mobile');
      await page.getByText('3 of 4 numbers shown').waitFor();
      await page.getByRole('searchbox', { name: 'Filter by Gaining network' }).fill('');
      const number = page.getByRole('columnheader', { name: /^Number/ }).getByRole('button');
      await number.click();
      await number.click();
      expect((await textsOf(0)).map((text) => Number(text.slice(-3)))).toEqual([433, 432, 431, 430]);
    });

    test('a column that the file lacks is filled in, and the file is read again with the fixed rows', async () => {
      const names = await page.getByRole('columnheader').allTextContents();
      const order = names.findIndex((name) => name.startsWith('Provisioning order')) - 1;
      await cellAt(0, order).dblclick();
      await page.getByLabel('New value of').fill('5001');
      await page.keyboard.press('Enter');
      await page.keyboard.press('ArrowUp');
      for (let row = 0; row < 3; row += 1) await page.keyboard.press('Shift+ArrowDown');
      await expect.poll(selected).toEqual([0, 1, 2, 3].map((row) => `${row}/${order}`));
      await page.keyboard.press('Control+D');
      expect(await textsOf(order)).toEqual(['5001', '5001', '5001', '5001']);
      await page.getByText('3 of 4 numbers fixed').waitFor(slow);
      await page.getByRole('button', { name: 'Check 3 fixed numbers with the whole file' }).click();
      await page.getByText('0 of 1 number fixed').waitFor(slow);
      await session.goTo(`/imports/${importId}`);
      await page.getByRole('button', { name: 'Approve 3 numbers' }).waitFor(slow);
      expect(session.problems).toEqual([]);
    });
  });
}
