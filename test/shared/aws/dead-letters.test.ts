// Messages that were put aside, given back over the wire; and the calls that AWS gets instead, which the embedded SQS has not.
import {
  CreateQueueCommand,
  type ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDeadLetters } from '#shared/aws/dead-letters.ts';
import { type ResultsServices, startResultsServices } from '../../support/results-services.ts';

describe('on the wire', () => {
  let services: ResultsServices;
  let asideUrl: string;
  let workUrl: string;

  const create = async (name: string, attributes: Record<string, string> = {}) => {
    const { QueueUrl } = await services.sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
    return QueueUrl ?? '';
  };
  const put = async (url: string, count: number) => {
    for (let index = 0; index < count; index += 1) {
      await services.sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: JSON.stringify({ index }) }));
    }
  };

  beforeAll(async () => {
    services = await startResultsServices();
    asideUrl = await create('aside');
    const arn = 'arn:aws:sqs:us-east-1:000000000000:aside';
    workUrl = await create('work', {
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn, maxReceiveCount: 3 }),
    });
  });
  afterAll(() => services.stop());

  test('the queue of what was put aside is found by the queue that puts it there', async () => {
    expect(await createDeadLetters(services.sqs).of(workUrl)).toBe(asideUrl);
  });

  test('all messages, more than one call takes, come back to the queue they were meant for', async () => {
    const deadLetters = createDeadLetters(services.sqs);
    await put(asideUrl, 23);
    expect(await deadLetters.count(asideUrl)).toBe(23);
    expect(await deadLetters.redrive(workUrl)).toBe(23);
    expect([await deadLetters.count(asideUrl), await deadLetters.count(workUrl)]).toEqual([0, 23]);
    expect(await deadLetters.redrive(workUrl)).toBe(0);
  });

  test('clearing deletes them and tells how many', async () => {
    const deadLetters = createDeadLetters(services.sqs);
    await put(asideUrl, 11);
    expect([await deadLetters.clear(asideUrl), await deadLetters.count(asideUrl)]).toEqual([11, 0]);
  });

  test('a queue that puts nothing aside is named', async () => {
    await expect(createDeadLetters(services.sqs).of(services.submitQueueUrl)).rejects.toThrow(
      'has no dead-letter queue',
    );
  });
});

/** SQS of AWS as far as a redrive asks it. */
function moving(answerMove: () => Promise<unknown>) {
  const commands: unknown[] = [];
  const send = async (command: { constructor: { name: string } }) => {
    commands.push(command);
    const answers: Record<string, () => unknown> = {
      GetQueueAttributesCommand: () => ({
        Attributes: {
          ApproximateNumberOfMessages: '7',
          RedrivePolicy: JSON.stringify({ deadLetterTargetArn: 'arn:aws:sqs:eu-west-2:1:aside', maxReceiveCount: 8 }),
        },
      }),
      GetQueueUrlCommand: () => ({ QueueUrl: 'https://sqs/aside' }),
      StartMessageMoveTaskCommand: answerMove,
    };
    return answers[command.constructor.name]?.();
  };
  return { client: { send } as unknown as SQSClient, commands };
}

describe('on AWS', () => {
  test('the service is asked to move what was put aside, and nothing is received here', async () => {
    const { client, commands } = moving(async () => ({ TaskHandle: 'task' }));
    expect(await createDeadLetters(client).redrive('https://sqs/work')).toBe(7);
    const last = commands.at(-1) as StartMessageMoveTaskCommand | ReceiveMessageCommand;
    expect(last).toBeInstanceOf(StartMessageMoveTaskCommand);
    expect(last.input).toEqual({ SourceArn: 'arn:aws:sqs:eu-west-2:1:aside' });
  });

  test('a move that is under way already is as good', async () => {
    const busy =
      'There is already a task running. Only one active task is allowed for a source queue arn at a given time.';
    const { client } = moving(() => Promise.reject(new Error(busy)));
    expect(await createDeadLetters(client).redrive('https://sqs/work')).toBe(7);
  });

  test('any other refusal is told', async () => {
    const { client } = moving(() => Promise.reject(Object.assign(new Error('no'), { name: 'AccessDenied' })));
    await expect(createDeadLetters(client).redrive('https://sqs/work')).rejects.toThrow('no');
  });
});
