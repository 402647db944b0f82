// Pictures of the screens: for people in docs/console with SCREENSHOTS=docs, otherwise in reports/console.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const repository = join(import.meta.dirname, '..', '..', '..');
const isForDocs = process.env.SCREENSHOTS === 'docs';
const folder = join(repository, isForDocs ? 'docs' : 'reports', 'console');
const phone = { width: 390, height: 844 };

export async function takeScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}

/** The same screen in dark colours; for people only. */
export async function takeDarkPicture(page: Page, name: string): Promise<void> {
  if (isForDocs) await takePicture(page, `${name}-dark`);
}

/** The same screen on a phone; for people only. */
export async function takePhonePicture(page: Page, name: string): Promise<void> {
  const wide = page.viewportSize();
  if (!isForDocs || wide === null) return;
  await page.setViewportSize(phone);
  await takePicture(page, `${name}-phone`);
  await page.setViewportSize(wide);
}

/** Smaller than a PNG. */
const takePicture = (page: Page, name: string): Promise<Buffer> =>
  page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 70, animations: 'disabled' });
