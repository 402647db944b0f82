// Nothing that a person did is lost: changes in the grid survive a reload and another machine, uploads continue while
// other screens are open, and a page recovers after a lost connection and a deployment.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { keptToken } from '#cli/console/serve-console.ts';
import { createPortCells, createPortHeader } from '../../support/ingest/create-port-cells.ts';
import { notOn } from '../../support/not-on.ts';
import { chooseInPage, partOf } from '../support/choose-file.ts';
import type { ConsoleSession } from '../support/console-session.ts';
import { apiOf, planFile } from '../support/import-by-api.ts';
import { takeScreenshot } from '../support/screenshot.ts';

export function testKeptWork(session: ConsoleSession): void {
  describe('what a person did', () => {
    const slow = { timeout: 90_000 };
    let page: Page;
    beforeAll(() => {
      page = session.page;
    });

    /** Whether the browser asks before it leaves the page. */
    const isWarned = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))";

    describe('changes in the grid', () => {
      const fileName = 'drafts.csv';
      let address: string;
      const cell = (name: string) => page.getByRole('grid').getByRole('gridcell', { name }).first();
      const openReview = async (one: Page) => {
        await one.goto(`${session.started.url}/#${address}`);
        await one.getByRole('grid').waitFor(slow);
      };

      beforeAll(async () => {
        const record = (index: number) => createPortCells(index, { pac: `AB${index}`, targetNetwork: 'UK Mobil A' });
        const rows = [createPortHeader, createPortCells(399), ...[400, 401, 402].map(record)];
        const importId = await planFile(apiOf(session.started), { operation: 'create-port', fileName, rows });
        address = `/imports/${importId}/review`;
      });

      test('are saved on the server a moment later, and are there after a reload, on another machine too', async () => {
        await openReview(page);
        await cell('UK Mobil A').dblclick();
        await page.getByLabel('New value of').fill('UK Mobile A');
        await page.keyboard.press('Enter');
        await page.getByText(/^Saved \d\d:\d\d$/).waitFor(slow);
        await page.reload();
        await cell('UK Mobile A').waitFor(slow);
        const machine = await session.openPage({ at: address });
        await machine.getByRole('grid').getByRole('gridcell', { name: 'UK Mobile A' }).waitFor(slow);
        await machine.close();
      });

      test('with a new PAC fix the row after a reload, and the PAC is neither in the page nor in its storage', async () => {
        const place = page.getByRole('grid').getByRole('row').nth(1).getByRole('gridcell');
        await place.nth(createPortHeader.indexOf('pac')).dblclick();
        await page.getByLabel('New value of').fill('QZX654321');
        await page.keyboard.press('Enter');
        await page.getByText('1 of 3 numbers fixed').waitFor(slow);
        await page.getByText(/^Saved \d\d:\d\d$/).waitFor(slow);
        await page.reload();
        await page.getByText('1 of 3 numbers fixed').waitFor(slow);
        expect(await page.content()).not.toContain('QZX654321');
        expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toMatch(
          /QZX/,
        );
        await page.getByRole('button', { name: 'Check 1 fixed number with the whole file' }).click();
        await page.getByText('0 of 2 numbers fixed').waitFor(slow);
      });

      test('that are still in the editor count when the screen is left with Back, and warn before the tab is left', async () => {
        await session.goTo('/upload');
        await openReview(page);
        await cell('UK Mobil A').dblclick();
        // What the test before has changed is saved by then.
        await expect.poll(() => page.evaluate(isWarned), slow).toBe(false);
        await page.getByLabel('New value of').fill('UK IoT A');
        expect(await page.evaluate(isWarned)).toBe(true);
        await page.goBack();
        await page.getByRole('heading', { name: 'Upload a file' }).waitFor();
        await page.goForward();
        await cell('UK IoT A').waitFor(slow);
        await page.getByRole('button', { name: 'Discard changes' }).click();
        await cell('UK IoT A').waitFor({ state: 'detached' });
        await page.getByText(/^Saved \d\d:\d\d$/).waitFor(slow);
      });

      test('that were made before the screen is left are saved, and can be discarded and taken back', async () => {
        await openReview(page);
        await cell('UK Mobil A').dblclick();
        await page.getByLabel('New value of').fill('UK Mobile B');
        await page.keyboard.press('Enter');
        await page.getByRole('link', { name: 'Imports' }).first().click();
        await page.getByRole('heading', { name: 'Imports' }).waitFor();
        await page.goBack();
        await cell('UK Mobile B').waitFor(slow);
        await page.getByRole('button', { name: 'Discard changes' }).click();
        await cell('UK Mobile B').waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Undo' }).click();
        await cell('UK Mobile B').waitFor();
        await page.getByText(/^Saved \d\d:\d\d$/).waitFor(slow);
        await session.inspect('review-draft');
      });

      test('of a colleague are offered, and continued', async () => {
        const showAsTheirs = async (route: Route) => {
          if (route.request().method() !== 'GET') return route.continue();
          const answer = await (await route.fetch()).json();
          const drafts = answer.drafts.map((draft: object) => ({ ...draft, by: 'anna@example.com', isYours: false }));
          return route.fulfill({ json: { drafts } });
        };
        const colleague = await session.openPage({
          at: address,
          prepare: (opened) => opened.route(/\/drafts$/, showAsTheirs),
        });
        await colleague.getByText('anna@example.com changed 1 number and has not sent it.').waitFor(slow);
        const changed = colleague.getByRole('grid').getByRole('gridcell', { name: 'UK Mobile B' });
        expect(await changed.count()).toBe(0);
        await colleague.getByRole('button', { name: 'Continue with these changes' }).click();
        await changed.waitFor(slow);
        await colleague.close();
      });

      test('that cannot be saved are marked, warn before the tab is left, and are saved once the API answers', async () => {
        await page.route(/\/drafts$/, (route) => route.abort());
        await cell('UK Mobil A').dblclick();
        await page.getByLabel('New value of').fill('UK Mobile A');
        await page.keyboard.press('Enter');
        await page.getByText('Not saved').waitFor(slow);
        expect(await page.evaluate(isWarned)).toBe(true);
        await page.unrouteAll();
        await page.getByText(/^Saved \d\d:\d\d$/).waitFor(slow);
        expect(await page.evaluate(isWarned)).toBe(false);
      });
    });

    describe('an upload', () => {
      const file = {
        name: 'background.csv',
        begin: `${createPortHeader.join(',')}\r\n${createPortCells(420).join(',')}\r\n`,
        bytes: 2 * 5 * 1024 * 1024 + 1_000,
      };
      const upload = async () => {
        await session.goTo('/upload');
        await page.locator('input[type=file]').waitFor({ state: 'attached' });
        await page.evaluate(chooseInPage(file));
        await page.getByRole('button', { name: 'Upload and check' }).click();
      };
      const held: Route[] = [];
      const sent: number[] = [];
      /** Parts from this number on wait until the test lets them go. */
      let heldFrom = Number.POSITIVE_INFINITY;
      beforeAll(() =>
        page.route(/partNumber=/, (route) => {
          if (route.request().method() !== 'PUT') return route.continue();
          sent.push(partOf(route));
          if (partOf(route) < heldFrom) return route.continue();
          held.push(route);
          return undefined;
        }),
      );

      test('continues while another screen is open, which shows it, and closing the tab warns', async () => {
        heldFrom = 2;
        await upload();
        await page.getByText('Uploads continue while you open other screens').waitFor(slow);
        // One part where the machine is slow, otherwise two.
        await expect.poll(() => held.length, slow).toBeGreaterThan(0);
        await page.getByRole('link', { name: 'Imports' }).first().click();
        await page.getByText(`Uploading ${file.name}`).first().waitFor();
        expect(await page.evaluate(isWarned)).toBe(true);
        await session.inspect('upload-background');
        heldFrom = Number.POSITIVE_INFINITY;
        for (const route of held.splice(0)) await route.continue();
        // A second element has the same text for screen readers.
        await page.getByText(`${file.name} is uploaded`).first().waitFor(slow);
        expect(await page.evaluate(isWarned)).toBe(false);
        await page.getByRole('button', { name: 'Show its plan' }).click();
        await page.getByRole('button', { name: 'Approve 1 number' }).waitFor(slow);
      });

      test('that a reload ended is named, and continues with the parts that have not arrived', async () => {
        heldFrom = 2;
        await upload();
        await expect.poll(() => held.length, slow).toBeGreaterThan(0);
        page.once('dialog', (dialog) => dialog.accept());
        await page.reload();
        await page.getByText(`${file.name} was not uploaded completely`).first().waitFor(slow);
        await session.inspect('upload-unfinished');
        sent.length = 0;
        heldFrom = Number.POSITIVE_INFINITY;
        await upload();
        await page.getByRole('button', { name: 'Approve 1 number' }).waitFor(slow);
        expect(sent).not.toContain(1);
        await page.unrouteAll();
      });
    });

    describe('a screen whose files cannot be loaded', () => {
      /** Its script, when it is first opened. */
      const script = /assets\/port-screen-[^/]*\.js/;

      test('opens by itself once there is a connection', async () => {
        const tab = await session.openPage();
        await tab.getByRole('heading', { name: 'Imports' }).waitFor();
        await tab.context().setOffline(true);
        await tab.evaluate("location.hash = '#/ports/0d2a9c1e-7b1f-4a55-9c0e-3a2b1c4d5e6f'");
        await tab.getByText('This screen is not loaded yet').waitFor(slow);
        await takeScreenshot(tab, 'not-loaded');
        await tab.context().setOffline(false);
        await tab.getByRole('heading', { level: 1, name: 'There is no such port' }).waitFor(slow);
        await tab.close();
      });

      test('reloads the page once after an update, and then shows what to do', async () => {
        const tab = await session.openPage();
        await tab.getByRole('heading', { name: 'Imports' }).waitFor();
        await tab.route(script, (route) => route.fulfill({ status: 404, body: '' }));
        await tab.evaluate("location.hash = '#/ports/0d2a9c1e-7b1f-4a55-9c0e-3a2b1c4d5e6f'");
        await tab.getByText('It was reloaded and is still missing').waitFor(slow);
        await tab.unrouteAll();
        await tab.getByRole('button', { name: 'Reload now' }).click();
        await tab.getByRole('heading', { level: 1, name: 'There is no such port' }).waitFor(slow);
        await tab.close();
      });
    });

    test('a bookmark opens in a new tab without the link that was printed, also after the next start', async () => {
      const bookmark = `${session.started.url}/#/actions`;
      const tab = await session.context.newPage();
      await tab.goto(bookmark);
      await tab.getByRole('heading', { name: 'Action required' }).waitFor(slow);
      await tab.close();
      const kept = await keptToken(session.started.folder);
      expect(kept).toBe(session.started.token);
    });

    notOn(['Windows'], 'files have no mode bits')('the token that is kept is closed to others', async () => {
      expect((await stat(join(session.started.folder, 'console-token'))).mode & 0o077).toBe(0);
    });
  });
}
