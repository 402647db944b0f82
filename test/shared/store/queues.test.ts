import type { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createQueues } from '#shared/store/queues.ts';
import { type ResultsServices, startResultsServices } from '../../support/embedded/services.ts';

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
}

const patient = { attempts: 3, pause: async () => {} };

function clientThat(fails: (body: string, call: number) => boolean) {
  const calls: string[][] = [];
  const send = async (command: { input: { Entries: Entry[] } }) => {
    const entries = command.input.Entries;
    calls.push(entries.map(({ MessageBody }) => MessageBody));
    const failed = entries.filter(({ MessageBody }) => fails(MessageBody, calls.length));
    return { Failed: failed.map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })) };
  };
  return { client: { send } as unknown as SQSClient, calls };
}

test('fault 25: only the entries that SQS did not take are sent again', async () => {
  const { client, calls } = clientThat((body, call) => call === 1 && body === '3');
  await createQueues(client, patient).send('https://queue', [1, 2, 3, 4]);
  expect(calls).toEqual([['1', '2', '3', '4'], ['3']]);
});

test('a message is in the group of its import, also when it is sent again, and a message without an import in none', async () => {
  const groups: (string | undefined)[] = [];
  const send = async ({ input }: { input: { Entries: (Entry & { MessageGroupId?: string })[] } }) => {
    groups.push(...input.Entries.map(({ MessageGroupId }) => MessageGroupId));
    return { Failed: groups.length === 3 ? [{ Id: '1' }] : [] };
  };
  const bodies = [{ importId: 'a', request: 1 }, { importId: 'b' }, { approve: 'c' }];
  await createQueues({ send } as unknown as SQSClient, patient).send('https://queue', bodies);
  expect(groups).toEqual(['a', 'b', undefined, 'b']);
});

test('entries that are never taken are an error', async () => {
  const { client, calls } = clientThat((body) => body === '2');
  await expect(createQueues(client, patient).send('https://queue', [1, 2])).rejects.toThrow('did not take 1 messages');
  expect(calls).toHaveLength(3);
});

describe('over HTTP', () => {
  let services: ResultsServices;
  beforeAll(async () => {
    services = await startResultsServices();
  });
  afterAll(() => services.stop());

  test('any number of bodies are sent, ten a call, with their delay', async () => {
    const bodies = Array.from({ length: 23 }, (_, index) => ({ importId: 'a', request: index + 1 }));
    await createQueues(services.sqs).send(services.submitQueueUrl, bodies, { delaySeconds: 30.2 });
    const waiting = services.waiting('submit');
    expect(waiting.map(({ body }) => body)).toEqual(bodies);
    expect(new Set(waiting.map(({ delaySeconds }) => delaySeconds))).toEqual(new Set([31]));
  });
});
