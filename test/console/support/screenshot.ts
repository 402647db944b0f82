// Pictures of the screens for people, because no test compares them: with SCREENSHOTS=docs for docs/console, and with
// SCREENSHOTS=reports, of the whole page, for reports/console.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const repository = join(import.meta.dirname, '..', '..', '..');
const wanted = ['docs', 'reports'].find((name) => name === process.env.SCREENSHOTS);
const folder = join(repository, wanted ?? '', 'console');

export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (wanted === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', fullPage: wanted === 'reports' });
}

/** In dark colours or on a phone: smaller than a PNG. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (wanted === undefined) return;
  if (wanted === 'reports') return takeScreenshot(page, name);
  await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 70, animations: 'disabled' });
}
