// A number is found from any screen, in any notation, and an unknown or unreadable one is answered in words.
import { describe, test } from 'vitest';
import type { ConsoleSession } from '../support/console-session.ts';

/** @param found a number of an import, written 07700 900NNN */
export function testNumberSearch(session: ConsoleSession, found: string): void {
  describe('the search for a number', () => {
    const search = async (text: string) => {
      const box = session.page.getByRole('searchbox', { name: 'Find a number' });
      await box.fill(text);
      await box.press('Enter');
    };
    const national = found.replaceAll(' ', '');

    test.each([found, national, `+44${national.slice(1)}`, `44${national.slice(1)}`, `+44 (0)${found.slice(1)}`])(
      'finds %s',
      async (text) => {
        const { page } = session;
        await session.goTo('/actions');
        await search(text);
        await page.getByRole('heading', { level: 1, name: found }).waitFor();
        await page.getByRole('link', { name: 'Open', exact: true }).waitFor();
      },
    );

    test.each([
      ['07700 900999', /Check the number/, 'No import has sent 07700 900999'],
      ['12', /Enter at least 4 characters/, '12'],
      ['<img src=x>/..%2F', /No row has this number/, /^<img src=x>/],
    ])('answers %s in words', async (text, answer, heading) => {
      const { page } = session;
      await search(text);
      await page.getByRole('main').getByText(answer).last().waitFor();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    });
  });
}
