// What the console shows while the API does not answer, to a viewer, and after the session has ended.
import { describe, expect, test } from 'vitest';
import type { ConsoleSession } from '../support/console-session.ts';
import { takeScreenshot } from '../support/screenshot.ts';

/** @param fileName the file of an import in the list */
export function testLostAccess(session: ConsoleSession, fileName: string): void {
  describe('a page that lost its access', () => {
    test('an outage of the API is shown, what is on the screen stays, and the page recovers by itself', async () => {
      const { page } = session;
      await session.goTo('/');
      await page.getByRole('link', { name: fileName }).last().waitFor();
      await page.route('**/api/v1/**', (route) => route.abort());
      await page.getByText('simporter does not answer. Trying again every few seconds').waitFor();
      await page.getByRole('link', { name: fileName }).last().waitFor();
      await takeScreenshot(page, 'outage');
      await page.unrouteAll();
      await page.getByText('simporter does not answer').waitFor({ state: 'detached' });
    });

    test('an upload that cannot begin shows that the connection failed', async () => {
      const { page } = session;
      await session.goTo('/upload');
      const buffer = Buffer.from('msisdn\n');
      await page.setInputFiles('input[type=file]', { name: 'late.csv', mimeType: 'text/csv', buffer });
      await page.route('**/api/v1/uploads', (route) => route.abort());
      await page.getByRole('button', { name: 'Upload and check' }).click();
      await page.getByText('The connection failed. Trying again every few seconds.').first().waitFor();
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.unrouteAll();
    });

    test('a viewer may read, and is offered nothing else', async () => {
      const me = { id: 'v', name: 'vera', roles: ['viewer'] };
      const viewer = await session.openPage({
        prepare: (opened) => opened.route('**/api/v1/me', (route) => route.fulfill({ json: me })),
      });
      await viewer.getByRole('link', { name: fileName }).last().waitFor();
      expect(await viewer.getByRole('link', { name: 'Upload a file' }).count()).toBe(0);
      expect(await viewer.getByRole('link', { name: 'Simulator' }).count()).toBe(0);
      await viewer.goto(`${session.started.url}/#/upload`);
      await viewer.getByText('You may read imports, but not upload files').waitFor();
      await viewer.close();
    });

    test('the address with the token opens the console also in a tab that shows it', async () => {
      const opened = await session.openPage();
      await opened.getByRole('link', { name: fileName }).last().waitFor();
      await opened.goto(session.started.address);
      await opened.waitForURL((url) => url.hash === '#/');
      await opened.getByRole('link', { name: fileName }).last().waitFor();
      await opened.close();
    });

    test('a token that is no longer valid is shown, and the page keeps what it has', async () => {
      const expired = await session.openPage();
      await expired.getByRole('link', { name: fileName }).last().waitFor();
      await expired.evaluate(() => sessionStorage.setItem('simporter.token', 'no-longer-valid'));
      await expired.getByText('Your session has expired').waitFor();
      await expired.close();
    });
  });
}
