import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { attentionJson, decideJson, importJson } from '#cli/json-shapes.ts';
import { documentClient } from '#shared/aws/clients.ts';
import { createRequests, type Requests } from '#shared/aws/requests.ts';
import { leftToPeople } from '#shared/domain/request-state.ts';
import { type CommandLineEngine, startCommandLineEngine } from '../support/cli-engine.ts';
import { createPortFile } from '../support/cli-files.ts';
import { until } from '../support/pipeline-process.ts';

let engine: CommandLineEngine;
let table: DynamoDBClient;
let requests: Requests;
let importId: string;
let name: string;
let portId: string;

beforeAll(async () => {
  engine = await startCommandLineEngine(21_600);
  table = new DynamoDBClient({ endpoint: engine.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '' });
  requests = createRequests(documentClient(table), engine.outputs.ResultsTable ?? '');
  // A bad PAC: the port stays where it is.
  await engine.write('doubt.csv', createPortFile([{ msisdn: '07700900741', pac: 'INV123456' }]));
  await engine.run('import', 'doubt.csv');
  await until('the port was made', async () => {
    const item = importJson.parse(JSON.parse((await engine.run('--json', 'status', 'doubt.csv')).stdout));
    importId = item.importId;
    return item.requests.created;
  });
  name = `${importId}/1`;
  portId = (await requests.get(importId, 1))?.portId ?? '';
});
afterAll(async () => {
  table?.destroy();
  await engine?.stop();
});

/** As if nobody had ever heard of its port. */
beforeEach(() =>
  until('the request is left to people', async () => {
    const seen = await requests.get(importId, 1);
    const doubt = seen && leftToPeople({ ...seen, portId: undefined }, 'no answer', Date.now());
    return (seen && doubt && (await requests.replace(seen, doubt))) || undefined;
  }),
);

const decide = (...words: string[]) => engine.run('decide', name, ...words);
const stateNow = async () => (await requests.get(importId, 1))?.state;

it('attention names the command', async () => {
  const waiting = await until('attention shows it', async () => {
    const { attention } = attentionJson.parse(JSON.parse((await engine.run('attention', '--json')).stdout));
    return attention.find(({ kind }) => kind === 'request');
  });
  expect(waiting).toMatchObject({ id: name, next: `npm run simporter -- decide ${name}` });
  expect((await engine.run('attention')).stdout).toContain(`Once you have looked: npm run simporter -- decide ${name}`);
});

it('takes the port that the service holds, once', async () => {
  const { exitCode, stdout } = await decide('--adopt', portId, '--because', 'found by its name', '--json');
  expect(exitCode).toBe(0);
  expect(decideJson.parse(JSON.parse(stdout))).toEqual({
    ...{ importId, request: 1, decision: 'adopt' },
    ...{ state: 'created', portId },
  });
  const again = await decide('--adopt', portId);
  expect(again.exitCode).toBe(3);
  expect(again.stderr).toContain('Nothing was changed: it is created');
});

it.each([[['--send-again', '--yes']], [['--give-up']]])('%s is refused as long as the port is there', async (words) => {
  const { exitCode, stdout, stderr } = await decide(...words);
  expect(exitCode).toBe(3);
  expect(stdout).toBe('');
  expect(stderr).toContain(`--adopt ${portId}`);
  expect(await stateNow()).toBe('needs-human');
});

it.each([
  ['no decision', [], 'then say what becomes of it'],
  ['sending again without --yes', ['--send-again'], '--send-again --yes'],
  ['two decisions', ['--give-up', '--send-again', '--yes'], 'cannot be used with'],
])('%s is a usage error', async (_what, words, told) => {
  const { exitCode, stderr } = await decide(...words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(told);
  expect(await stateNow()).toBe('needs-human');
});

it.each(['1', 'doubt.csv', 'doubt.csv/0', 'doubt.csv/99'])('knows no request %s', async (given) => {
  expect((await engine.run('decide', given, '--give-up')).exitCode).toBe(2);
});

it('--keep names the ports of which one may stay, and goes with no other decision', async () => {
  const twice = async (duplicate: string) => {
    const seen = await requests.get(importId, 1);
    const item = seen && { ...seen, state: 'created' as const, portId, duplicatePortIds: [duplicate] };
    return (seen && item && (await requests.replace(seen, item))) || undefined;
  };
  await until('the request has two ports', () => twice('a-second-port'));
  const unknown = await decide('--keep', 'another');
  expect(unknown.exitCode).toBe(3);
  expect(unknown.stderr).toContain(`none of its ports: ${portId}, a-second-port`);
  const both = await decide('--keep', portId, '--adopt', portId);
  expect(both.exitCode).toBe(2);
});
