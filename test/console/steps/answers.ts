// What a page asks about a file is answered where it says so, and what a person chooses there is what is read.
import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { workbookFile } from '../../support/files/workbook-file.ts';
import { createPortCells, createPortHeader } from '../../support/ingest/create-port-cells.ts';
import type { ConsoleSession } from '../support/console-session.ts';
import { type ApiCall, apiOf, approvePlan, planFile } from '../support/import-by-api.ts';

const slow = { timeout: 90_000 };

export function testAnswers(session: ConsoleSession): void {
  describe('a question', () => {
    let page: Page;
    let call: ApiCall;
    beforeAll(() => {
      page = session.page;
      call = apiOf(session.started);
    });

    const isReading = (request: Request) => request.method() === 'POST' && request.url().endsWith('/readings');
    const plan = (fileName: string, rows: readonly (readonly string[])[]) =>
      planFile(call, { operation: 'create-port', fileName, rows });
    const mainText = async () => (await page.locator('main').innerText()).replaceAll('\n', ' ');

    test('about sheets is answered with any of them, and nothing else is read', async () => {
      const sheets = [
        { name: 'Final', rows: [createPortHeader, createPortCells(281), createPortCells(282)] },
        { name: 'Old', rows: [createPortHeader, createPortCells(283)] },
      ];
      await page.goto(`${session.started.url}/#/upload`);
      const mimeType = 'application/octet-stream';
      await page.setInputFiles('input[type=file]', { name: 'sheets.xlsx', mimeType, buffer: workbookFile(sheets) });
      await page.getByRole('button', { name: 'Upload and check' }).click();
      const sheet = (name: string) => page.getByRole('checkbox', { name: `Sheet "${name}"` });
      await sheet('Final').waitFor(slow);
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
      expect(await mainText()).not.toMatch(/rejected|error/i);
      await sheet('Final').check();
      await page.getByRole('button', { name: 'Check the numbers' }).click(slow);
      await page.getByRole('button', { name: 'Approve 2 numbers' }).waitFor(slow);
      await page.getByRole('link', { name: 'Columns and formats' }).click();
      await sheet('Final').uncheck(slow);
      await sheet('Old').check();
      await page.getByRole('button', { name: 'Read the file again' }).click(slow);
      await page.getByRole('button', { name: 'Approve 1 number' }).waitFor(slow);
    });

    test('about the header is answered with the row that was typed last, whether it is shown yet or not', async () => {
      // How it is read is saved for files with this header.
      const header = [...createPortHeader, 'Team'];
      const importId = await plan('rows.csv', [header, header, [...createPortCells(284), 'North']]);
      await session.goTo(`/imports/${importId}/columns`);
      await page.getByRole('button', { name: 'Read the file again' }).waitFor(slow);
      const reading = page.waitForRequest(isReading, slow);
      const isPreview = (url: URL) => url.pathname.endsWith('/preview') && url.searchParams.get('headerRow') === '2';
      const held = Promise.withResolvers<void>();
      await page.route(isPreview, (route) => held.promise.then(() => route.continue()));
      await page.getByLabel('Row of the header').fill('2');
      await page.waitForRequest((request) => isPreview(new URL(request.url())), slow);
      await page.getByRole('button', { name: 'Read the file again' }).hover();
      await page.mouse.down();
      held.resolve();
      await page.getByText('North').first().waitFor(slow);
      await page.mouse.up();
      expect((await reading).postDataJSON().settings.headerRow).toBe(2);
      await page.getByRole('button', { name: 'Approve 1 number' }).waitFor(slow);
    });

    test('about dates is answered with what they mean', async () => {
      const cells = (index: number) => createPortCells(index, { connectionDate: '03/07/2026' });
      await session.goTo(`/imports/${await plan('dates.csv', [createPortHeader, cells(285), cells(286)])}`);
      await page.getByText('"connectionDate": which day is 03/07/2026?').first().waitFor(slow);
      await page.getByText('"connectionDate": 03/07/2026 is 3 Jul 2026').waitFor();
      const read = page.getByRole('button', { name: 'Check the numbers' });
      expect(await read.getAttribute('aria-disabled')).toBe('true');
      await page.getByRole('radio', { name: 'Day first' }).check();
      await page.getByText('1 question').waitFor({ state: 'detached' });
      const reading = page.waitForRequest(isReading, slow);
      await read.click();
      expect((await reading).postDataJSON().settings.dateOrder).toBe('dmy');
    });

    test('that only the file can answer leads to another file', async () => {
      const second = ['serialNo', 'msisdn', ...createPortHeader.slice(2)];
      const rows = [createPortHeader, createPortCells(287), second, createPortCells(288)];
      await session.goTo(`/imports/${await plan('tables.csv', rows)}`);
      await page.getByText('is another header').first().waitFor(slow);
      await page.locator('main').getByRole('link', { name: 'Upload another file' }).waitFor(slow);
      expect(await mainText()).not.toContain('Answer under');
    });

    test('about a column that some rows lack is not answered for the rows that are valid without it', async () => {
      const at = createPortHeader.indexOf('provisioningOrder');
      const header = createPortHeader.with(at, 'provisioningOrderName');
      const cells = [289, 290, 291].map((index) => createPortCells(index).with(at, index === 290 ? '' : 'London'));
      await session.goTo(`/imports/${await plan('orders.csv', [header, ...cells])}`);
      await page
        .getByText(
          '1 of 3 numbers lacks "Provisioning order", and the file has no such column. 2 numbers are valid without it',
        )
        .waitFor(slow);
      expect(await page.getByText('Choose a column or one value for all').count()).toBe(0);
      await page.getByRole('link', { name: 'Columns and formats' }).click();
      await page.getByText('What every number needs').waitFor(slow);
      expect(await mainText()).toContain('(6 of 6 filled)');
      expect(await page.getByText('Missing: choose the column below').count()).toBe(0);
    });

    test('about values that the service does not have is answered once for all rows, and remembered', async () => {
      const rows = (...indexes: readonly number[]) => [
        [...createPortHeader, 'Depot'],
        ...indexes.map((index) => [...createPortCells(index, { targetNetwork: 'EE Biz' }), 'North']),
      ];
      await session.goTo(`/imports/${await plan('names.csv', rows(310, 311))}`);
      await page.getByText('The service does not know one value of the file, which 2 numbers have.').waitFor(slow);
      await page.getByRole('link', { name: 'Say what it means' }).click();
      await page.getByText('Gaining network, 2 numbers').waitFor(slow);
      await page.getByRole('combobox', { name: 'What "EE Biz" means' }).click();
      await page.getByRole('option', { name: 'UK Mobile A' }).first().click(slow);
      await page.getByRole('textbox', { name: 'Name of the saved settings' }).fill('Names of EE');
      await session.inspect('values');
      await page.getByRole('button', { name: 'Read the file again' }).click();
      await page.getByRole('button', { name: 'Approve 2 numbers' }).waitFor(slow);
      await session.goTo('/upload');
      const csv = rows(312)
        .map((cells) => cells.join(','))
        .join('\n');
      const file = { name: 'names-2.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
      await page.setInputFiles('input[type=file]', file);
      await page.getByRole('button', { name: 'Upload and check' }).click();
      await page.getByRole('button', { name: 'Approve 1 number' }).waitFor(slow);
      await page.getByText('Gaining network: "EE Biz" is UK Mobile A').waitFor();
      await page.getByText('The file was read with the saved settings "Names of EE".').waitFor();
    });

    test('that one value answers is typed at once, with the keyboard alone, and an empty field is not sent', async () => {
      const without = (cells: readonly string[]) => cells.filter((_, index) => createPortHeader[index] !== 'tariff');
      const importId = await plan('values.csv', [without(createPortHeader), without(createPortCells(292))]);
      await session.goTo(`/imports/${importId}/columns`);
      await page.getByRole('button', { name: 'or enter one value for all rows: Tariff' }).focus(slow);
      const reading = page.waitForRequest(isReading, slow);
      await page.keyboard.press('Enter');
      await page.keyboard.type('2001');
      await page.keyboard.press('Escape');
      expect(await page.getByRole('combobox', { name: 'Tariff' }).inputValue()).toBe('2001');
      await page.getByRole('button', { name: 'Choose a column' }).click();
      await page.getByRole('option', { name: 'Group name' }).first().click();
      await page.getByRole('button', { name: 'Check the numbers' }).click();
      expect((await reading).postDataJSON().settings.columnValues).toEqual({ tariff: '2001' });
      await page.getByRole('button', { name: 'Approve 1 number' }).waitFor(slow);
    });
  });

  describe('the plan', () => {
    const openPlan = async (importId: string) => {
      await session.goTo(`/imports/${importId}/plan`);
      await session.page.getByRole('button', { name: /^Approve (?:up to )?\d/ }).waitFor(slow);
    };

    test('counts the rows that were sent before, and names no line for the whole file', async () => {
      const call = apiOf(session.started);
      const texts = [
        ['serialNumber', 'network', 'message'],
        ['89440023210010002509', '232', 'Your SIM moves on Monday'],
        ['89440023210010002608', '232', 'Your SIM moves on Monday'],
      ];
      await planFile(call, { operation: 'send-sms', fileName: 'texts.csv', rows: texts });
      await openPlan(await planFile(call, { operation: 'send-sms', fileName: 'texts-again.csv', rows: texts }));
      await session.page.getByText('Warning about the file').waitFor(slow);
      const text = await session.page.locator('main').innerText();
      expect(text).toMatch(
        /Import \w+ of .+ UTC has the same 2 rows\. Approve this import only to send all of them again/,
      );
      expect(text).not.toMatch(/Line 0|Warning about 1 number/);
    });

    test('shows the whole text of every message, with its SIMs, and what is the same for every row', async () => {
      const rows = [
        ['serialNumber', 'message'],
        ['89440023210010002509', 'Your SIM is switched on'],
        ['89440023210010002608', 'Your SIM is switched of'],
      ];
      const settings = { columnValues: { network: '232' } };
      const file = { operation: 'send-sms', fileName: 'two-texts.csv', rows, settings };
      await openPlan(await planFile(apiOf(session.started), file));
      await session.page.getByText('Your SIM is switched on').first().waitFor(slow);
      const text = (await session.page.locator('main').innerText()).replaceAll('\n', ' ');
      expect(text).toMatch(/Message: Your SIM is switched on.{0,60}Line 2: 89440023210010002509/);
      expect(text).toMatch(/Message: Your SIM is switched of .{0,60}Line 3: 89440023210010002608/);
      expect(text).toContain('The same for every row Network: 232');
    });

    test('promises no number that may be skipped', async () => {
      const call = apiOf(session.started);
      const file = (fileName: string, ...indexes: readonly number[]) =>
        planFile(call, {
          operation: 'create-port',
          fileName,
          rows: [createPortHeader, ...indexes.map((index) => createPortCells(index))],
        });
      const first = await file('first.csv', 293);
      await approvePlan(call, first);
      await expect.poll(async () => (await call('GET', `/imports/${first}`)).state, slow).toBe('in-progress');
      await openPlan(await file('second.csv', 293, 294));
      await session.page.getByRole('button', { name: 'Approve up to 2 numbers' }).click();
      const dialog = session.page.getByRole('dialog');
      await dialog.getByText('Send up to 2 numbers?').waitFor(slow);
      await dialog.getByText('1 number may be skipped: the plan says why.').waitFor();
      await session.page.keyboard.press('Escape');
    });
  });
}
