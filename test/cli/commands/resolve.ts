import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { markActionRequired } from '#shared/request/request-state.ts';
import { documentClient } from '#shared/store/clients.ts';
import { createRequests, type Requests } from '#shared/store/requests.ts';
import { createPortFile } from '../../support/cli/files.ts';
import { actionsJson, importJson, resolveJson } from '../../support/cli/json-shapes.ts';
import { engine } from '../../support/cli/shared-emulator.ts';
import { until } from '../../support/emulator/start-process.ts';

export function testResolve(): void {
  describe('resolve', () => {
    let table: DynamoDBClient;
    let requests: Requests;
    let importId: string;
    let name: string;
    let portId: string;

    beforeAll(async () => {
      table = new DynamoDBClient({ endpoint: engine.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '' });
      requests = createRequests(documentClient(table), engine.outputs.ResultsTable ?? '');
      // The port keeps its status because its PAC is invalid.
      await engine.write('doubt.csv', createPortFile([{ msisdn: '07700900741', pac: 'INV123456' }]));
      await engine.run('import', 'doubt.csv');
      await until('the port was created', async () => {
        const item = importJson.parse(JSON.parse((await engine.run('--json', 'status', 'doubt.csv')).stdout));
        importId = item.importId;
        return item.requests.created;
      });
      name = `${importId}/1`;
      portId = (await requests.get(importId, 1))?.portId ?? '';
    });
    afterAll(() => table?.destroy());

    /** As if simporter did not know the port. */
    beforeEach(() =>
      until('the request requires an action', async () => {
        const seen = await requests.get(importId, 1);
        const changed = seen && markActionRequired({ ...seen, portId: undefined }, 'no answer', Date.now());
        return (seen && changed && (await requests.replace(seen, changed))) || undefined;
      }),
    );

    const resolve = (...words: string[]) => engine.run('resolve', name, ...words);
    const stateNow = async () => (await requests.get(importId, 1))?.state;

    it('actions names the command', async () => {
      const waiting = await until('actions lists it', async () => {
        const { actionRequired } = actionsJson.parse(JSON.parse((await engine.run('actions', '--json')).stdout));
        return actionRequired.find(({ kind }) => kind === 'request');
      });
      expect(waiting).toMatchObject({ id: name, next: `npm run simporter -- resolve ${name}` });
      expect((await engine.run('actions')).stdout).toContain(
        `To resolve the request once you have checked the portal: npm run simporter -- resolve ${name}`,
      );
    });

    it('adopts the port of the service, once', async () => {
      const { exitCode, stdout } = await resolve('--adopt', portId, '--because', 'found by its name', '--json');
      expect(exitCode).toBe(0);
      expect(resolveJson.parse(JSON.parse(stdout))).toEqual({
        importId,
        request: 1,
        resolution: 'adopt',
        state: 'created',
        portId,
        simulated: true,
      });
      const again = await resolve('--adopt', portId);
      expect(again.exitCode).toBe(3);
      expect(again.stderr).toContain('Nothing was changed: the request is in state created');
    });

    it.each([[['--resend', '--yes']], [['--abandon']]])('%s is rejected as long as the port exists', async (words) => {
      const { exitCode, stdout, stderr } = await resolve(...words);
      expect(exitCode).toBe(3);
      expect(stdout).toBe('');
      expect(stderr).toContain(`Adopt port ${portId}`);
      expect(await stateNow()).toBe('action-required');
    });

    it.each([
      ['no option', [], 'then choose how to resolve the request'],
      ['--resend without --yes', ['--resend'], '--resend --yes'],
      ['two options', ['--abandon', '--resend', '--yes'], 'cannot be used with'],
    ])('%s is a usage error', async (_what, words, message) => {
      const { exitCode, stderr } = await resolve(...words);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(message);
      expect(await stateNow()).toBe('action-required');
    });

    it.each(['1', 'doubt.csv', 'doubt.csv/0', 'doubt.csv/99'])('rejects the unknown request %s', async (given) => {
      expect((await engine.run('resolve', given, '--abandon')).exitCode).toBe(2);
    });

    it('--keep lists the ports to choose from, and excludes every other option', async () => {
      const addDuplicate = async (duplicate: string) => {
        const seen = await requests.get(importId, 1);
        const item = seen && { ...seen, state: 'created' as const, portId, duplicatePortIds: [duplicate] };
        return (seen && item && (await requests.replace(seen, item))) || undefined;
      };
      await until('the request has two ports', () => addDuplicate('a-second-port'));
      const unknown = await resolve('--keep', 'another');
      expect(unknown.exitCode).toBe(3);
      expect(unknown.stderr).toContain(`none of its ports: ${portId}, a-second-port`);
      const both = await resolve('--keep', portId, '--adopt', portId);
      expect(both.exitCode).toBe(2);
    });
  });
}
