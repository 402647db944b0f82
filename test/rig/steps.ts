// The one wiring of ingest, submit, report and sync, as in their entries, over the stores of a test.
import { adopt } from '#functions/ingest/commands/adopt.ts';
import { createIngestHandler, type IngestStep } from '#functions/ingest/handler.ts';
import { createReportHandler, mayRefresh } from '#functions/report/handler.ts';
import { type ReportRun, report } from '#functions/report/report.ts';
import type { SubmitBatch, SubmitPipeline } from '#functions/submit/attempt.ts';
import { createSubmitHandler } from '#functions/submit/handler.ts';
import { createFindMove } from '#functions/submit/moved-numbers.ts';
import { shareCalls } from '#functions/submit/shared-calls.ts';
import { createImportReadings } from '#functions/submit/stopped-imports.ts';
import { submit } from '#functions/submit/submit.ts';
import { createSyncHandler } from '#functions/sync/handler.ts';
import { listPorts } from '#functions/sync/list-ports.ts';
import { resolveRequest } from '#functions/sync/resolve-request.ts';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { sync } from '#functions/sync/sync.ts';
import { createReadDayCycle } from '#shared/import/part.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { createDeadline, type Deadline } from '#shared/runtime/clock.ts';
import type { RetryLater } from '#shared/runtime/step.ts';
import type { TestPipeline } from '../support/steps/test-pipeline.ts';

type CatalogueOptions = Parameters<typeof createCatalogue>[1];

export interface StepOptions {
  /** Uniform in [0, 1). @default always 0.5 */
  readonly random?: () => number;
  /** The ledger and the client of submit. @default - those of the pipeline */
  readonly submitting?: Pick<SubmitPipeline, 'requests' | 'client'>;
  /** What the catalogue of a request of submit keeps. @default nothing */
  readonly catalogue?: () => CatalogueOptions;
  /** What sync has in place of the pipeline's. */
  readonly syncing?: Partial<SyncPipeline>;
}

export interface Steps {
  readonly ingest: Omit<IngestStep, 'retryLater'>;
  /** @param changes what a test replaces */
  submit(changes?: Partial<SubmitPipeline>): SubmitPipeline;
  /** @param changes what a test replaces, such as the id and the deadline of the run */
  sync(changes?: Partial<SyncPipeline>): SyncPipeline;
  report(deadline?: Deadline): ReportRun;
  handlers(options: HandlerOptions): Handlers;
}

export interface HandlerOptions {
  readonly retryLater: (queueUrl: string) => RetryLater;
  /** How submit measures how much of the rate is used. */
  readonly rate: SubmitPipeline['rateLimiter'];
  /** The refresh throttle of report. */
  readonly throttleWait: () => number;
}

export interface Handlers {
  readonly ingest: ReturnType<typeof createIngestHandler>;
  readonly submit: ReturnType<typeof createSubmitHandler>;
  readonly report: ReturnType<typeof createReportHandler>;
  readonly sync: ReturnType<typeof createSyncHandler>;
}

export function createSteps(pipeline: TestPipeline, options: StepOptions = {}): Steps {
  const { random = () => 0.5, submitting = pipeline, catalogue = () => undefined, syncing } = options;
  const { imports, settings, clocks, resources, log, metrics } = pipeline;
  const readings = createImportReadings(imports.get, clocks.wall);
  const ingest = { ...pipeline, adopt: (message: Parameters<IngestStep['adopt']>[0]) => adopt(message, pipeline) };

  const submitParts = (changes: Partial<SubmitPipeline> = {}): SubmitPipeline => ({
    ...pipeline,
    requests: submitting.requests,
    client: submitting.client,
    validation: {
      catalogue: createCatalogue(changes.client ?? pipeline.client, catalogue()),
      settings,
      calendar: clocks.calendar,
      readDayCycle: createReadDayCycle(imports),
    },
    findMove: createFindMove(pipeline),
    readStop: readings.readStop,
    onImportChanged: () => {},
    readsBack: () => true,
    random,
    ...changes,
  });
  const syncParts = (changes: Partial<SyncPipeline> = {}): SyncPipeline => ({ ...pipeline, ...syncing, ...changes });
  const reportParts = (deadline = createDeadline(() => 900_000)): ReportRun => ({ ...pipeline, deadline });

  const handlers = ({ retryLater, rate, throttleWait }: HandlerOptions): Handlers => ({
    ingest: createIngestHandler({ ...ingest, retryLater: (url, records) => retryLater(url)(records) }),
    submit: createSubmitHandler({
      ...pipeline,
      isRefreshPlanned: readings.isRefreshPlanned,
      submitterFor: (batch: SubmitBatch) => {
        const calls = shareCalls({ ...pipeline, ...submitting });
        return (message) => submit(message, { ...submitParts(), ...calls, ...batch });
      },
      rateLimiter: rate,
      retryLater: retryLater(resources.submitQueueUrl),
    }),
    report: createReportHandler({
      reportOn: (task) =>
        report(task.importId, reportParts(task.deadline), (item) => mayRefresh(item, task, pipeline, throttleWait)),
      retryLater: retryLater(resources.reportQueueUrl),
      log,
    }),
    sync: createSyncHandler({
      resolve: (resolution, { id, deadline }) => resolveRequest(resolution, syncParts({ runId: id, deadline })),
      listPorts: ({ id, deadline }) => listPorts(syncParts({ runId: id, deadline })),
      runSync: ({ id, deadline }) => sync(syncParts({ runId: id, deadline })),
      examine: () => Promise.reject(new Error('no test examines the service')),
      log,
      metrics,
    }),
  });

  return { ingest, submit: submitParts, sync: syncParts, report: reportParts, handlers };
}
