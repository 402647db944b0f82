// Columns that are services and bolt-ons: what is asked about is chosen, and a wrong cell is fixed where it is.
import { describe, expect, test } from 'vitest';
import { createPortCells, createPortHeader } from '../../support/ingest/create-port-cells.ts';
import type { ConsoleSession } from '../support/console-session.ts';
import { apiOf, planFile } from '../support/import-by-api.ts';

const slow = { timeout: 90_000 };
const header = [...createPortHeader, 'Roaming', 'Premium Rate Calls', 'Bolt-ons', '', 'Customer MMS'];
const cells = [
  ['Y', 'Y', '101', '104', 'Y'],
  ['perhaps', 'N', '', '', 'N'],
];
export const firstOptionNumber = 340;

export function testOptionColumns(session: ConsoleSession): void {
  describe('columns that are services and bolt-ons', () => {
    test('are shown with what they are, and those that were asked about are chosen or kept', async () => {
      const { page } = session;
      const rows = cells.map((own, index) => [...createPortCells(firstOptionNumber + index), ...own]);
      const importId = await planFile(apiOf(session.started), {
        operation: 'create-port',
        fileName: 'options.csv',
        settings: { tolerate: 60 },
        rows: [header, ...rows],
      });
      await session.goTo(`/imports/${importId}/columns`);
      const columnOf = (name: string) => page.getByRole('button', { name: `Column ${name}` });
      await columnOf('Roaming').waitFor(slow);
      for (const [name, choice] of [
        ['Roaming', 'Only Roaming'],
        ['Premium Rate Calls', 'Only Premium Rate Calls: yes blocks it'],
        ['column M', 'Bolt-ons'],
      ] as const) {
        await columnOf(name).click();
        await page.getByRole('option', { name: choice }).first().click();
        await page.getByRole('option').first().waitFor({ state: 'detached' });
      }
      expect(await columnOf('Customer MMS').textContent()).toContain('My own column');
      expect(await columnOf('Bolt-ons').textContent()).toContain('Bolt-ons');
      await page.getByRole('button', { name: 'Check the numbers' }).click();
      await page.getByRole('button', { name: 'Approve 1 number' }).waitFor(slow);
    });

    test('a cell that is neither yes nor no is fixed in the grid', async () => {
      const { page } = session;
      await page.getByRole('link', { name: 'Review and fix' }).click();
      const cell = page.getByRole('grid').getByRole('gridcell', { name: 'perhaps' });
      await cell.waitFor(slow);
      expect(await cell.getAttribute('aria-invalid')).toBe('true');
      await cell.click();
      await page.keyboard.type('N');
      await page.keyboard.press('Enter');
      await page.getByText('1 of 1 number fixed').waitFor(slow);
      await page.getByRole('button', { name: 'Check 1 fixed number with the whole file' }).click();
      await page.getByRole('link', { name: 'Show the import' }).click(slow);
      await page.getByRole('button', { name: 'Approve 2 numbers' }).waitFor(slow);
      const importId = /imports\/(\w+)/.exec(page.url())?.[1];
      const { groups } = await apiOf(session.started)('GET', `/imports/${importId}/problems`);
      expect(groups.filter(({ severity }: { severity: string }) => severity === 'error')).toEqual([]);
    });
  });
}
