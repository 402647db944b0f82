// Numbers that the service declined are fixed and sent again on one screen, or dismissed with a reason.
import { beforeAll, describe, expect, test } from 'vitest';
import { createPortCells, createPortHeader } from '../../support/ingest/create-port-cells.ts';
import type { ConsoleSession } from '../support/console-session.ts';
import { type ApiCall, apiOf, approvePlan, passDays, planFile } from '../support/import-by-api.ts';

const slow = { timeout: 90_000 };
const poll = { timeout: 90_000, interval: 500 };
const fileName = 'declined.csv';

/** The simulator declines these numbers, and a while later it is known that no port has them. */
export async function sendDeclinedNumbers(call: ApiCall): Promise<void> {
  const rows = [createPortHeader, createPortCells(990), createPortCells(991)];
  await approvePlan(call, await planFile(call, { operation: 'create-port', fileName, rows }));
}

/** After `sendDeclinedNumbers`. */
export function testDeclinedNumbers(session: ConsoleSession): void {
  describe('numbers that the service declined', () => {
    let call: ApiCall;
    const card = () => session.page.getByRole('listitem').filter({ hasText: fileName });
    const declines = async () =>
      (await call('GET', '/actions')).actions.filter(({ kind, file }: { kind: string; file: string }) => {
        return kind === 'import' && file === fileName;
      });

    beforeAll(async () => {
      call = apiOf(session.started);
      await passDays(call, 1, async () => (await declines())[0]?.rows === 2);
    });

    test('are shown with the reason, fixed in the grid, and sent again', async () => {
      const { page } = session;
      await session.goTo('/actions');
      await card().getByText('2 numbers declined').waitFor(slow);
      await card().getByRole('link', { name: 'Review and fix' }).click();
      const row = page.getByRole('grid').getByRole('row').nth(1);
      await row.waitFor(slow);
      await page
        .getByText(/^Line 2/)
        .first()
        .waitFor();
      await session.inspect('review-declined');
      await row.getByRole('gridcell').nth(createPortHeader.indexOf('msisdn')).dblclick();
      await page.getByLabel('New value of').fill('07700 900380');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Send 1 fixed number' }).click(slow);
      await page.getByRole('button', { name: 'Approve 1 number' }).click(slow);
      await page.getByRole('button', { name: 'Approve and send' }).click();
      await expect.poll(async () => (await declines())[0]?.rows, poll).toBe(1);
    });

    test('are dismissed with a reason, and require no action then', async () => {
      const { page } = session;
      await session.goTo('/actions');
      await card().getByText('1 number declined').waitFor(slow);
      await card().getByRole('button', { name: 'Dismiss' }).click();
      await page.getByRole('textbox', { name: 'Reason' }).fill('Left the company');
      await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
      await card().waitFor({ state: 'detached', ...slow });
      expect(await declines()).toEqual([]);
    });
  });
}
