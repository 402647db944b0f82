// The page of an import says what is true of it, in any number.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { addressOfImport, answersAboutImport, answersAboutPlan } from '../support/mock-import.ts';

/** Opens a screen over these answers, by the path of the call. */
export type OpenScreen = (
  address: string,
  answers: Readonly<Record<string, unknown>>,
  prepare?: (page: Page) => Promise<unknown>,
) => Promise<Page>;

export function testImportPage(openScreen: OpenScreen): void {
  describe('the page of an import', () => {
    test.each([
      [['2026-11-30', '2026-12-03'], 'The day 30 Nov 2026 can no longer be booked'],
      [['2026-12-02', '2026-12-03'], 'The day 2 Dec 2026 can no longer be booked'],
      [
        ['2026-11-30', '2026-11-27', '2026-12-03'],
        '2 days of the plan can no longer be booked, the first of them 27 Nov 2026',
      ],
    ])('says before the approval which of %j can no longer be booked', async (days, warning) => {
      const answers = { ...answersAboutImport(), ...answersAboutPlan(days) };
      const page = await openScreen(addressOfImport, answers, (opened) =>
        opened.clock.setFixedTime('2026-12-02T08:00:00.000Z'),
      );
      await page.getByText(warning, { exact: true }).waitFor();
      await page.getByRole('button', { name: /^Approve/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(warning, { exact: true }).waitFor();
      await dialog.getByText(/the date "auto" are booked for the next possible day/).waitFor();
      await page.close();
    });

    test('has no warning while every day of the plan can be booked', async () => {
      const answers = { ...answersAboutImport(), ...answersAboutPlan(['2026-12-03']) };
      const page = await openScreen(addressOfImport, answers, (opened) =>
        opened.clock.setFixedTime('2026-12-02T23:00:00.000Z'),
      );
      await page.getByRole('button', { name: 'Approve 1 number' }).click();
      await page.getByRole('dialog').getByText('Send 1 number?').waitFor();
      expect(await page.getByText('can no longer be booked').count()).toBe(0);
      await page.close();
    });

    test('names the repeated rows beside the invalid ones while both can be fixed: Review shows both', async () => {
      const outcomes = { rejected: 10, duplicate: 3 };
      const draft = { rows: 20, accepted: 7, rejected: 13, outcomes, state: 'planned', canChangeRows: true };
      const page = await openScreen(addressOfImport, { ...answersAboutImport(draft), ...answersAboutPlan([]) });
      const alert = page.getByText('10 numbers are invalid and will not be sent.');
      await alert.waitFor();
      expect(await alert.innerText()).toContain('3 numbers repeat earlier rows and will not be sent.');
      await page.close();
    });

    test.each([
      ['Resume', 'End for good', 'rows', 'stopped'],
      ['Show all numbers', 'Cancel numbers', 'rows/1', 'in-progress'],
    ])('has a gap between "%s" and "%s"', async (first, second, tab, state) => {
      const page = await openScreen(`${addressOfImport}/${tab}`, answersAboutImport({ state }));
      const button = (name: string) =>
        page.getByText(name, { exact: true }).locator('xpath=ancestor::*[self::a or self::button]');
      const [left, right] = [await button(first).boundingBox(), await button(second).boundingBox()];
      expect((right?.x ?? 0) - (left?.x ?? 0) - (left?.width ?? 0)).toBeGreaterThanOrEqual(8);
      await page.close();
    });

    test.each([
      [{ rows: 1, accepted: 1 }, '1 of 1 number is valid'],
      [{ rows: 3, accepted: 1 }, '1 of 3 numbers is valid'],
      [{ rows: 1, state: 'finished', outcomes: { complete: 1 } }, '1 of 1 number ported Accounted for'],
      [{ rows: 1, state: 'finished', outcomes: { cancelled: 1 } }, '1 of 1 number is accounted for.'],
      [{ rows: 3, state: 'finished', outcomes: { cancelled: 3 } }, '3 of 3 numbers are accounted for.'],
    ])('of %j says "%s"', async (changes, text) => {
      const answers = { ...answersAboutImport(changes), ...answersAboutPlan([]) };
      const page = await openScreen(addressOfImport, answers);
      await page.locator('.figure').waitFor();
      expect((await page.locator('main').innerText()).replaceAll('\n', ' ')).toContain(text);
      await page.close();
    });
  });
}
