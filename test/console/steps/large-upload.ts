// A file of several parts: a part that fails is sent again, and after a pause and a reload only the missing parts are.
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPortCells, createPortHeader } from '../../support/ingest/create-port-cells.ts';
import { chooseInPage, partOf } from '../support/choose-file.ts';
import type { ConsoleSession } from '../support/console-session.ts';

const slow = { timeout: 90_000 };
const partBytes = 5 * 1024 * 1024;
const parts = 4;
/** One row, and empty lines up to the size. */
const file = {
  name: 'many-parts.csv',
  begin: `${createPortHeader.join(',')}\r\n${createPortCells(360).join(',')}\r\n`,
  bytes: (parts - 1) * partBytes + 1_000,
};

export function testLargeUpload(session: ConsoleSession): void {
  describe('a file of several parts', () => {
    let page: Page;
    const sent: number[] = [];
    beforeAll(async () => {
      page = await session.openPage({ at: '/upload' });
    });
    afterAll(() => page?.close());

    /** It has the same name, size and time again. */
    const chooseFile = async () => {
      await page.goto(`${session.started.url}/#/upload`);
      await page.locator('input[type=file]').waitFor({ state: 'attached' });
      await page.evaluate(chooseInPage(file));
      await page.getByText(file.name).first().waitFor(slow);
      await page.getByRole('button', { name: 'Upload and check' }).click();
    };
    const handleParts = (handle: (route: Route, part: number) => Promise<void>) =>
      page.route(/partNumber=/, (route) => {
        if (route.request().method() !== 'PUT') return route.continue();
        sent.push(partOf(route));
        return handle(route, partOf(route));
      });

    test('shows its progress, sends a part again that failed, and pauses', async () => {
      const held: Route[] = [];
      await handleParts(async (route, part) => {
        if (part === 1) return route.continue();
        if (part === 2 && sent.filter((one) => one === 2).length === 1) return route.abort('connectionreset');
        if (part === 2) return route.continue();
        held.push(route);
      });
      await chooseFile();
      const bar = page.getByRole('progressbar');
      await expect.poll(() => sent.filter((part) => part === 2).length, slow).toBe(2);
      const percent = () => bar.evaluate((element) => (element as unknown as { value: number }).value);
      await expect.poll(percent, slow).toBeGreaterThanOrEqual(66);
      await page.getByRole('main').getByRole('button', { name: 'Pause' }).click();
      await page.getByText('Paused').first().waitFor();
      expect(await page.getByRole('button', { name: 'Continue' }).isEnabled()).toBe(true);
    });

    test('continues after the page was closed, with the missing parts only, and its plan is shown', async () => {
      await page.close();
      page = await session.openPage({ at: '/upload' });
      sent.length = 0;
      await handleParts((route) => route.continue());
      await chooseFile();
      await page.getByRole('button', { name: 'Approve 1 number' }).waitFor(slow);
      // A browser may end a request that the page had begun, so part 4 can be there.
      expect(sent.filter((part) => part !== 4)).toEqual([3]);
    });
  });
}
