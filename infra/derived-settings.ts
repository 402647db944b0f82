// Numbers and names that follow from the settings of an environment.
import { Token, Tokenization } from 'aws-cdk-lib';
import type { ApprovalMode } from '#shared/import/approval.ts';
import { slotPatienceMs } from '#shared/request/shared-rate-limit.ts';
import { type Configuration, type Settings, type Stage, settingsSchema } from './settings.ts';

/** No host under this domain exists: it marks a porting service that is still to be named. */
const placeholderDomain = 'example.com';

export function hasPlaceholderService({ service }: Configuration): boolean {
  return [service.baseUrl, service.authUrl].some(
    (url) => !Token.isUnresolved(url) && new URL(url).hostname.endsWith(`.${placeholderDomain}`),
  );
}

/**
 * What the functions know of the service, with the name by which imports know it. Some values are known only at the
 * deployment, such as the address of a simulator in the same app.
 */
export const serviceOf = ({ service }: Configuration): Configuration['service'] => {
  const { accountId, baseUrl, knownAs = Token.isUnresolved(baseUrl) ? 'this-app' : baseUrl } = service;
  // Within JSON, such a number is a text, which the functions read as well.
  const account = Token.isUnresolved(accountId) ? Tokenization.stringifyNumber(accountId) : accountId;
  return { ...service, accountId: account as number, knownAs };
};

export const approvalMode = ({ approval = 'upload' }: Configuration): ApprovalMode => approval;

/** An alarm that notifies nobody costs as much as another. */
export const isMonitored = ({ alarms }: Configuration): boolean =>
  alarms.email !== undefined || alarms.topicArn !== undefined;

export const releaseMode = ({ releases, production }: Configuration): NonNullable<Configuration['releases']> =>
  releases ?? (production ? 'canary' : 'direct');

export const isProtected = ({ production, deletionProtection }: Configuration): boolean =>
  production && deletionProtection;

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

/**
 * Concurrent executions that a function reserves, in production only: AWS keeps 100 of an account unreserved, and a new
 * account has 10. The API reserves its own, so that nobody can use up the concurrency of the account through it; submit
 * what the rate limit needs. Runs of sync never overlap: a lease in the table ensures it too.
 */
export function reservedConcurrency(
  configuration: Configuration,
  name: 'submit' | 'sync' | 'api-read' | 'api-write',
): number | undefined {
  if (!configuration.production) return undefined;
  return { submit: submitConcurrency(configuration), sync: 1, 'api-read': 25, 'api-write': 10 }[name];
}

/** AWS keeps as many of an account for functions that reserve none, and declines a reservation that needs them. */
const alwaysUnreserved = 100;

/** What an environment needs of the concurrent executions of its AWS account and region. */
interface NeededConcurrency {
  readonly reserved: readonly (readonly [name: string, executions: number])[];
  /** For all functions that reserve none, also those of others. */
  readonly shared: number;
  readonly limit: number;
}

export function neededConcurrency(configuration: Configuration): NeededConcurrency {
  const { console, ingest, report } = configuration;
  const names = ['submit', 'sync', ...(console.enabled ? (['api-read', 'api-write'] as const) : [])] as const;
  const reserved = names.map((name) => [name, reservedConcurrency(configuration, name) ?? 0] as const);
  const sum = reserved.reduce((total, [, executions]) => total + executions, 0);
  // Ingest reads two queues. Announce runs once for each shard of the stream: the first one is counted.
  const own = 2 * ingest.concurrency + report.concurrency + 1;
  if (sum === 0) {
    const shared = own + submitConcurrency(configuration) + 1;
    return { reserved: [], shared, limit: shared };
  }
  const shared = Math.max(own, alwaysUnreserved);
  return { reserved, shared, limit: sum + shared };
}

/** A lease outlives the invocation that took it: an expired lease proves that the invocation has ended (fault 33). */
export const leaseSeconds = (configuration: Configuration): number => submitTimeoutSeconds(configuration) + 10;

/** A run ends before the next one begins, which checks first what this one had no time for (fault 49). */
export const syncTimeoutSeconds = ({ sync }: Configuration): number => Math.min(900, sync.everyMinutes * 60 * 0.8);

/** Several environments may share an AWS account, so each has its own metrics namespace and event source. */
export const metricsNamespace = (stage: string): string => `simporter/${stage}`;
export const eventSource = (stage: string): string => `simporter.${stage}`;

/** Names of a stack, and the value of the command line's `--stack`. */
export const stackName = (stage: string): string => `simporter-${stage}`;
export const consoleStackName = (stage: string): string => stackName(`console-${stage}`);
export const simulatorStackName = (stage: string): string => stackName(`simulator-${stage}`);
/** Whether the environment's stack would be the console, or the simulator, of another environment: `console-prod`. */
export const isNameOfOtherStack = (stage: string): boolean => /^(console|simulator)-/.test(stage);
/** The address of CloudFront is known only after the first deployment. A link to upload is needed in any case. */
export const consoleOrigin = ({ console }: Configuration): string => `https://${console.domain ?? '*.cloudfront.net'}`;

/** Leaves a quarter of the memory to the young generation, buffers and the runtime, as the emulator does. */
export const heapMegabytes = (memoryMegabytes: number): number => Math.floor(0.75 * memoryMegabytes);

/** By default the young generation may grow to 48 MB, as much memory as the numbers of 1.5 million rows need. */
export const ingestNodeOptions = ['--max-semi-space-size=4'];

// The built-in environments: what differs from the defaults. cdk.json can change them and define more environments.

const placeholderService = {
  baseUrl: `https://porting.${placeholderDomain}`,
  authUrl: `https://auth.porting.${placeholderDomain}`,
  accountId: 1,
} as const;

const differences: Readonly<Record<Stage, Omit<Settings, 'stage'>>> = {
  local: {
    // The emulator replaces these addresses with those of its porting simulator.
    service: { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', accountId: 1 },
    callsPerSecond: 100,
    // Small files beside a large one: most of the time of each is spent waiting for answers.
    ingest: { concurrency: 4 },
    // Short leases: an emulator that was killed continues within seconds of its next start.
    submit: { concurrency: 2, callTimeoutSeconds: 5, quietSeconds: 5 },
    sync: { everyMinutes: 1 },
    production: false,
    auditTrail: false,
    console: { enabled: true },
  },
  dev: {
    service: placeholderService,
    // All functions together fit into the 10 concurrent executions of a new account.
    ingest: { concurrency: 2 },
    submit: { concurrency: 2 },
    retention: { recordDays: 90, logDays: 14 },
    production: false,
    auditTrail: false,
    simulator: { enabled: true },
    console: { colour: '#0972d3' },
  },
  prod: { service: placeholderService },
};

const complete = (stage: Stage): Configuration => settingsSchema.parse({ ...differences[stage], stage });

export const environments: Readonly<Record<Stage, Configuration>> = {
  local: complete('local'),
  dev: complete('dev'),
  prod: complete('prod'),
};
