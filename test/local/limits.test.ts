// Every limit of the emulator is seen to decline: what it takes at the limit, and what it says beyond. Those of SQS, S3
// and DynamoDB that the in-memory doubles hold as well are in test/chaos/contract.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createEventBridge } from '#local/aws/event-bridge.ts';
import { handleInvoke } from '#local/aws/lambda.ts';
import { openHttpApis } from '#local/http/http-api.ts';
import { type LoopbackServer, serveOnLoopback } from '#local/http/loopback.ts';
import { Environment } from '#local/lambda/environment.ts';
import { isEndless } from '#local/lambda/recursion-detection.ts';
import { limits } from '#local/limits.ts';
import { readBlueprint } from '#local/template/blueprint.ts';
import type { limitUses } from '../chaos/contract/limits-contract.ts';
import { connectionTo } from '../support/emulator/emulator.ts';
import { type Served, type ServedSqs, serveS3, serveSqs } from '../support/emulator/services.ts';
import { blueprintContext, lambda, mapping, queue, stackOf } from '../support/emulator/templates.ts';

interface LimitCheck {
  /** Uses `count` of what the limit counts, and resolves with what the emulator says, or rejects. */
  readonly use: (count: number) => unknown;
  /** What is thrown beyond the limit. */
  readonly error: RegExp;
  /** Fewer are declined, not more. */
  readonly isLeast?: true;
}

const text = (bytes: number): string => 'x'.repeat(bytes);

let folder: string;
let s3: Served;
let sqs: ServedSqs;
let client: SQSClient;
let url: string | undefined;
let served: LoopbackServer[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulator-limits-'));
  s3 = await serveS3({ directory: join(folder, 's3'), clock: Date.now, deliver: async () => {}, log: () => {} });
  await fetch(`${s3.url}/inbox`, { method: 'PUT' });
  sqs = await serveSqs();
  client = new SQSClient(connectionTo(sqs.url));
  ({ QueueUrl: url } = await client.send(new CreateQueueCommand({ QueueName: 'work' })));
  served = [];
});
afterAll(async () => {
  client.destroy();
  await Promise.all([s3.stop(), sqs.stop(), ...served.map((server) => server.close())]);
  await rm(folder, { recursive: true });
});

/** What a server answers; thrown where it declines. */
const answerOf = async (response: Response): Promise<string> => {
  const body = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${response.headers.get('x-amzn-errortype') ?? ''} ${body}`);
  return body;
};

const nothing = async () => ({ ok: true, payload: null }) as const;

const invokeBy = (type: 'Event' | 'RequestResponse') => async (bytes: number) => {
  const server = await serveOnLoopback(handleInvoke({ invoke: nothing, knows: () => true }));
  served.push(server);
  const headers = { 'x-amz-invocation-type': type };
  const body = JSON.stringify(text(bytes - 2));
  return answerOf(await fetch(`${server.url}/2015-03-31/functions/any/invocations`, { method: 'POST', headers, body }));
};

async function answerOfBytes(length: number): Promise<unknown> {
  const bundle = join(folder, 'answer.mjs');
  await writeFile(bundle, "export const handler = async ({ length }) => 'x'.repeat(length);");
  const described = { name: 'answer', arn: 'arn', bundle, exported: 'handler', timeoutMs: 60_000, memoryMb: 512 };
  const environment = new Environment(
    { ...described, variables: {}, concurrency: 1, isInteractive: false },
    () => undefined,
  );
  const outcome = await environment.invoke({ length: length - 2 }, 'Root=1');
  environment.kill('SIGKILL');
  await environment.exited;
  if (!outcome.ok) throw new Error(`${outcome.error.name}: ${outcome.error.message}`);
  return outcome.payload;
}

const readFunction = (properties: object) =>
  readBlueprint([stackOf({ One: lambda('slow', properties) })], blueprintContext);
const readMapping = (properties: object) =>
  readBlueprint(
    [stackOf({ Work: queue(), One: lambda('slow'), Source: mapping('Work', 'One', properties) })],
    blueprintContext,
  );

const putEvents = async (details: readonly string[]) => {
  const bus = createEventBridge({ region: 'eu-west-2', accountId: '000000000000', clock: Date.now });
  const server = await serveOnLoopback(bus.handle);
  served.push(server);
  const Entries = details.map((Detail) => ({ Source: 's', DetailType: 'type', Detail, Time: 1, Resources: ['one'] }));
  const headers = { 'x-amz-target': 'AWSEvents.PutEvents' };
  return answerOf(await fetch(server.url, { method: 'POST', headers, body: JSON.stringify({ Entries }) }));
};

/** A POST without a body to an HTTP API. @param headBytes of its request line and header values */
async function callApi(invoke: typeof nothing, headBytes?: number): Promise<unknown> {
  const apis = await openHttpApis(['api'], {}, Date.now);
  const routes = [{ key: '$default', needsToken: false, functionArn: 'function' }];
  apis.serve([{ logicalId: 'Api', id: 'api', routes }], invoke, () => undefined);
  const address = new URL(apis.endpoints.api ?? '');
  const known = { host: address.host, connection: 'close', 'content-length': '0' };
  const counted = 'POST / HTTP/1.1'.length + Object.values(known).join('').length;
  const headers = { ...known, ...(headBytes && { authorization: text(headBytes - counted) }) };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(address, { method: 'POST', headers }, resolve).on('error', reject).end();
  const response = await promise;
  const answer = Buffer.concat(await Array.fromAsync(response)).toString();
  await apis.close();
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${answer}`);
  return answer;
}

