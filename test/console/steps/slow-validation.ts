// A changed row while the API takes long to validate it.
import type { Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createPortCells, createPortHeader } from '../../support/ingest/create-port-cells.ts';
import type { ConsoleSession } from '../support/console-session.ts';
import { apiOf, planFile } from '../support/import-by-api.ts';

/** Longer than the page waits for the next change, several times. */
const answerMs = 5_000;
const targets = ['UK Mobile A', 'UK Mobil A'];

export function testSlowValidation(session: ConsoleSession): void {
  describe('an answer that takes long', () => {
    test('is waited for: the row is validated by one call', async () => {
      const rows = targets.map((targetNetwork, index) =>
        createPortCells(700 + index, { pac: `ABC${107_000 + index}`, targetNetwork }),
      );
      const file = { operation: 'create-port', fileName: 'slow.csv', rows: [createPortHeader, ...rows] };
      const importId = await planFile(apiOf(session.started), file);
      const page = await session.openPage({
        at: `/imports/${importId}/review`,
        prepare: (opened) => opened.clock.install(),
      });
      const calls: Route[] = [];
      await page.route('**/validate', (route) => void calls.push(route));
      await page.getByRole('grid').getByRole('gridcell', { name: 'UK Mobil A' }).dblclick();
      await page.getByLabel('New value of').fill('UK Mobile A');
      await page.keyboard.press('Enter');
      await expect.poll(() => calls.length).toBe(1);
      await page.clock.runFor(answerMs);
      await calls[0]?.continue();
      await page.getByText('1 of 1 number fixed').waitFor();
      expect(calls).toHaveLength(1);
      await page.close();
    });
  });
}
