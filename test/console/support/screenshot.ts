// Pictures of the screens for people, in docs/console: taken only with SCREENSHOTS=docs, because no test compares them.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const repository = join(import.meta.dirname, '..', '..', '..');
const isForDocs = process.env.SCREENSHOTS === 'docs';
const folder = join(repository, 'docs', 'console');

export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (!isForDocs) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}

/** In dark colours or on a phone: smaller than a PNG. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!isForDocs) return;
  await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 70, animations: 'disabled' });
}
