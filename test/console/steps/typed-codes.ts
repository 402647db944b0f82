// New PACs that a person types under "Action required", which are kept until they are sent.
import { describe, expect, test } from 'vitest';
import { answersAboutImport } from '../support/mock-import.ts';
import type { OpenScreen } from './import-page.ts';

const importId = '0123456789abcdef';
const numbers = ['447700900123', '33612345678'];

const action = {
  kind: 'port',
  id: '0d2a9c1e-7b1f-4a55-9c0e-3a2b1c4d5e6f',
  importId,
  file: 'july.csv',
  status: 'Pac Check Failed',
  rows: numbers.length,
  blockedRows: 0,
  summary: '2 rows with an invalid PAC',
  cancelBy: null,
  numbers: numbers.map((msisdn, index) => ({ line: index + 2, msisdn, status: 'PacInvalid', message: null })),
  whatToDo: 'Get a new PAC',
  solution: 'enter-pacs',
};

export function testTypedCodes(openScreen: OpenScreen): void {
  describe('a new PAC that is typed', () => {
    const open = () =>
      openScreen('#/actions', {
        ...answersAboutImport(),
        '/api/v1/me': { id: 'anna', name: 'anna@example.com', roles: ['uploader', 'approver', 'operator'] },
        '/api/v1/actions': { actions: [action], isIncomplete: false },
      });
    /** Whether the browser asks before it leaves the page. */
    const isWarned = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))";

    test('may have the separators that a file may have, and be a RIO with a plus', async () => {
      const page = await open();
      await page.getByLabel('New PAC of').first().fill('abc 123-456');
      await page.getByLabel('New PAC of').last().fill('02P1A2B3C+4D');
      await page.getByRole('button', { name: 'Send 2 new PACs', disabled: false }).waitFor();
      await page.getByLabel('New PAC of').last().fill('02P1A2B3C=4D');
      await page.getByText('A PAC has letters and digits').waitFor();
      await page.close();
    });

    test('is there after another screen was open, in no storage, and the browser asks before it is lost', async () => {
      const page = await open();
      const first = page.getByLabel('New PAC of').first();
      await first.waitFor();
      expect(await page.evaluate(isWarned)).toBe(false);
      await first.fill('QZX654321');
      await page.getByRole('button', { name: 'Send 1 new PAC' }).waitFor();
      expect(await page.evaluate(isWarned)).toBe(true);
      await page.getByRole('link', { name: 'Show the import' }).click();
      await page.getByRole('heading', { level: 1, name: 'july.csv' }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Send 1 new PAC' }).waitFor();
      expect(await first.inputValue()).toBe('QZX654321');
      expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toMatch(
        /QZX/,
      );
      await page.close();
    });
  });
}
