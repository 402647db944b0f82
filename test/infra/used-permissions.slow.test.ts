// Each role allows exactly what its function uses. The code of all five functions runs against embedded AWS services,
// which allow everything, and each call is compared with the template.

import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAnnounceHandler } from '#functions/announce/handler.ts';
import { createIngestHandler } from '#functions/ingest/handler.ts';
import { createReportHandler, mayRefresh } from '#functions/report/handler.ts';
import { report } from '#functions/report/report.ts';
import { writeWorkbooks } from '#functions/report/write-workbooks.ts';
import type { SubmitPipeline } from '#functions/submit/attempt.ts';
import { createSubmitHandler } from '#functions/submit/handler.ts';
import { listPorts } from '#functions/sync/list-ports.ts';
import { sweepInbox } from '#functions/sync/lost-messages.ts';
import { writeReferenceData } from '#functions/sync/reference-data.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import { writeAnalytics } from '#shared/results/analytics.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { Ambiguous, NotSent } from '#shared/service/errors.ts';
import { createEventBus } from '#shared/store/event-bus.ts';
import { createIsFirstUse } from '#shared/store/first-uses.ts';
import { importFileKey } from '#shared/store/object-keys.ts';
import { createQueues, createRetryLater } from '#shared/store/queues.ts';
import { type ResultsServices, startResultsServices } from '../support/embedded/services.ts';
import { serveEventBridge } from '../support/emulator/services.ts';
import { grantsOf, isGrantedBy, unusedOf } from '../support/infra/granted-permissions.ts';
import { statusRecord } from '../support/infra/stream-records.ts';
import { synthesise } from '../support/infra/template.ts';
import { recordUsedPermissions, type UsedPermission } from '../support/infra/used-permissions.ts';
import { generateRows } from '../support/ingest/generate-rows.ts';
import { ingestBench, notification } from '../support/ingest/ingest.ts';
import { lambdaContext } from '../support/lambda-context.ts';
import { hour } from '../support/service/simulator.ts';
import { startRig } from '../support/steps/submit-and-sync.ts';
import { silentLog } from '../support/steps/test-pipeline.ts';

let services: ResultsServices;
let used: readonly UsedPermission[];
const granted = grantsOf(synthesise('prod'));

const event = (bodies: readonly unknown[], queue = 'ingest') =>
  ({
    Records: bodies.map((body, index) => ({
      messageId: `m${index}`,
      receiptHandle: 'r',
      eventSourceARN: `arn:aws:sqs:eu-west-2:1:${queue}`,
      attributes: { ApproximateReceiveCount: '1' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })),
  }) as unknown as SQSEvent;
const context = lambdaContext(() => 600_000);
const unreadable = 'not a message of simporter';
const call = 'POST /api/porting/1001';

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());

