// Whether what a function does and what its role allows are the same: the real code of all five runs against embedded
// services, which let everything pass, and each call is held against the template.
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAnnounceHandler } from '#functions/announce/handler.ts';
import { createHandler } from '#functions/ingest/handler.ts';
import { createReportHandler } from '#functions/report/handler.ts';
import { report } from '#functions/report/report.ts';
import { mayLook } from '#functions/report/rest.ts';
import { createSubmitHandler } from '#functions/submit/handler.ts';
import type { SubmitParts } from '#functions/submit/parts.ts';
import { writeLookupPack } from '#functions/sync/lookup-pack.ts';
import { sweepInbox } from '#functions/sync/sweep-inbox.ts';
import { statementsOf } from '#infra/checks/permissions.ts';
import { startEventBridge } from '#local/aws/event-bridge.ts';
import { createEventBus } from '#shared/aws/event-bus.ts';
import { createGiveBack } from '#shared/aws/give-back.ts';
import { createQueues } from '#shared/aws/queues.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { Ambiguous, NotSent } from '#shared/porting/errors.ts';
import { generateRows } from '../../bench/generate-rows.ts';
import { statusRecord } from '../support/events-records.ts';
import { type NeededRight, recordCalls } from '../support/infra-calls.ts';
import { synthesise, withoutHash } from '../support/infra-template.ts';
import { hour } from '../support/porting-service.ts';
import { silentLog, startRig } from '../support/results-rig.ts';
import { type ResultsServices, startResultsServices } from '../support/results-services.ts';
import { ingestBench, notification } from '../support/rows-ingest.ts';

let services: ResultsServices;
let needed: readonly NeededRight[];
const granted = statementsOf(synthesise('prod')).map((statement) => ({
  ...statement,
  role: withoutHash(statement.role),
  resources: statement.resources.map(withoutHash),
}));

const event = (bodies: readonly unknown[]) =>
  ({
    Records: bodies.map((body, index) => ({
      messageId: `m${index}`,
      receiptHandle: 'r',
      attributes: { ApproximateReceiveCount: '1' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })),
  }) as unknown as SQSEvent;
const context = { getRemainingTimeInMillis: () => 600_000 };
const unreadable = 'no message of ours';
const call = 'POST /api/porting/1001';

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());

