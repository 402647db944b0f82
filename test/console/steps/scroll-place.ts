// Back leads to the place of a list that a person left.
import { expect, test } from 'vitest';
import { answersAboutImport, entriesBefore } from '../support/mock-import.ts';
import type { OpenScreen } from './import-page.ts';

export function testScrollPlace(openScreen: OpenScreen): void {
  test('Back returns to the place in the list, and a link to its top', async () => {
    const page = await openScreen('#/', {
      ...answersAboutImport(),
      '/api/v1/imports': { imports: entriesBefore(30), nextCursor: null },
    });
    const place = () => page.evaluate<number>('scrollY');
    const opened = page.getByRole('heading', { level: 1, name: 'july.csv' });
    await page.getByRole('link', { name: 'july.csv' }).click();
    await opened.waitFor();
    await expect.poll(place).toBe(0);
    await page.goBack();
    await expect.poll(place).toBeGreaterThan(500);
    await page.goForward();
    await opened.waitFor();
    await page.getByRole('link', { name: 'Imports' }).first().click();
    await page.getByRole('link', { name: 'july.csv' }).waitFor();
    await expect.poll(place).toBe(0);
    await page.close();
  });
}