test('every call of a function is allowed to its role', async () => {
  const rig = await startRig(services);
  const eventBridge = await serveEventBridge(Date.now);
  const eventsClient = new EventBridgeClient({ endpoint: eventBridge.url });
  const calls = recordUsedPermissions(services, [eventsClient]);
  const { submitQueueUrl, reportQueueUrl, buckets } = services;
  const queues = createQueues(services.sqs);
  const retryLaterTo = (queueUrl: string) => createRetryLater(services.sqs, queueUrl, silentLog);
  const metrics = { count: () => {}, gauge: () => {}, flush: () => {} };
  const text = [...generateRows({ rows: 12, combinations: 3, broken: 0.2 })].join('');

  let isServiceDown = false;
  const ingestFunction = createIngestHandler({
    ...ingestBench().dependencies,
    files: rig.files,
    imports: rig.imports,
    requests: rig.requests,
    ports: rig.ports,
    numbers: rig.numbers,
    notifications: rig.notifications,
    queues,
    openCatalogue: () => {
      if (isServiceDown) throw new NotSent('no connection', { call });
      return createCatalogue(rig.porting);
    },
    clocks: { ...ingestBench().dependencies.clocks, calendar: rig.service.now },
    resources: rig.syncParts().resources,
    retryLater: (queueUrl, records) => retryLaterTo(queueUrl)(records),
    metrics,
  });
  const upload = async (key: string, content = text, queue = 'ingest') => {
    const put = await services.s3.send(new PutObjectCommand({ Bucket: buckets.inbox, Key: key, Body: content }));
    const uploaded = notification(key, { eTag: put.ETag ?? '', versionId: put.VersionId ?? '' });
    await calls.as('IngestRole', () => ingestFunction(event([uploaded, unreadable], queue), context));
  };
  /** The rows of an earlier upload, as a file that corrects it. */
  const correct = async (corrected: string) => {
    const root = (await rig.imports.list()).find(({ key }) => key === corrected);
    const [header, ...rows] = text.trim().split(/\r?\n/);
    const marked = rows.map((row, index) => `${row},${root?.importId},${index + 2}`);
    await upload('create-port/correction.csv', [`${header},importId,line`, ...marked, ''].join('\n'));
  };
  const submitAll = async (changes: Partial<SubmitPipeline> = {}) => {
    const waiting = services.waiting('submit').map(({ body }) => body);
    const submitFunction = createSubmitHandler({
      ...rig.submitParts(),
      submitterFor: () => (message) => rig.submit(message, changes),
      isRefreshPlanned: () => false,
      retryLater: retryLaterTo(submitQueueUrl),
    });
    await calls.as('SubmitRole', () => submitFunction(event([...waiting, unreadable]), context));
  };
  const syncToTheEnd = async () => {
    for (let run = 0; run < 60; run += 1) await calls.as('SyncRole', rig.syncNext);
  };
  /** A change of a port: submit asks whether the port is being moved. */
  const cancelPort = async () => {
    for (const { importId } of await rig.imports.list()) {
      for await (const { portId, lines = '' } of rig.requests.ofImport(importId)) {
        if (portId === undefined) continue;
        // As if a port of the import had been moved.
        await rig.imports.update(importId, { hasParts: true });
        const [line = 2] = unpackLines(lines);
        const [msisdn] = (text.split(/\r?\n/)[line - 1] ?? '').split(',');
        return upload('cancel-port/one.csv', `msisdn,portId\r\n${msisdn},${portId}\r\n`);
      }
    }
    throw new Error('no port was created');
  };
  const failing = (error: unknown) => ({ client: { ...rig.porting, createPort: () => Promise.reject(error) } });
  /** The first port is created but its answer is lost: sync finds it by its name. The others are not created. */
  let lost = 0;
  const lostAnswer: SubmitPipeline['client']['createPort'] = async (body) => {
    lost += 1;
    if (lost === 1) await rig.porting.createPort(body);
    throw new Ambiguous('reset', { call });
  };
  /** The created port lacks its numbers: action is required at once. */
  const withoutRows: SubmitPipeline['client']['port'] = async (portId) => ({
    ...(await rig.porting.port(portId)),
    rows: [],
  });
  const writeReference = () =>
    writeReferenceData(
      rig.syncParts({ runId: 'reference-data', deadline: createDeadline(context.getRemainingTimeInMillis) }),
    );

  const sweep = () =>
    sweepInbox(
      rig.runParts({
        clocks: { wall: () => Date.now() + hour, calendar: rig.service.now },
        runId: 'sweep',
        deadline: createDeadline(context.getRemainingTimeInMillis),
      }),
    );

  /** A request ended without the provisioning order that it was to create: another one may create it. */
  const leaveName = async (importId: string) => {
    const isFirstUse = createIsFirstUse(services.table, rig.table, Date.now);
    const requests = await Array.fromAsync(rig.requests.ofImport(importId));
    const { request } = requests.find(({ state }) => state === 'skipped') ?? { request: 0 };
    const ended = { importId, request };
    const next = { importId, request: request + 1 };
    expect(await isFirstUse('of its own', 1, ended)).toBe(true);
    expect(await isFirstUse('of its own', 1, next)).toBe(false);
    await isFirstUse.isComing('of its own', 1);
    expect(await isFirstUse('of its own', 1, next)).toBe(true);
  };

  await upload('create-port/one.csv');
  await upload('create-port/again.csv');
  await submitAll(failing(new NotSent('no connection', { call })));
  await submitAll({ client: { ...rig.porting, createPort: lostAnswer } });
  rig.pass(hour);
  await calls.as('SyncRole', rig.sync);
  await submitAll({ client: { ...rig.porting, port: withoutRows } });
  await cancelPort();
  await submitAll();
  const again = (await rig.imports.list()).find(({ key }) => key === 'create-port/again.csv');
  await calls.as('SubmitRole', () => leaveName(again?.importId ?? ''));
  await syncToTheEnd();
  await upload('create-port/once-more.csv');
  await correct('create-port/one.csv');
  await correct('create-port/one.csv');
  isServiceDown = true;
  await upload('create-port/waits.csv');
  await upload('create-port/redriven.csv', text, 'command');
  await submitAll();
  await calls.as('SyncRole', writeReference);
  await services.s3.send(new PutObjectCommand({ Bucket: buckets.inbox, Key: 'create-port/lost.csv', Body: text }));
  await calls.as('SyncRole', sweep);
  await calls.as('SyncRole', () => rig.syncParts().searches.save({}));
  for (let reading = 1; reading <= 2; reading += 1) await calls.as('SyncRole', () => listPorts(rig.syncParts()));
  const moved = {
    importId: 'import-a',
    request: 1,
    operation: 'create-port',
    token: 't',
    label: '',
    head: {},
    rows: [],
  };
  await calls.as('SyncRole', () => rig.syncParts().plans.replace({ ...moved, operation: 'create-port' }));
  const changes = services.waiting('report').map(({ body }) => body);
  const pipeline = rig.syncParts();
  const reportFunction = createReportHandler({
    reportOn: async (task) => {
      const { importId, deadline } = task;
      // A large import: its second message is requeued.
      const throttled = (item: ImportItem) => mayRefresh(item, task, pipeline, () => hour);
      const item = await report(importId, { ...pipeline, deadline }, throttled);
      if (item === undefined) return;
      await writeWorkbooks(item, deadline, pipeline);
      await writeAnalytics(item, pipeline);
    },
    retryLater: retryLaterTo(reportQueueUrl),
    log: silentLog,
  });
  await calls.as('ReportRole', () => reportFunction(event([...changes, unreadable]), context));
  for (const { importId } of await rig.imports.list()) {
    const Key = importFileKey(importId, 'correct-update-port.csv');
    await services.s3.send(new PutObjectCommand({ Bucket: buckets.results, Key, Body: 'msisdn,pac\r\n,\r\n' }));
  }
  await calls.as('ReportRole', () => reportFunction(event(changes), context));
  const bus = createEventBus(eventsClient, { bus: 'EventBus', source: 'simporter.prod' });
  const announce = createAnnounceHandler({ bus, log: silentLog });
  await calls.as('AnnounceRole', () => announce({ Records: [statusRecord('Complete')] }, context));
  eventsClient.destroy();
  await eventBridge.stop();

  used = calls.used();
  const missing = used.filter(
    (right) => !granted.some((grant) => grant.role === right.role && isGrantedBy(right, grant)),
  );
  expect(missing).toEqual([]);
});