test('every call that a function makes is allowed to its role', async () => {
  const rig = await startRig(services);
  const eventBridge = await startEventBridge({ region: 'eu-west-2', accountId: '0', clock: Date.now });
  const eventsClient = new EventBridgeClient({ endpoint: eventBridge.url });
  const calls = recordCalls(services, [eventsClient]);
  const { submitQueueUrl, reportQueueUrl, ingestQueueUrl, buckets } = services;
  const queues = createQueues(services.sqs);
  const giveBackTo = (queueUrl: string) => createGiveBack(services.sqs, queueUrl, () => {});
  const metrics = { count: () => {}, gauge: () => {}, flush: () => {} };
  const text = [...generateRows({ rows: 12, combinations: 3, broken: 0.2 })].join('');

  let isServiceDown = false;
  const ingestFunction = createHandler({
    ...ingestBench().dependencies,
    files: rig.files,
    imports: rig.imports,
    requests: rig.requests,
    reminders: rig.reminders,
    queues,
    openCatalogue: () => {
      if (isServiceDown) throw new NotSent('no connection', { call });
      return createCatalogue(rig.porting);
    },
    workBucket: buckets.work,
    resultsBucket: buckets.results,
    calendar: rig.service.now,
    ingestQueueUrl,
    submitQueueUrl,
    reportQueueUrl,
    giveBack: giveBackTo(ingestQueueUrl),
    metrics,
  });
  const drop = async (key: string) => {
    const put = await services.s3.send(new PutObjectCommand({ Bucket: buckets.inbox, Key: key, Body: text }));
    const uploaded = notification(key, { eTag: put.ETag ?? '', versionId: put.VersionId ?? '' });
    await calls.as('IngestRole', () => ingestFunction(event([uploaded, unreadable]), context));
  };
  const submitAll = async (changes: Partial<SubmitParts> = {}) => {
    const waiting = services.waiting('submit').map(({ body }) => body);
    const submitFunction = createSubmitHandler({
      submitterFor: () => (message) => rig.submit(message, changes),
      queues,
      reportQueueUrl,
      giveBack: giveBackTo(submitQueueUrl),
      log: silentLog,
      metrics,
    });
    await calls.as('SubmitRole', () => submitFunction(event([...waiting, unreadable]), context));
  };
  const syncToTheEnd = async () => {
    for (let looks = 0; looks < 60; looks += 1) await calls.as('SyncRole', rig.syncNext);
  };
  const failing = (error: unknown) => ({ client: { ...rig.porting, createPort: () => Promise.reject(error) } });
  /** One port is made although nobody is told: sync finds it by its name and proves it by the plan. Others are sent again. */
  let lost = 0;
  const lostAnswer: SubmitParts['client']['createPort'] = async (body) => {
    lost += 1;
    if (lost === 1) await rig.porting.createPort(body);
    throw new Ambiguous('reset', { call });
  };
  /** A number that was sent is missing in the port: a person is told of it at once. */
  const withoutRows: SubmitParts['client']['port'] = async (portId) => ({
    ...(await rig.porting.port(portId)),
    rows: [],
  });
  const writePack = () =>
    writeLookupPack({
      leases: rig.leases,
      files: rig.files,
      openCatalogue: () => createCatalogue(rig.porting),
      resultsBucket: buckets.results,
      zone: 'Europe/London',
      calendar: rig.service.now,
      runId: 'pack',
      remainingMs: context.getRemainingTimeInMillis,
    });

  const sweep = () =>
    sweepInbox({
      ...{ leases: rig.leases, files: rig.files, imports: rig.imports, queues, ingestQueueUrl, log: silentLog },
      inboxBucket: buckets.inbox,
      account: rig.service.accountId,
      wall: () => Date.now() + hour,
      runId: 'sweep',
      remainingMs: context.getRemainingTimeInMillis,
      onUnreadable: () => {},
    });

  await drop('create-port/one.csv');
  await drop('create-port/again.csv');
  await submitAll(failing(new NotSent('no connection', { call })));
  await submitAll({ client: { ...rig.porting, createPort: lostAnswer } });
  rig.pass(hour);
  await calls.as('SyncRole', rig.sync);
  await submitAll({ client: { ...rig.porting, port: withoutRows } });
  await syncToTheEnd();
  await drop('create-port/once-more.csv');
  isServiceDown = true;
  await drop('create-port/waits.csv');
  await submitAll();
  await calls.as('SyncRole', writePack);
  await services.s3.send(new PutObjectCommand({ Bucket: buckets.inbox, Key: 'create-port/lost.csv', Body: text }));
  await calls.as('SyncRole', sweep);
  const told = services.waiting('report').map(({ body }) => body);
  const { imports, requests, ports, drifts, files } = rig;
  const stores = { imports, requests, ports, drifts, files };
  const parts = { ...stores, operationNamed, resultsBucket: buckets.results, wall: rig.service.now, log: silentLog };
  /** Every import is a large one: told of twice, it leaves a message for the second. */
  const rest = { imports, queues, reportQueueUrl, restOf: () => hour, wall: rig.service.now };
  const reportFunction = createReportHandler({
    reportOn: (importId, cameBack, remainingMs) =>
      report(importId, { ...parts, remainingMs }, (item) => mayLook(item, cameBack, rest)),
    giveBack: giveBackTo(reportQueueUrl),
    log: silentLog,
  });
  await calls.as('ReportRole', () => reportFunction(event([...told, unreadable]), context));
  await calls.as('ReportRole', () => reportFunction(event(told), context));
  const bus = createEventBus(eventsClient, { bus: 'EventBus', source: 'simporter.prod' });
  const announce = createAnnounceHandler({ bus, log: silentLog });
  await calls.as('AnnounceRole', () => announce({ Records: [statusRecord('Complete')] }));
  eventsClient.destroy();
  await eventBridge.stop();

  needed = calls.needed();
  const missing = needed.filter((right) => !isGranted(right));
  expect(missing).toEqual([]);
}, 120_000);

test('no role allows what its function never does', () => {
  const idle = granted
    .filter(({ role, sid }) => role !== 'SyncScheduleRole' && !beyondCode.includes(sid))
    .flatMap(({ role, actions, resources }) =>
      actions
        .filter((action) => !unforeseen.includes(action))
        .flatMap((action) => resources.map((resource) => ({ role, action, resource }))),
    )
    .filter(({ role, action, resource }) => !needed.some((one) => matches(one, role, action, resource)))
    .map(({ role, action, resource }) => `${role} ${action} ${resource}`);
  expect(idle).toEqual([]);
});

/** Used by Lambda itself, by the schedule, by the encryption of S3, or by a client that this run does not have. */
const beyondCode = ['WriteLogs', 'ReadQueue', 'ReadStream', 'FindStream', 'UseKey', 'ReadCredentials', 'PutAside'];

/** Nothing fails in the middle of a file here. */
const unforeseen = ['s3:AbortMultipartUpload'];

const matches = (one: NeededRight, role: string, action: string, resource: string): boolean =>
  one.role === role &&
  one.action === action &&
  (resource.endsWith('*') ? one.resource.startsWith(resource.slice(0, -1)) : one.resource === resource);

const isGranted = (right: NeededRight): boolean =>
  granted.some(({ role, actions, resources }) =>
    actions.some((action) => resources.some((resource) => matches(right, role, action, resource))),
  );
