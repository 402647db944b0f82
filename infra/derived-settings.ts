// Numbers and names that follow from the settings of an environment.
import type { ApprovalMode } from '#shared/import/approval.ts';
import { slotPatienceMs } from '#shared/request/rate-limit.ts';
import type { Configuration } from './settings.ts';

/** No host under this domain exists: it marks a porting service that is still to be named. */
export const placeholderDomain = 'example.com';

export function hasPlaceholderService({ service }: Configuration): boolean {
  return [service.baseUrl, service.authUrl].some((url) => new URL(url).hostname.endsWith(`.${placeholderDomain}`));
}

/** People of the console have no other way to send a file than by its plan, so two of them can be asked for. */
export const approvalMode = ({ approval, production, console }: Configuration): ApprovalMode =>
  approval ?? (production && console.enabled ? 'two' : 'upload');

/** AWS recommends six times the time-out of the function, so that a throttled batch is not delivered twice. */
export const visibilitySeconds = (functionTimeoutSeconds: number): number => 6 * functionTimeoutSeconds;

/** Requests make up to three calls: lookup, submission, read-back. The requests of a batch run at the same time. */
export const submitTimeoutSeconds = ({ submit }: Configuration): number =>
  3 * (slotPatienceMs / 1000 + submit.callTimeoutSeconds);

/** The slowest calls at which the rate limit is reached. */
const slowestCallSeconds = 3;
/** What a request needs beside its call: the table, the queue, the wait for its slot, the lists of the catalogue. */
const besideCallSeconds = 1.5;
/** SQS accepts no higher maximum concurrency of an event source. */
const mostInvocations = 1_000;

/** Above this rate, the writes of more instances to the item of the rate limiter would conflict too often. */
const fastCallsPerSecond = 500;

/** How many requests each invocation sends at the same time. */
export const submitBatchSize = ({ callsPerSecond, submit }: Configuration): number =>
  submit.batchSize ?? (callsPerSecond > fastCallsPerSecond ? 10 : 5);

/** Enough to reach the rate limit, and one whose calls wait for their slots one after another (docs/decisions/0041). */
export function submitConcurrency(configuration: Configuration): number {
  const { callsPerSecond, submit } = configuration;
  const requestsAtOnce = callsPerSecond * (slowestCallSeconds + besideCallSeconds);
  const invocations = Math.ceil(requestsAtOnce / submitBatchSize(configuration)) + 1;
  return submit.concurrency ?? Math.min(invocations, mostInvocations);
}

/** Reserved, so that nobody can use up the concurrency of the account through the API. */
export const apiConcurrency = { read: 25, write: 10 } as const;

/** A lease outlives the invocation that took it: an expired lease proves that the invocation has ended (fault 33). */
export const leaseSeconds = (configuration: Configuration): number => submitTimeoutSeconds(configuration) + 10;

/** A run ends before the next one begins, which checks first what this one had no time for (fault 49). */
export const syncTimeoutSeconds = ({ sync }: Configuration): number => Math.min(900, sync.everyMinutes * 60 * 0.8);

/** Several environments may share an AWS account, so each has its own metrics namespace and event source. */
export const metricsNamespace = (stage: string): string => `simporter/${stage}`;
export const eventSource = (stage: string): string => `simporter.${stage}`;

/** Names of a stack, and the value of the command line's `--stack`. */
export const stackName = (stage: string): string => `simporter-${stage}`;
export const consoleStackName = (stage: string): string => `simporter-console-${stage}`;
/** The address of CloudFront is known only after the first deployment. A link to upload is needed in any case. */
export const consoleOrigin = ({ console }: Configuration): string => `https://${console.domain ?? '*.cloudfront.net'}`;
export const simulatorStackName = (stage: string): string => `simporter-simulator-${stage}`;

/** Leaves a quarter of the memory to the young generation, buffers and the runtime, as the emulator does. */
export const heapMegabytes = (memoryMegabytes: number): number => Math.floor(0.75 * memoryMegabytes);

/** By default the young generation may grow to 48 MB, as much memory as the numbers of 1.5 million rows need. */
export const ingestNodeOptions = ['--max-semi-space-size=4'];
