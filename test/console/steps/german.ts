// The console in German: as the browser prefers, with numbers and dates, changed in the menu, on a narrow screen.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPortCells, createPortHeader } from '../../support/create-port-cells.ts';
import type { ConsoleSession } from '../support/console-session.ts';
import { apiOf, planFile } from '../support/import-by-api.ts';
import { takeScreenshot } from '../support/screenshot.ts';

const slow = { timeout: 90_000 };
const fileName = 'rufnummern.csv';

export function testGerman(session: ConsoleSession): void {
  describe('a browser that prefers German', () => {
    let context: BrowserContext;
    let page: Page;
    let person: string;
    let address: string;

    beforeAll(async () => {
      const call = apiOf(session.started);
      const invalid = createPortCells(391, { targetNetwork: 'UK Mobil A' });
      const rows = [createPortHeader, createPortCells(390), invalid];
      address = `/imports/${await planFile(call, { operation: 'create-port', fileName, rows })}`;
      person = (await call('GET', '/me')).name;
      context = await session.openContext({ locale: 'de-AT' });
      page = await session.openPage(context);
      // Then the page has read its token.
      await heading('Importe').waitFor(slow);
    });
    afterAll(() => context?.close());

    const goTo = (hash: string) => page.goto(`${session.started.url}/#${hash}`);
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
    const choose = async (language: string) => {
      await page.getByRole('button', { name: person }).click();
      await page.getByRole('menuitem', { name: language }).click();
    };

    test('shows texts, numbers and dates in German', async () => {
      await goTo(address);
      await page.getByRole('button', { name: '1 Rufnummer freigeben' }).waitFor(slow);
      await page.getByText('von 2 Rufnummern gültig').waitFor();
      await page.getByText('1 Rufnummer ist ungültig und wird nicht gesendet.').waitFor();
      await page.getByText(/^Rufnummern portieren · \d\d\.\d\d\.\d{4}, \d\d:\d\d von .* · \d+ Byte$/).waitFor();
      await page.getByRole('region', { name: 'Umgebung' }).getByRole('button', { name: 'Nächster Tag' }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      // A text of the components themselves.
      await page.getByRole('tab', { name: 'Rufnummern' }).click();
      await page.getByRole('button', { name: 'Nächste Seite' }).first().waitFor(slow);
      await takeScreenshot(page, 'german');
    });

    test('is changed in the menu without losing what was typed, and remembered', async () => {
      await goTo('/');
      await page.getByLabel('Datei oder Person').fill(fileName);
      await choose('English');
      await heading('Imports').waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      expect(await page.getByLabel('File or person').inputValue()).toBe(fileName);
      // The list may still show every import while the search of the page that was left is applied.
      const found = page.getByRole('listitem').filter({ hasText: fileName });
      await found.getByText(/^Port numbers · 2 numbers · \d+ \w+ \d{4}, \d\d:\d\d/).waitFor();
      await page.reload();
      await heading('Imports').waitFor();
      await choose('Deutsch');
      await heading('Importe').waitFor();
      await page.reload();
      await heading('Importe').waitFor();
    });

    test.each([
      ['/', 'Importe'],
      ['/upload', 'Datei hochladen'],
      ['/actions', 'Handlungsbedarf'],
      ['/numbers', 'Rufnummer suchen'],
      ['/ports', 'Portierungen'],
      ['/report', 'Bericht über einen Zeitraum'],
      ['/simulator', 'Simulator'],
      ['plan', fileName],
      ['rows', fileName],
      ['columns', 'Spalten und Formate'],
      ['review', 'Prüfen und korrigieren'],
    ])('fits into 320 pixels: %s', async (screen, title) => {
      await page.setViewportSize({ width: 320, height: 800 });
      await goTo(screen.startsWith('/') ? screen : `${address}/${screen}`);
      await heading(title).waitFor(slow);
      await page.waitForLoadState('networkidle');
      expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(320);
    });
  });
}
