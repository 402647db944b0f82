// Pictures of the screens: for people in docs/console with SCREENSHOTS=docs, otherwise in reports/console.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const repository = join(import.meta.dirname, '..', '..', '..');
const folder = join(repository, process.env.SCREENSHOTS === 'docs' ? 'docs' : 'reports', 'console');

export async function takeScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}