test('no role allows what its function does not use', () => {
  const unused = granted
    .filter(({ role, sid }) => !['SyncScheduleRole', 'ReleasesRole'].includes(role) && !usedElsewhere.includes(sid))
    .flatMap((grant) => unusedOf(grant, used))
    .filter((one) => !onlyInTrouble.includes(one) && !onlyOnFailure.some((action) => one.includes(action)));
  expect(unused).toEqual([]);
});

/** Used by Lambda itself, by the schedule, by the encryption of S3, or by a client that this test replaces. */
const usedElsewhere = [
  'WriteLogs',
  'ReadQueue',
  'ReadCommandQueue',
  'ReadStream',
  'ListStreams',
  'UseKey',
  'ReadCredentials',
  'SendToDeadLetters',
];

/**
 * Submit notes in the import that every part of a request was declined for one reason (decision 37). Ingest reads what
 * it found in a file whose plan has expired (decision 27). Sync removes the notification of an import that has ended.
 */
const onlyInTrouble = [
  'SyncRole dynamodb:DeleteItem <Table.Arn> notification#*',
  'SubmitRole dynamodb:UpdateItem <Table.Arn>',
  'IngestRole s3:ListBucket <Results.Arn>',
  'IngestRole s3:GetObject <Results.Arn>/imports/*',
];

/** No upload of a file fails in this test. */
const onlyOnFailure = ['s3:AbortMultipartUpload'];
