// The numbers and settings of each stage, typed and checked. A number that follows from another is derived at the end of
// this file, with the reason, and never typed twice.
import * as z from 'zod';

export const stages = ['local', 'dev', 'prod'] as const;
export type Stage = (typeof stages)[number];

const positive = z.int().positive();
const days = z.int().min(1).max(3650);
/** The only ones that CloudWatch Logs accepts. */
const logDays = z.literal([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653]);
/** Lambda's own bounds: 128 MB to 10 GB, at most 15 minutes. */
const megabytes = z.int().min(128).max(10_240);
const lambdaSeconds = z.int().min(1).max(900);
/** An SQS event source accepts a maximum concurrency of 2 to 1000. */
const concurrency = z.int().min(2).max(1000);

const secureUrl = z
  .url()
  .regex(/^https:|^http:\/\/127\.0\.0\.1[:/]/, 'must begin with https://')
  .regex(/[^/]$/, 'must not end with a slash (decision 2)');

const stageSettings = z.strictObject({
  stage: z.enum(stages),
  /** The porting service of this stage; `--context serviceBaseUrl=...` and its like override it. */
  service: z.strictObject({
    baseUrl: secureUrl,
    authUrl: secureUrl,
    accountId: z.coerce.number().int().positive(),
    /** What the secret with the credentials is called; CloudFormation names it where this is left out. */
    secretName: z
      .string()
      .regex(/^[\w/+=.@-]{1,512}$/, 'must be a name that Secrets Manager takes: letters, digits and /_+=.@-')
      .optional(),
  }),
  /** The AWS account and region that the stage belongs to: a deploy with other credentials is refused. */
  deployment: z
    .strictObject({
      account: z.string().regex(/^\d{12}$/, 'must be the 12 digits of an AWS account'),
      region: z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be an AWS region, such as eu-west-2'),
    })
    .optional(),
  /** Private subnets that the functions run in, where the service lets only known addresses in (docs/runbook.md). */
  network: z
    .strictObject({
      subnetIds: z.array(z.string().regex(/^subnet-[0-9a-f]+$/, 'must be ids such as subnet-0a1b2c3d')).min(1),
      securityGroupIds: z.array(z.string().regex(/^sg-[0-9a-f]+$/, 'must be ids such as sg-0a1b2c3d')).min(1),
    })
    .optional(),
  /** How the account writes dates and numbers (decisions 9 and 20). */
  account: z.strictObject({
    zone: z.string().refine(isTimeZone, 'must be an IANA time zone, such as Europe/London'),
    callingCode: z.string().regex(/^[1-9]\d{0,2}$/, 'must be a calling code without +, such as 44'),
    msisdnFormat: z.enum(['national', 'e164', 'e164plus']),
    /** The hour of the working day before a port's date from which on the service may lock it: the last to cancel. */
    lockingHour: z.int().min(0).max(23),
    /** Lines with a bad PAC hold their port until a person acts (`wait`), or are taken out of it after a while (`evict`). */
    onBadPac: z.enum(['wait', 'evict']),
    /** How long a person has, from the last change of the port; never longer than until two hours before the lock. */
    evictAfterHours: positive,
    /** Networks with bundle control, by networkNumber or name. @default - the ones that the spec names */
    bundleControlNetworks: z
      .array(z.string().regex(/^[^;]+$/, 'must be a name without ;'))
      .min(1)
      .optional(),
  }),
  /**
   * Calls to the service in a second, of the whole stage. The specification names no limit ("not shown"): ask the service's
   * operator. A request needs two to five calls, a look at a port one.
   */
  callsPerSecond: z.number().min(1).max(1000),
  /** What one file may hold, and how much of it may be bad before nothing of it is sent. */
  limits: z.strictObject({
    rowsPerRequest: z.int().min(1).max(1000),
    fileBytes: positive,
    fileRows: positive,
    toleratedFailurePercentage: z.number().min(0).max(100),
  }),
  ingest: z.strictObject({ memoryMegabytes: megabytes, timeoutSeconds: lambdaSeconds, concurrency }),
  submit: z.strictObject({
    memoryMegabytes: megabytes,
    /** Requests per invocation: each is one API call that may hang until its time-out. */
    batchSize: z.int().min(1).max(10),
    /** Calls to the service at the same time: the cap on how hard the account is driven. */
    concurrency,
    callTimeoutSeconds: z.int().min(1).max(60),
    /** Wait before a request of unknown outcome is looked for: the service's list may lag its create (fault 45). */
    quietSeconds: positive,
    /** Whether a port that is refused for numbers which the service names is asked for once more without them (decision 25). */
    retryWithoutRefused: z.boolean(),
  }),
  sync: z.strictObject({ memoryMegabytes: megabytes, everyMinutes: z.int().min(1).max(60) }),
  report: z.strictObject({
    memoryMegabytes: megabytes,
    timeoutSeconds: lambdaSeconds,
    concurrency,
    /** Messages within the window become one roll-up per import, whatever their number. */
    batchSize: z.int().min(1).max(10_000),
    windowSeconds: z.int().min(1).max(300),
  }),
  announce: z.strictObject({
    memoryMegabytes: megabytes,
    timeoutSeconds: lambdaSeconds,
    /** Records of the stream: those that can be no event are not among them. */
    batchSize: z.int().min(1).max(10_000),
    windowSeconds: z.int().min(1).max(300),
    /** Tries of a batch that fails, before it is put aside. */
    retryAttempts: z.int().min(1).max(100),
  }),
  /** Objects that hold PACs expire (decision 44); an upload up to twice as late, as its old version is kept as long again. */
  retention: z.strictObject({ inboxDays: days, planDays: days, resultsDays: days, logDays }),
  watch: z.strictObject({
    /** Whether alarms tell anybody; they stand in the console in any case. */
    alarms: z.boolean(),
    /** Who is told; nobody by mail where it is left out. `--context alarmEmail=...` names it. */
    email: z.email('must be an e-mail address').optional(),
    /** Who is sent a mail of what was completed and what needs somebody. `--context digestEmail=...` names it. @default - nobody */
    digestEmail: z.email('must be an e-mail address').optional(),
    /** Lines that begin to need a person within five minutes: more, twice running, are no everyday bad code any more. */
    attentionLines: positive,
    /** Age of a request that has not ended: its quiet period and both scans are long over. */
    unfinishedMinutes: positive,
    /** How long a port may wait for a look that is due. */
    stalenessMinutes: positive,
  }),
  /** Deletion protection, and stateful resources that outlive their stack. */
  protect: z.boolean(),
});
export type StageConfiguration = z.infer<typeof stageSettings>;

