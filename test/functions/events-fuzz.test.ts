// Arbitrary events, messages and items: they are read correctly or rejected. One that cannot be read fails alone and is
// delivered again, and no text changes a prototype.
import type { SQSEvent } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readMessage } from '#functions/ingest/handler.ts';
import { createReportHandler } from '#functions/report/handler.ts';
import { createSubmitHandler } from '#functions/submit/handler.ts';
import { createSyncHandler } from '#functions/sync/handler.ts';
import { readUploadSettings } from '#shared/files/upload-settings.ts';
import { importItem } from '#shared/import/import.ts';
import { comparisonItem } from '#shared/outcome/service-comparison.ts';
import { portEvent, portItem } from '#shared/port/port.ts';
import { numberItem } from '#shared/request/number-claim.ts';
import { requestItem } from '#shared/request/request.ts';
import { simulatorPath } from '#shared/service/service-texts.ts';
import { parseUploadKey } from '#shared/store/object-keys.ts';
import { createPlans, PlanMismatch } from '#shared/store/plans.ts';
import { createLambdaHandler as createSandboxHandler } from '#simulator/lambda-handler.ts';
import { double } from '../support/double.ts';
import { lambdaContext } from '../support/lambda-context.ts';
import { anyJson, assertUnpolluted, nearlyRight } from '../support/nearly-right.ts';
import { portItemOf, requestItemOf } from '../support/steps/ledger-items.ts';
import { importItemOf } from '../support/steps/submit-and-sync.ts';
import { silentLog, testResources } from '../support/steps/test-pipeline.ts';

const importId = 'import-a';
const plan = { key: 'imports/import-a/plan.ndjson', start: 0, end: 10, digest: 'sha-256' };
const submitMessage = { importId, request: 1, plan };
const object = { key: 'create-port/july+1.csv', eTag: '"e"', versionId: 'v1', sequencer: '0A' };
const notification = { Records: [{ eventName: 'ObjectCreated:Put', s3: { bucket: { name: 'inbox' }, object } }] };
const rescheduling = { reschedule: importId, date: '2026-07-20', requests: [1], ask: 'a1' };

/** The body of a message: any text, any JSON, or `right` except for one place. */
const bodyNear = (right: unknown) =>
  fc.oneof(
    fc.string({ maxLength: 40 }),
    anyJson.map((value) => JSON.stringify(value)),
    nearlyRight(right).map((value) => JSON.stringify(value)),
  );
const eventOf = (bodies: readonly string[]) =>
  ({
    Records: bodies.map((body, index) => ({
      messageId: `m${index}`,
      body,
      eventSourceARN: 'arn:aws:sqs:eu-west-2:1:ingest',
      attributes: { ApproximateReceiveCount: '1' },
    })),
  }) as unknown as SQSEvent;
const context = lambdaContext();
const metrics = { flush: () => {} };

describe('a message of a queue', () => {
  test('to ingest is an upload, an approval, a move, or an error of its shape', () => {
    const bodies = fc.oneof(bodyNear(notification), bodyNear(rescheduling), bodyNear({ approve: importId }));
    fc.assert(
      fc.property(bodies, (body) => {
        try {
          const { uploads } = readMessage(body);
          for (const { bucket, key } of uploads) expect(bucket.length * key.length).toBeGreaterThan(0);
        } catch (error) {
          const isOfShape =
            error instanceof z.core.$ZodError || error instanceof SyntaxError || error instanceof URIError;
          expect(isOfShape ? '' : error).toBe('');
        }
        assertUnpolluted();
      }),
      { numRuns: 600 },
    );
  });

  test('to submit names a request, or fails alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bodyNear(submitMessage), { maxLength: 5 }), async (bodies) => {
        const taken: unknown[] = [];
        const handler = createSubmitHandler(
          double({
            submitterFor: () => async (message) => {
              taken.push(message);
              return 'created';
            },
            queues: { send: async () => {} },
            isRefreshPlanned: () => false,
            resources: testResources,
            rateLimiter: { noteQueue: () => {}, isSaturated: () => false },
            clocks: { wall: () => 0 },
            retryLater: async () => {},
            log: silentLog,
            metrics,
          }),
        );
        const { batchItemFailures } = await handler(eventOf(bodies), context);
        expect(batchItemFailures.length + taken.length).toBe(bodies.length);
        assertUnpolluted();
      }),
      { numRuns: 200 },
    );
  });

  test('to report names an import, or fails alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bodyNear({ importId }), { maxLength: 5 }), async (bodies) => {
        const told = new Set<string>();
        const handler = createReportHandler({
          reportOn: async ({ importId: id }) => void told.add(id),
          retryLater: async () => {},
          log: silentLog,
        });
        const { batchItemFailures } = await handler(eventOf(bodies), context);
        expect(batchItemFailures.length + told.size).toBeLessThanOrEqual(bodies.length);
        expect(batchItemFailures.length === bodies.length || told.size > 0).toBe(true);
        assertUnpolluted();
      }),
      { numRuns: 200 },
    );
  });
});

