// Each role is offered what it may do, and nothing else. The API enforces it (test/functions/api/http/roles.test.ts).
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPortCells, createPortHeader } from '../../support/ingest/create-port-cells.ts';
import type { ConsoleSession } from '../support/console-session.ts';
import { type ApiCall, apiOf, approvePlan, passDays, planFile } from '../support/import-by-api.ts';

const row = (index: number, pac: string, targetNetwork = 'UK Mobile A') =>
  createPortCells(index, { pac, targetNetwork });

/** What a person may be offered: the screen, the role of the element, and its name. */
const offers = {
  uploader: [
    ['/', 'link', 'Upload a file'],
    ['planned', 'link', 'Columns and formats'],
    ['review', 'button', 'Check 1 fixed number with the whole file'],
    ['/actions', 'textbox', /^New PAC of/],
    ['/actions', 'button', 'Remove 1 number from the port'],
  ],
  approver: [
    ['planned', 'button', 'Approve 1 number'],
    ['sent', 'checkbox', 'Select all numbers of this page'],
    ['requests', 'button', 'Reschedule all'],
  ],
  operator: [['/', 'link', 'Simulator']],
} as const;
/** Once a person sees this, the screen is complete. */
const shownToAll = {
  '/': 'roles.csv',
  planned: 'What will be sent',
  review: /There is no|1 of 1 number fixed/,
  '/actions': 'number with an invalid PAC',
  sent: /INV104342|07700 ?900342/,
  requests: 'A PAC is invalid',
} as const;
type Offer = (typeof offers)[keyof typeof offers][number];
const all: readonly Offer[] = Object.values(offers).flat();

/** Longer than a phone is wide, and without a place to break it. */
const sentFile = `sent-${'x'.repeat(60)}.csv`;

/** Its PAC is checked after a while. */
export async function sendInvalidPac(call: ApiCall): Promise<void> {
  const rows = [createPortHeader, row(342, 'INV104342')];
  await approvePlan(call, await planFile(call, { operation: 'create-port', fileName: sentFile, rows }));
}

/** After `sendInvalidPac`. */
export function testRoles(session: ConsoleSession): void {
  describe('the roles', () => {
    let page: Page;
    let addresses: Readonly<Record<string, string>>;

    beforeAll(async () => {
      const call = apiOf(session.started);
      const rows = [createPortHeader, row(340, 'ABC104340'), row(341, 'ABC104341', 'UK Mobil A')];
      const planned = await planFile(call, { operation: 'create-port', fileName: 'roles.csv', rows });
      const ofSentFile = ({ file }: { readonly file: string }) => file === sentFile;
      const findSent = async () => (await call('GET', '/actions')).actions.find(ofSentFile)?.importId;
      await passDays(call, 1, async () => (await findSent()) !== undefined);
      const sent = await findSent();
      addresses = {
        planned: `/imports/${planned}`,
        review: `/imports/${planned}/review`,
        sent: `/imports/${sent}/rows`,
        requests: `/imports/${sent}/requests`,
      };
      page = await session.openPage({ at: '/' });
    });
    afterAll(() => page?.close());

    const offered = async ([, role, name]: Offer): Promise<boolean> => {
      const found = page.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) }).first();
      return (await found.isVisible()) && (await found.isEnabled());
    };
    const offeredOn = async (screen: keyof typeof shownToAll): Promise<Offer[]> => {
      await page.goto(`${session.started.url}/#${addresses[screen] ?? screen}`);
      await page.getByText(shownToAll[screen]).first().waitFor();
      if (screen === 'review') await fixOneRow(page);
      const ofScreen = all.filter(([one]) => one === screen);
      const found = await Promise.all(ofScreen.map(offered));
      return ofScreen.filter((_offer, index) => found[index]);
    };

    test.each([
      ['viewer', []],
      ['uploader', offers.uploader],
      ['approver', offers.approver],
      ['operator', all],
    ] as const)('a person who is only %s is offered what the role allows', async (role, expected) => {
      await page.unrouteAll();
      await page.route('**/api/v1/me', (route) => route.fulfill({ json: { id: role, name: role, roles: [role] } }));
      await page.reload();
      const seen: Offer[] = [];
      for (const screen of Object.keys(shownToAll)) seen.push(...(await offeredOn(screen as keyof typeof shownToAll)));
      expect(seen.map(String).sort()).toEqual(expected.map(String).sort());
    });
  });
}

async function fixOneRow(page: Page): Promise<void> {
  // The change of an earlier role is kept: it is the same person on this machine.
  await page.getByRole('gridcell', { name: /^UK Mobile? A$/ }).click();
  await page.keyboard.press('F2');
  await page.getByLabel('New value of').fill('UK Mobile A');
  await page.keyboard.press('Enter');
  await page.getByText('1 of 1 number fixed').waitFor();
}
