// The settings of one environment: their schema, with the limits that AWS sets.
import * as z from 'zod';
import { approvalModes } from '#shared/domain/imports/approval.ts';
import { planOf } from '#shared/domain/numbers/numbering-plan.ts';

/** The environments that exist without a definition in cdk.json. */
export const stages = ['local', 'dev', 'prod'] as const;
export type Stage = (typeof stages)[number];

const positive = z.int().positive();
const days = z.int().min(1).max(3650);
/** CloudWatch Logs accepts only these. */
const logDays = z.literal([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653]);
/** Lambda accepts 128 MB to 10 GB, and at most 15 minutes. */
const megabytes = z.int().min(128).max(10_240);
const lambdaSeconds = z.int().min(1).max(900);
/** An SQS event source accepts a maximum concurrency of 2 to 1000. */
const concurrency = z.int().min(2).max(1000);

const secureUrl = z
  .url()
  .regex(/^https:|^http:\/\/127\.0\.0\.1[:/]/, 'must begin with https://')
  .regex(/[^/]$/, 'must not end with a slash (decision 2)');

export const settingsSchema = z.strictObject({
  /** The name of the environment. It is part of the names of all resources. */
  stage: z
    .string()
    .regex(/^(?!.*-(-|$))[a-z][a-z0-9-]{0,19}$/, 'must be at most 20 lower-case letters, digits and single hyphens'),
  /**
   * Whether the environment holds data of real customers. Then its resources are protected from deletion, and the
   * settings must name the porting service and a recipient of alarms.
   */
  production: z.boolean(),
  /**
   * How a deployment replaces the code of the functions. `direct`: at once. `canary`: CodeDeploy moves a part of the
   * invocations first, and rolls back if an alarm fires. `all-at-once`: by CodeDeploy without alarms, for a fix while
   * an alarm is firing. Changing between `direct` and the others replaces the event source mappings.
   */
  releases: z.enum(['direct', 'canary', 'all-at-once']),
  /** Whether X-Ray traces uploads through S3, SQS and Lambda. */
  tracing: z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })]),
  /** Whether CloudTrail records who reads and writes uploads and results. */
  auditTrail: z.boolean(),
  /**
   * `upload`: a file outside plan/ is sent at once, and a plan needs one approver. `one`: every file waits for an
   * approver. `two`: every file waits, and the person who uploaded it cannot approve it. @default - `two` in production
   * with the console, else `upload`
   */
  approval: z.enum(approvalModes).optional(),
  /** Whether the app has a stack with the porting simulator as well. */
  simulator: z.boolean(),
  /** The console and its API for people with a browser. */
  console: z.strictObject({
    /** Whether the app has the stack of the console. */
    enabled: z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })]),
    /** An own domain, such as porting.example.com, and its certificate. @default - an address of CloudFront */
    domain: z
      .string()
      .regex(/^([a-z0-9-]+\.)+[a-z]{2,}$/, 'must be a host name, such as porting.example.com')
      .optional(),
    certificateArn: z
      .string()
      .regex(/^arn:[\w-]+:acm:us-east-1:\d{12}:certificate\/[\w-]+$/, 'must be the ARN of a certificate in us-east-1')
      .optional(),
    /** Of the banner with the name of the environment. */
    colour: z.string().regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #0972d3'),
  }),
  service: z.strictObject({
    baseUrl: secureUrl,
    authUrl: secureUrl,
    accountId: z.coerce.number().int().positive(),
    /** Name of the secret with the credentials. @default - CloudFormation generates a name */
    secretName: z
      .string()
      .regex(/^[\w/+=.@-]{1,512}$/, 'must be a valid Secrets Manager name: letters, digits and /_+=.@-')
      .optional(),
  }),
  /** The only AWS account and region that accept this environment. @default - those of the caller's credentials */
  deployment: z
    .strictObject({
      account: z.string().regex(/^\d{12}$/, 'must be the 12 digits of an AWS account'),
      region: z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be an AWS region, such as eu-west-2'),
    })
    .optional(),
  /** Private subnets for the functions, where the service accepts only known IP addresses (docs/deploy.md). */
  network: z
    .strictObject({
      subnetIds: z.array(z.string().regex(/^subnet-[0-9a-f]+$/, 'must be ids such as subnet-0a1b2c3d')).min(1),
      securityGroupIds: z.array(z.string().regex(/^sg-[0-9a-f]+$/, 'must be ids such as sg-0a1b2c3d')).min(1),
    })
    .optional(),
  /** How the account at the porting service writes dates and numbers (decisions 9 and 20). */
  account: z.strictObject({
    zone: z.string().refine(isTimeZone, 'must be an IANA time zone, such as Europe/London'),
    callingCode: z
      .string()
      .refine((code) => planOf(code) !== undefined, 'must be the calling code of a supported country, such as 44'),
    msisdnFormat: z.enum(['national', 'e164', 'e164plus']),
    /** A row whose number was ported before is invalid (`error`), or is sent with a warning (`warning`). */
    alreadyPorted: z.enum(['error', 'warning']),
    /** The service may lock a port from this hour of the working day before its date: the last chance to cancel. */
    lockingHour: z.int().min(0).max(23),
    /** Rows with an invalid PAC block their port until a person acts (`wait`), or are removed from it (`remove`). */
    onInvalidPac: z.enum(['wait', 'remove']),
    /** Hours from the port's last change to the removal; two hours before the lock it happens in any case. */
    removeBlockingAfterHours: positive,
    /** Networks with bundle control, by networkNumber or name. @default - those that the specification names */
    bundleControlNetworks: z
      .array(z.string().regex(/^[^;]+$/, 'must be a name without ;'))
      .min(1)
      .optional(),
  }),
  /** Rate limit of calls to the service, for the whole environment. The specification names none: ask its operator. */
  callsPerSecond: z.number().min(1).max(1000),
  limits: z.strictObject({
    rowsPerRequest: z.int().min(1).max(1000),
    fileBytes: positive,
    fileRows: positive,
    /** A file with a higher share of invalid rows is rejected as a whole. */
    toleratedFailurePercentage: z.number().min(0).max(100),
  }),
  ingest: z.strictObject({ memoryMegabytes: megabytes, timeoutSeconds: lambdaSeconds, concurrency }),
  submit: z.strictObject({
    memoryMegabytes: megabytes,
    /** Requests per invocation. They are sent at the same time. */
    batchSize: z.int().min(1).max(10),
    /** Invocations at the same time. @default - enough for calls of two seconds at callsPerSecond */
    concurrency: concurrency.optional(),
    callTimeoutSeconds: z.int().min(1).max(60),
    /** Wait before sync searches for a request of unknown outcome: the service's list may lag (fault 45). */
    quietSeconds: positive,
    /** Whether a declined request is sent again without the rows that the service named (decision 25). */
    retryWithoutDeclined: z.boolean(),
    /**
     * Whether a declined request is sent again in halves if the service named no row, and without the named rows as
     * long as each answer names others, to find the declined rows (docs/decisions/0037). It costs calls: at most 58 for
     * 100 rows. Not for operations on ports.
     */
    splitDeclined: z.boolean(),
  }),
  sync: z.strictObject({ memoryMegabytes: megabytes, everyMinutes: z.int().min(1).max(60) }),
  report: z.strictObject({
    memoryMegabytes: megabytes,
    timeoutSeconds: lambdaSeconds,
    concurrency,
    /** All messages of one import within the window cause one update of its report. */
    batchSize: z.int().min(1).max(10_000),
    windowSeconds: z.int().min(1).max(300),
  }),
  announce: z.strictObject({
    memoryMegabytes: megabytes,
    timeoutSeconds: lambdaSeconds,
    /** Records of the table's stream that pass the filter. */
    batchSize: z.int().min(1).max(10_000),
    windowSeconds: z.int().min(1).max(300),
    retryAttempts: z.int().min(1).max(100),
  }),
  /** Objects that hold PACs expire (decision 44). A replaced upload is kept for inboxDays after its replacement. */
  retention: z.strictObject({
    inboxDays: days,
    planDays: days,
    resultsDays: days,
    /** Items of the results table, from the upload. A shorter time could end before the ports of an import. */
    recordDays: days.min(90),
    /** Records of CloudTrail. */
    auditDays: days,
    logDays,
  }),
  alarms: z.strictObject({
    /** Whether alarms send notifications. The console shows their states in any case. */
    enabled: z.boolean(),
    /** Recipient of alarm notifications. @default - nobody */
    email: z.email('must be an e-mail address').optional(),
    /** An existing SNS topic for alarm notifications, in place of the e-mail address. */
    topicArn: z
      .string()
      .regex(/^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w-]+$/, 'must be the ARN of an SNS topic')
      .optional(),
    /** An alarm fires when more rows than this need action for the first time within five minutes, twice in a row. */
    rowsNeedingAction: positive,
    /** Age of an unfinished request. Its quiet period and both searches end long before. */
    unfinishedMinutes: positive,
    /** Delay of a port's next check. */
    stalenessMinutes: positive,
  }),
  /** Recipient of the digest of finished imports and required actions. @default - nobody */
  digestEmail: z.email('must be an e-mail address').optional(),
});
export type Configuration = z.infer<typeof settingsSchema>;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