test('a tick of the schedule is one run of sync, whatever the event holds', async () => {
  let runs = 0;
  const handler = createSyncHandler({
    runSync: async () => {
      runs += 1;
      return {} as never;
    },
    resolve: () => Promise.reject(new Error('nobody asked for a decision')),
    examine: () => Promise.reject(new Error('nobody asked to examine the service')),
    listPorts: () => Promise.reject(new Error('nobody asked for the ports')),
    log: silentLog,
    metrics: double(metrics),
  });
  const events = fc.sample(anyJson, 50);
  for (const event of events) await handler(event, context);
  expect(runs).toBe(events.length);
});

describe('an upload', () => {
  test('has a key that names a folder, or is not an upload', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 30 }),
        fc.array(fc.constantFrom('plan', '/', '.', 'x.csv', '__proto__')),
        (text, parts) => {
          const read = parseUploadKey(parts.join('') + text);
          if (read !== undefined) expect(read.folder).not.toContain('/');
        },
      ),
    );
  });

  test('has options that can be read, or a problem that names the wrong one', () => {
    const names = fc.constantFrom('plan-only', 'tolerate', 'set-tariff', 'set-__proto__', 'SET-', '__proto__', 'x');
    const metadata = fc.array(fc.tuple(names, fc.oneof(fc.string(), fc.constantFrom('%', '%zz', '101', '-1', 'true'))));
    fc.assert(
      fc.property(metadata, (pairs) => {
        const {
          toleratedFailurePercentage: tolerated,
          defaults,
          problem,
        } = readUploadSettings(Object.fromEntries(pairs));
        expect(tolerated === undefined || (tolerated >= 0 && tolerated <= 100)).toBe(true);
        if (tolerated !== undefined) expect(problem ?? '').not.toContain('tolerate "');
        for (const value of Object.values(defaults)) expect(typeof value).toBe('string');
        assertUnpolluted();
      }),
      { numRuns: 300 },
    );
  });
});

describe('the sandbox', () => {
  const httpEvent = {
    version: '2.0',
    rawPath: `${simulatorPath}/api/company`,
    rawQueryString: 'a=1',
    headers: { authorization: 'Bearer x' },
    body: '{}',
    isBase64Encoded: false,
    requestContext: { domainName: 'sandbox.example', http: { method: 'POST' } },
  };

  test('answers any readable call, moves its clock, or names what is wrong', async () => {
    let answered = 0;
    const handler = createSandboxHandler({
      fetch: async () => {
        answered += 1;
        return new Response('{}');
      },
      advanceClock: async (milliseconds: number) => expect(milliseconds).toBeGreaterThanOrEqual(0),
    } as never);
    const events = fc.oneof(anyJson, nearlyRight(httpEvent), nearlyRight({ advanceMs: 1 }));
    await fc.assert(
      fc.asyncProperty(events, async (event) => {
        try {
          const answer = await handler(event);
          if (answer !== undefined) expect(answer.statusCode).toBeGreaterThanOrEqual(200);
        } catch (error) {
          expect(error instanceof z.core.$ZodError ? '' : error).toBe('');
        }
        assertUnpolluted();
      }),
      { numRuns: 500 },
    );
    expect(answered).toBeGreaterThan(0);
  });
});

describe('the content of the storage', () => {
  const excludedRows = [{ line: 2, subject: '447700900001', code: 'ROW_REFUSED', message: 'why' }];
  const items: readonly [
    string,
    { safeParse(value: unknown): { success: boolean; error?: z.core.$ZodError } },
    unknown,
  ][] = [
    ['an import', importItem, importItemOf(importId)],
    ['a request', requestItem, { ...requestItemOf(), excludedRows, error: { kind: 'rejected', message: 'no' } }],
    ['a port', portItem, portItemOf()],
    ['an event', portEvent, { portId: 'p', at: '2026-07-06T12:00:00.000Z', status: 'Created' }],
    ['a number', numberItem, { number: '4477', importId, request: 1, line: 2, claimedAt: '2026-07-06T12:00:00Z' }],
    ['a comparison', comparisonItem, { importId, request: 1, account: '1@service', portId: 'p', state: 'due' }],
  ];

  test.each(items)('%s is read, or is rejected', (_name, schema, right) => {
    fc.assert(
      fc.property(fc.oneof(anyJson, nearlyRight(right)), (value) => {
        const read = schema.safeParse(value);
        if (!read.success) expect(read.error?.issues.length).toBeGreaterThan(0);
        assertUnpolluted();
      }),
      { numRuns: 200 },
    );
  });

  test('a plan without this request is a mismatch, and the error does not contain its text', async () => {
    const item = requestItemOf();
    const rows = [{ line: 2, subject: '447700900001', wire: { pac: 'ABC123456' } }];
    const right = { importId, request: 1, operation: 'create-port', token: item.token, label: 'Group', head: {}, rows };
    await fc.assert(
      fc.asyncProperty(bodyNear(right), async (text) => {
        const plans = createPlans(double({ readBytes: async () => Buffer.from(text) }), 'work');
        try {
          expect(await plans.read(item)).toMatchObject({ importId, request: 1, token: item.token });
        } catch (error) {
          expect(error).toBeInstanceOf(PlanMismatch);
          expect(String(error)).not.toContain('ABC123456');
        }
        assertUnpolluted();
      }),
      { numRuns: 300 },
    );
  });
});