const checks: Record<Exclude<keyof typeof limits, keyof typeof limitUses>, LimitCheck> = {
  lambdaAnswerBytes: { use: answerOfBytes, error: /^Function\.ResponseSizeTooLarge: .*\(6291556 bytes\)/ },
  lambdaEventBytes: { use: invokeBy('RequestResponse'), error: /^413 RequestTooLargeException .*RequestResponse/ },
  lambdaAsyncEventBytes: { use: invokeBy('Event'), error: /^413 RequestTooLargeException .*Event/ },
  lambdaSeconds: { use: (Timeout) => readFunction({ Timeout }), error: /Timeout/ },
  lambdaMinMemoryMb: { use: (MemorySize) => readFunction({ MemorySize }), error: /MemorySize/, isLeast: true },
  lambdaMaxMemoryMb: { use: (MemorySize) => readFunction({ MemorySize }), error: /MemorySize/ },
  lambdaVariablesBytes: {
    use: (bytes) => readFunction({ Environment: { Variables: { A: text(bytes - '{"A":""}'.length) } } }),
    error: /Environment\.Variables/,
  },
  lambdaChain: {
    use: (invocations) => {
      // The hash of the ARN, as the trace header has it; the next invocation of the chain.
      if (isEndless(`Root=1;Lineage=42e7ab5b:${invocations - 1}`, 'arn')) throw new Error('endless');
    },
    error: /endless/,
  },
  mappingBatch: {
    use: (BatchSize) => readMapping({ BatchSize, MaximumBatchingWindowInSeconds: 1 }),
    error: /BatchSize/,
  },
  mappingBatchWithoutWindow: {
    use: (BatchSize) => readMapping({ BatchSize }),
    error: /MaximumBatchingWindowInSeconds/,
  },
  mappingWindowSeconds: {
    use: (MaximumBatchingWindowInSeconds) => readMapping({ MaximumBatchingWindowInSeconds }),
    error: /MaximumBatchingWindowInSeconds/,
  },
  mappingMinConcurrency: {
    use: (MaximumConcurrency) => readMapping({ ScalingConfig: { MaximumConcurrency } }),
    error: /MaximumConcurrency/,
    isLeast: true,
  },
  mappingMaxConcurrency: {
    use: (MaximumConcurrency) => readMapping({ ScalingConfig: { MaximumConcurrency } }),
    error: /MaximumConcurrency/,
  },
  sqsQueueName: {
    use: (length) => client.send(new CreateQueueCommand({ QueueName: text(length) })),
    error: /queue name/,
  },
  sqsAttributes: {
    use: (count) => {
      const names = Array.from({ length: count }, (_, index) => `attribute-${index}`);
      const attributes = names.map((name) => [name, { DataType: 'String', StringValue: 'x' }]);
      const MessageAttributes = Object.fromEntries(attributes);
      return client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'x', MessageAttributes }));
    },
    error: /message attributes \[11\]/,
  },
  sqsGroupId: {
    use: (length) =>
      client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'x', MessageGroupId: text(length) })),
    error: /MessageGroupId/,
  },
  sqsDelaySeconds: {
    use: (DelaySeconds) => client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'x', DelaySeconds })),
    error: /DelaySeconds/,
  },
  sqsVisibilitySeconds: {
    use: async (VisibilityTimeout) => {
      await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'x' }));
      const { Messages: [message] = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl: url }));
      const ReceiptHandle = message?.ReceiptHandle;
      return client.send(new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle, VisibilityTimeout }));
    },
    error: /VisibilityTimeout/,
  },
  sqsWaitSeconds: {
    use: async (WaitTimeSeconds) => {
      await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'x' }));
      return client.send(new ReceiveMessageCommand({ QueueUrl: url, WaitTimeSeconds }));
    },
    error: /WaitTimeSeconds/,
  },
  s3Parts: {
    use: async (part) => {
      const begun = await fetch(`${s3.url}/inbox/a?uploads`, { method: 'POST' });
      const id = /<UploadId>(.*)<\/UploadId>/.exec(await begun.text())?.[1];
      return answerOf(await fetch(`${s3.url}/inbox/a?partNumber=${part}&uploadId=${id}`, { method: 'PUT', body: 'x' }));
    },
    error: /^400 .*InvalidArgument/s,
  },
  eventBridgeEntries: {
    use: (count) => putEvents(Array.from({ length: count }, () => '{}')),
    error: /^400 .*Entries/s,
  },
  eventBridgeBytes: {
    use: (bytes) => {
      // Two events, each with a source, a type, a resource and a time.
      const others = 2 * ('s'.length + 'type'.length + 'one'.length + 14) + '{}'.length;
      return putEvents(['{}', JSON.stringify({ a: text(bytes - others - '{"a":""}'.length) })]);
    },
    error: /^400 .*over the limit/,
  },
  httpHeadBytes: { use: (bytes) => callApi(nothing, bytes), error: /^431/ },
  httpSeconds: {
    use: async (seconds) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { promise: began, resolve: begin } = Promise.withResolvers<void>();
      const takeAlmost = async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        setTimeout(resolve, seconds * 1_000 - 1);
        begin();
        await promise;
        return nothing();
      };
      const pass = began.then(() => vi.advanceTimersByTimeAsync(seconds * 1_000));
      await Promise.all([callApi(takeAlmost), pass]).finally(() => vi.useRealTimers());
    },
    error: /^503/,
  },
};

test.each(Object.entries(checks))('%s', async (name, { use, error, isLeast }) => {
  const { value } = limits[name as keyof typeof limits];
  await use(value);
  await expect((async () => use(isLeast ? value - 1 : value + 1))()).rejects.toThrow(error);
});