const stageConfiguration = stageSettings
  .refine((settings) => settings.stage !== 'prod' || !hasPlaceholderService(settings), {
    path: ['service'],
    message:
      'prod must name its porting service: give --context serviceBaseUrl=, serviceAuthUrl= and serviceAccountId=',
  })
  .refine((settings) => submitTimeoutSeconds(settings) <= 900, {
    path: ['submit'],
    message: 'a batch could outlast a function: batchSize x 3 calls x callTimeoutSeconds must be at most 900',
  });

/** No host under this domain ever answers: it marks a service that is still to be named. */
const placeholderDomain = 'example.com';

const everyStage = {
  account: {
    zone: 'Europe/London',
    callingCode: '44',
    msisdnFormat: 'national',
    lockingHour: 16,
    onBadPac: 'wait',
    evictAfterHours: 24,
  },
  callsPerSecond: 10,
  // 10 million lines of 140 characters are 1.4 GB.
  limits: { rowsPerRequest: 100, fileBytes: 2 * 1024 ** 3, fileRows: 10_000_000, toleratedFailurePercentage: 100 },
  ingest: { memoryMegabytes: 512, timeoutSeconds: 900, concurrency: 5 },
  submit: {
    memoryMegabytes: 256,
    batchSize: 5,
    concurrency: 5,
    callTimeoutSeconds: 15,
    quietSeconds: 120,
    retryWithoutRefused: true,
  },
  sync: { memoryMegabytes: 512, everyMinutes: 5 },
  report: { memoryMegabytes: 512, timeoutSeconds: 900, concurrency: 2, batchSize: 1000, windowSeconds: 5 },
  // 100 events are 10 calls to the bus; the function's own tries of a call that it did not take last half a minute.
  announce: { memoryMegabytes: 256, timeoutSeconds: 120, batchSize: 100, windowSeconds: 2, retryAttempts: 20 },
  // results.csv is made from the inbox object until its last port has ended: a PAC lives 30 days (decision 12), a
  // migration may be booked further ahead. A plan is needed only until its requests are settled.
  retention: { inboxDays: 90, planDays: 45, resultsDays: 180, logDays: 90 },
  watch: { alarms: true, attentionLines: 50, unfinishedMinutes: 60, stalenessMinutes: 30 },
  protect: true,
} as const satisfies Omit<StageConfiguration, 'stage' | 'service'>;

const placeholderService = {
  baseUrl: `https://porting.${placeholderDomain}`,
  authUrl: `https://auth.porting.${placeholderDomain}`,
  accountId: 1,
} as const;

