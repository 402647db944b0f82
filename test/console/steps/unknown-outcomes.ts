// Requests whose outcome nobody knows. A person resolves them in the console.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markActionRequired } from '#shared/request/request-state.ts';
import { documentClient } from '#shared/store/clients.ts';
import { createRequests } from '#shared/store/requests.ts';
import { createPortCells, createPortHeader } from '../../support/ingest/create-port-cells.ts';
import type { ConsoleSession } from '../support/console-session.ts';
import { type ApiCall, apiOf, approvePlan, passDays, planFile } from '../support/import-by-api.ts';

const slow = { timeout: 90_000 };
const local = { region: 'eu-west-2', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
const poll = { timeout: 90_000, interval: 500 };
/** The port keeps its status because its PAC is invalid. */
const lostPort = [createPortHeader, createPortCells(320, { pac: 'INV104320' })];
const lostText = [
  ['serialNumber', 'network', 'message'],
  ['89440023210010002509', '232', 'STATUS?'],
];
const lostAnswer = [{ endpoint: 'sendSms', times: 1, does: { kind: 'reset', when: 'before' } }];

export function testUnknownOutcomes(session: ConsoleSession): void {
  describe('a request with an unknown outcome', () => {
    let call: ApiCall;
    let table: DynamoDBClient;
    let portImport: string;
    let textImport: string;
    const card = (file: string) =>
      session.page
        .getByRole('listitem')
        .filter({ has: session.page.getByRole('link', { name: 'Show the import' }) })
        .filter({ hasText: file });
    const unknownRequests = async () =>
      (await call('GET', '/actions')).actions.filter(({ kind }: { kind: string }) => kind === 'request');
    const stateOf = async (importId: string) => (await call('GET', `/requests/${importId}/1`)).state;

    beforeAll(async () => {
      call = apiOf(session.started);
      portImport = await planFile(call, { operation: 'create-port', fileName: 'lost-port.csv', rows: lostPort });
      textImport = await planFile(call, { operation: 'send-sms', fileName: 'lost-text.csv', rows: lostText });
      await call('PUT', '/simulator/faults', { seed: 1, faults: lostAnswer });
      await approvePlan(call, portImport);
      await approvePlan(call, textImport);
      table = new DynamoDBClient({ ...local, endpoint: session.started.endpoints.dynamodb ?? '' });
    });
    afterAll(() => table?.destroy());

    /** As if simporter did not know the port: by itself it takes hours until it gives the search up. */
    const forgetPort = async (): Promise<boolean> => {
      const requests = createRequests(documentClient(table), session.started.outputs.ResultsTable ?? '');
      const seen = await requests.get(portImport, 1);
      if (seen?.portStatus === undefined) return false;
      const next = markActionRequired({ ...seen, portId: undefined }, 'no answer', Date.now());
      return (await requests.replace(seen, next)) !== undefined;
    };

    test('is listed with its evidence, and is not abandoned while the port exists: it is adopted', async () => {
      const { page } = session;
      await expect.poll(forgetPort, poll).toBe(true);
      await passDays(call, 1, async () => (await unknownRequests()).length === 2);
      await session.goTo('/actions');
      const port = card('Port to UK Mobile A');
      const { token } = await call('GET', `/requests/${portImport}/1`);
      await port.getByText(token).first().waitFor(slow);
      await session.inspect('unknown-outcome');
      const me = { id: 'a', name: 'anna', roles: ['uploader', 'approver'] };
      const approver = await session.openPage({
        at: '/actions',
        prepare: (opened) => opened.route('**/api/v1/me', (route) => route.fulfill({ json: me })),
      });
      await approver.getByText('The role "operator" is required to resolve this request.').first().waitFor(slow);
      expect(await approver.getByRole('radio').count()).toBe(0);
      await approver.close();
      await port.getByRole('radio', { name: 'These numbers are done another way' }).click();
      await port.getByRole('button', { name: 'Abandon the request' }).click();
      const declined = page.getByText(/Adopt port [0-9a-f-]{36}/).first();
      await declined.waitFor(slow);
      const [portId = ''] = /[0-9a-f-]{36}/.exec((await declined.textContent()) ?? '') ?? [];
      expect(await stateOf(portImport)).toBe('action-required');
      await port.getByRole('radio', { name: 'The port exists' }).click();
      await port.getByRole('textbox', { name: 'Id of the port' }).fill(portId);
      await port.getByRole('button', { name: 'Adopt the port' }).click();
      await port.waitFor({ state: 'detached', ...slow });
      expect(await call('GET', `/requests/${portImport}/1`)).toMatchObject({ state: 'created', portId });
    });

    test('of an operation that creates no port is resent, and the history has the person', async () => {
      const { page } = session;
      const text = card('Text of 7 characters');
      await text.getByRole('radio').first().waitFor(slow);
      expect(await text.getByRole('radio', { name: 'The port exists' }).count()).toBe(0);
      await text.getByRole('radio', { name: 'The service did not execute it' }).click();
      await text.getByRole('button', { name: 'Resend the request' }).click();
      await text.waitFor({ state: 'detached', ...slow });
      await expect.poll(() => stateOf(textImport), poll).toBe('accepted');
      await session.goTo(`/imports/${textImport}/audit`);
      const { name } = await call('GET', '/me');
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Resolution requested' })
        .filter({ hasText: name })
        .waitFor(slow);
    });
  });
}
