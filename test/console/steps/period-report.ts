// The report of all imports of a period, and its file.
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { ConsoleSession } from '../support/console-session.ts';

const slow = { timeout: 90_000 };

/**
 * From the list of imports, when there are a workbook, its correction and its new PACs.
 * @param ported the label of the bar of the workbook: rows of a correction are counted once, in what it corrects
 */
export async function checkPeriodReport({ page, inspect }: ConsoleSession, ported: string): Promise<void> {
  await page.getByRole('link', { name: 'Report of a period' }).click();
  await page.getByRole('heading', { name: 'By operation' }).waitFor(slow);
  await page.getByRole('img', { name: ported }).first().waitFor();
  await inspect('period');
  const download = page.waitForEvent('download', slow);
  await page.getByRole('button', { name: 'CSV' }).click();
  const saved = await readFile(await (await download).path(), 'utf8');
  // The header and the workbook, which the others are parts of.
  expect(saved.trimEnd().split('\r\n')).toHaveLength(1 + 1);
}
