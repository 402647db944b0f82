// An import that is stopped while it is sent, resumed, and ended for good; and the plan that cancels what was sent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPortCells, createPortHeader } from '../../support/ingest/create-port-cells.ts';
import type { ConsoleSession } from '../support/console-session.ts';
import { type ApiCall, apiOf, approvePlan, planFile } from '../support/import-by-api.ts';

const slow = { timeout: 90_000 };
const poll = { timeout: 90_000, interval: 500 };
const ports = 20;
/** Each port is a separate call. The service takes few of them, so the others wait however slow the machine is. */
const fewCalls = [{ endpoint: 'createPort', rate: 0.9, does: { kind: 'rate-limited' } }];

export function testStopping(session: ConsoleSession): void {
  describe('an import that is being sent', () => {
    let call: ApiCall;
    let importId: string;
    const requests = async () => (await call('GET', `/imports/${importId}`)).requests;
    const sent = async (): Promise<number> => (await requests()).created ?? 0;
    const press = async (button: string, confirm = button) => {
      const { page } = session;
      await page.getByRole('button', { name: button, exact: true }).click(slow);
      await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click();
    };

    beforeAll(async () => {
      call = apiOf(session.started);
      // The ports are not locked before they are cancelled.
      await call('POST', '/simulator/calendar', { speed: 1 });
      await call('PUT', '/simulator/faults', { seed: 1, faults: fewCalls });
      importId = await planFile(call, {
        operation: 'create-port',
        fileName: 'stopping.csv',
        settings: { maxRowsPerPort: 1 },
        rows: [createPortHeader, ...Array.from({ length: ports }, (_none, index) => createPortCells(500 + index))],
      });
      await approvePlan(call, importId);
      await session.goTo(`/imports/${importId}`);
    });
    afterAll(() => call('PUT', '/simulator/faults', { seed: 1, faults: [] }));

    test('is stopped: the page names the person, and what is not sent yet waits', async () => {
      await press('Stop');
      await session.page.getByText(/Stopped by local on /).waitFor(slow);
      // Calls that had begun end as usual, and report counts them a moment later.
      const settled = async () => {
        const { created = 0, planned = 0 } = await requests();
        return created + planned;
      };
      await expect.poll(settled, poll).toBe(ports);
      await session.inspect('import-stopped');
      expect(await sent()).toBeLessThan(ports);
    });

    test('is resumed, and sends more', async () => {
      const atStop = await sent();
      await press('Resume');
      await expect.poll(sent, poll).toBeGreaterThan(atStop);
    });

    test('is ended for good and undone: an approved plan cancels the ports that exist', async () => {
      const { page } = session;
      await press('Stop');
      await press('End for good');
      await press('Cancel all numbers', 'Create the plan');
      const approve = page.getByRole('button', { name: /^Approve (?:up to )?\d+ number/ });
      await approve.waitFor(slow);
      expect(await sent()).toBeLessThan(ports);
      await approve.click();
      await page.getByRole('button', { name: 'Approve and send' }).click();
      // Calls that had begun may still end: both counts are those of one moment.
      const left = async () => {
        const { outcomes, requests } = await call('GET', `/imports/${importId}`);
        return requests.created - (outcomes.cancelled ?? 0);
      };
      await expect.poll(left, poll).toBe(0);
    });
  });
}