const byStage: Readonly<Record<Stage, Omit<StageConfiguration, 'stage'>>> = {
  // One machine: the engine puts its own service's addresses in place of these, and two cores leave no room for more.
  local: {
    ...everyStage,
    service: { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', accountId: 1 },
    // The service of a rehearsal is on the same machine.
    callsPerSecond: 100,
    ingest: { ...everyStage.ingest, concurrency: 2 },
    // A rehearsal that is killed half-way should not wait minutes for its leases to run out.
    submit: { ...everyStage.submit, batchSize: 4, concurrency: 2, callTimeoutSeconds: 5, quietSeconds: 5 },
    sync: { ...everyStage.sync, everyMinutes: 1 },
    report: { ...everyStage.report, windowSeconds: 2 },
    watch: { ...everyStage.watch, alarms: false },
    protect: false,
  },
  dev: {
    ...everyStage,
    service: placeholderService,
    retention: { ...everyStage.retention, logDays: 14 },
    watch: { ...everyStage.watch, alarms: false },
    protect: false,
  },
  prod: { ...everyStage, service: placeholderService },
};

/** What `--context` can override, each by this very name; lists are separated by commas. */
export const overrideNames = [
  'alarmEmail',
  'awsAccount',
  'awsRegion',
  'digestEmail',
  'securityGroupIds',
  'serviceAccountId',
  'serviceAuthUrl',
  'serviceBaseUrl',
  'serviceSecretName',
  'subnetIds',
] as const;
export type Overrides = Readonly<Partial<Record<(typeof overrideNames)[number], unknown>>>;

/**
 * The checked configuration of one stage.
 * @throws Error that names the stage, every wrong setting and how to set it
 */
export function configurationOf(stage: string, overrides: Overrides = {}): StageConfiguration {
  const known = z.enum(stages).safeParse(stage);
  if (!known.success)
    throw new Error(`There is no stage "${stage}": give --context stage= one of ${stages.join(', ')}.`);
  const settings = byStage[known.data];
  const parsed = stageConfiguration.safeParse({
    ...settings,
    stage: known.data,
    service: {
      baseUrl: overrides.serviceBaseUrl ?? settings.service.baseUrl,
      authUrl: overrides.serviceAuthUrl ?? settings.service.authUrl,
      accountId: overrides.serviceAccountId ?? settings.service.accountId,
      secretName: overrides.serviceSecretName ?? settings.service.secretName,
    },
    deployment: anyOf({
      account: overrides.awsAccount ?? settings.deployment?.account,
      region: overrides.awsRegion ?? settings.deployment?.region,
    }),
    network: anyOf({
      subnetIds: listOf(overrides.subnetIds) ?? settings.network?.subnetIds,
      securityGroupIds: listOf(overrides.securityGroupIds) ?? settings.network?.securityGroupIds,
    }),
    watch: {
      ...settings.watch,
      email: overrides.alarmEmail ?? settings.watch.email,
      digestEmail: overrides.digestEmail ?? settings.watch.digestEmail,
    },
  });
  if (!parsed.success)
    throw new Error(`The configuration of stage "${stage}" is wrong:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Whether the stage still points at a service that cannot exist. */
export function hasPlaceholderService({ service }: StageConfiguration): boolean {
  return [service.baseUrl, service.authUrl].some((url) => new URL(url).hostname.endsWith(`.${placeholderDomain}`));
}

/** AWS asks for six times the consumer's time-out, so that a throttled batch is not delivered twice while it waits. */
export const visibilitySeconds = (consumerTimeoutSeconds: number): number => 6 * consumerTimeoutSeconds;

/** A request costs up to three calls (a fresh lookup, the submission, the read-back), and a batch goes one by one. */
export const submitTimeoutSeconds = ({ submit }: Pick<StageConfiguration, 'submit'>): number =>
  submit.batchSize * 3 * submit.callTimeoutSeconds;

/** A lease outlives the invocation that took it, so whoever finds it expired knows that nobody is at work (fault 33). */
export const leaseSeconds = (configuration: StageConfiguration): number => submitTimeoutSeconds(configuration) + 10;

/** A run ends well before the next begins; what it could not look at is due first in the next (fault 49). */
export const syncTimeoutSeconds = ({ sync }: StageConfiguration): number => Math.min(900, sync.everyMinutes * 60 * 0.8);

/** Stages may share an account; their figures must not be added up. */
export const metricsNamespace = ({ stage }: Pick<StageConfiguration, 'stage'>): string => `simporter/${stage}`;

/** What events say that they come from: stages may share a bus that collects them. */
export const eventSource = ({ stage }: Pick<StageConfiguration, 'stage'>): string => `simporter.${stage}`;

/** A part that may be left out as a whole, but not by half. */
const anyOf = <Part extends object>(part: Part): Part | undefined =>
  Object.values(part).some((value) => value !== undefined) ? part : undefined;

const listOf = (override: unknown): readonly string[] | undefined =>
  override === undefined ? undefined : String(override).split(',');

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Ingest leaves little to collect, and would let that little grow to 48 MB: as much as the numbers of a million and a half
 * rows take.
 */
export const ingestNodeOptions = ['--max-semi-space-size=4'];
