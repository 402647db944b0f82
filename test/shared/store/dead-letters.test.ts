// Dead-lettered messages, redriven and cleared over HTTP, and the calls that a redrive makes.
import { randomUUID } from 'node:crypto';
import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDeadLetters } from '#shared/store/dead-letters.ts';
import { type ResultsServices, startResultsServices } from '../../support/embedded/services.ts';

describe('over HTTP', () => {
  let services: ResultsServices;
  let deadUrl: string;
  let workUrl: string;

  const create = async (name: string, attributes: Record<string, string> = {}) => {
    const { QueueUrl } = await services.sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
    return QueueUrl ?? '';
  };
  /** Sends messages to the work queue, and receives each of them more often than the queue allows. */
  const deadLetter = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      await services.sqs.send(new SendMessageCommand({ QueueUrl: workUrl, MessageBody: JSON.stringify({ index }) }));
    }
    const receive = { QueueUrl: workUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 };
    while ((await createDeadLetters(services.sqs).count(deadUrl)) < count)
      await services.sqs.send(new ReceiveMessageCommand(receive));
  };

  beforeAll(async () => {
    services = await startResultsServices();
  });
  beforeEach(async () => {
    const name = randomUUID();
    deadUrl = await create(`dead-${name}`);
    const deadLetterTargetArn = `arn:aws:sqs:us-east-1:000000000000:dead-${name}`;
    workUrl = await create(`work-${name}`, {
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 }),
    });
  });
  afterAll(() => services.stop());

  test('the dead-letter queue is found by its source queue', async () => {
    expect(await createDeadLetters(services.sqs).of(workUrl)).toBe(deadUrl);
  });

  test('all messages, more than one call takes, are moved back to their source queue', async () => {
    const deadLetters = createDeadLetters(services.sqs);
    await deadLetter(23);
    expect(await deadLetters.count(deadUrl)).toBe(23);
    expect(await deadLetters.redrive(workUrl)).toBe(23);
    expect([await deadLetters.count(deadUrl), await deadLetters.count(workUrl)]).toEqual([0, 23]);
    expect(await deadLetters.redrive(workUrl)).toBe(0);
  });

  test('or to another queue, where people may not send to the source queue', async () => {
    const deadLetters = createDeadLetters(services.sqs);
    await deadLetter(3);
    expect(await deadLetters.redrive(workUrl, services.commandQueueUrl)).toBe(3);
    expect(await deadLetters.count(deadUrl)).toBe(0);
    expect(await deadLetters.count(services.commandQueueUrl)).toBe(3);
  });

  test('clearing deletes them and answers how many', async () => {
    const deadLetters = createDeadLetters(services.sqs);
    await deadLetter(11);
    expect([await deadLetters.clear(deadUrl), await deadLetters.count(deadUrl)]).toEqual([11, 0]);
  });

  test('a queue without a dead-letter queue is named', async () => {
    await expect(createDeadLetters(services.sqs).of(services.submitQueueUrl)).rejects.toThrow(
      'has no dead-letter queue',
    );
  });
});

/** The calls of SQS that a redrive makes. */
function moving(answerMove: () => Promise<unknown>) {
  const commands: unknown[] = [];
  const send = async (command: { constructor: { name: string } }) => {
    commands.push(command);
    const answers: Record<string, () => unknown> = {
      GetQueueAttributesCommand: () => ({
        Attributes: {
          ApproximateNumberOfMessages: '7',
          QueueArn: 'arn:aws:sqs:eu-west-2:1:work',
          RedrivePolicy: JSON.stringify({ deadLetterTargetArn: 'arn:aws:sqs:eu-west-2:1:dead', maxReceiveCount: 8 }),
        },
      }),
      GetQueueUrlCommand: () => ({ QueueUrl: 'https://sqs/dead' }),
      StartMessageMoveTaskCommand: answerMove,
    };
    return answers[command.constructor.name]?.();
  };
  return { client: { send } as unknown as SQSClient, commands };
}

describe('on AWS', () => {
  test('SQS is asked to move the messages, and none is received here', async () => {
    const { client, commands } = moving(async () => ({ TaskHandle: 'task' }));
    expect(await createDeadLetters(client).redrive('https://sqs/work')).toBe(7);
    const last = commands.at(-1) as StartMessageMoveTaskCommand | ReceiveMessageCommand;
    expect(last).toBeInstanceOf(StartMessageMoveTaskCommand);
    const DestinationArn = 'arn:aws:sqs:eu-west-2:1:work';
    expect(last.input).toEqual({ SourceArn: 'arn:aws:sqs:eu-west-2:1:dead', DestinationArn });
  });

  test('a move that is in progress is as good', async () => {
    const busy =
      'There is already a task running. Only one active task is allowed for a source queue arn at a given time.';
    const { client } = moving(() => Promise.reject(new Error(busy)));
    expect(await createDeadLetters(client).redrive('https://sqs/work')).toBe(7);
  });

  test('any other error is thrown', async () => {
    const { client } = moving(() => Promise.reject(Object.assign(new Error('no'), { name: 'AccessDenied' })));
    await expect(createDeadLetters(client).redrive('https://sqs/work')).rejects.toThrow('no');
  });
});
