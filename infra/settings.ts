// The settings of one environment: their schema, with the limits that AWS sets, and their defaults. Those that the
// functions use are in shared/runtime/settings.ts.
import { Token } from 'aws-cdk-lib';
import * as z from 'zod';
import { longestScheduledDays } from '#shared/row/booking-window.ts';
import { planOf } from '#shared/row/numbering-plan.ts';
import { functionSettings } from '#shared/runtime/settings.ts';

/** The environments that exist without a definition in cdk.json. */
export const stages = ['local', 'dev', 'prod'] as const;
export type Stage = (typeof stages)[number];

const positive = z.int().positive();
const days = z.int().min(1).max(3650);
/** CloudWatch Logs accepts only these. */
export const logDays = z.literal([
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
]);
/** How long the upload of an import is needed at least: no row is sent later, and a PAC is valid for 30 days. */
const leastFileDays = longestScheduledDays + 7;
/** Lambda accepts 128 MB to 10 GB, and at most 15 minutes. */
const megabytes = z.int().min(128).max(10_240);
const lambdaSeconds = z.int().min(1).max(900);
/** An SQS event source accepts a maximum concurrency of 2 to 1000. */
const concurrency = z.int().min(2).max(1000);

/**
 * A value may also be a token of the CDK: a property of another resource of the app, which is known at the deployment.
 * Only a value that is known at the synthesis is checked.
 */
const unlessToken =
  <Value>(schema: z.core.$ZodType<unknown, Value>) =>
  (context: z.core.ParsePayload<Value>): void => {
    if (Token.isUnresolved(context.value)) return;
    for (const { message, path } of z.safeParse(schema, context.value).error?.issues ?? []) {
      context.issues.push({ code: 'custom', message, path, input: context.value });
    }
  };
const orToken = (schema: z.ZodType<string, string>) => z.string().check(unlessToken(schema));
/** The whole list may be one token, too. */
const idsOf = (kind: string, form: RegExp, example: string, most: number) => {
  const id = orToken(z.string().regex(form, `must be ids such as ${example}`));
  const ids = z.array(id).min(1).max(most, `must be at most ${most} ${kind}, the limit of Lambda`);
  return z.array(z.string()).check(unlessToken(ids));
};

const secureUrl = orToken(
  z
    .url()
    .regex(/^https:|^http:\/\/127\.0\.0\.1[:/]/, 'must begin with https://')
    .regex(/[^/]$/, 'must not end with a slash (spec gap 2)'),
);
const secretName = orToken(
  z.string().regex(/^[\w/+=.@-]{1,512}$/, 'must be a valid Secrets Manager name: letters, digits and /_+=.@-'),
);
const email = orToken(z.email('must be an e-mail address'));

/** Part of the addresses of Cognito, and of the names of the people who come from it. */
const providerName = z.string().regex(/^[A-Za-z][A-Za-z0-9-]{2,31}$/, 'must be 3 to 32 letters, digits and hyphens');

/** The sign-in of a company. Its people get their groups in the user pool, as all others. */
const companySignIn = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('oidc'),
    name: providerName,
    issuer: secureUrl,
    clientId: z.string().min(1),
    /** The name of a secret in Secrets Manager: the client secret as plain text. */
    clientSecretName: secretName,
    emailClaim: z.string().default('email'),
    emailVerifiedClaim: z.string().default('email_verified'),
    /** Whether people may also sign in with a password of the user pool. */
    passwords: z.boolean().default(false),
  }),
  z.strictObject({
    kind: z.literal('saml'),
    name: providerName,
    metadataUrl: secureUrl,
    emailClaim: z.string().default('http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress'),
    /** An attribute that is `true` for a verified address. @default - people are shown by their name at the provider */
    emailVerifiedClaim: z.string().optional(),
    passwords: z.boolean().default(false),
  }),
]);

/** `--context` passes texts. */
const flag = z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })]);

/** A group of settings: without the group, each has its default. */
const group = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape).prefault({} as z.input<z.ZodObject<Shape>>);

const { account, callsPerSecond, limits, service, submit, retention } = functionSettings;

export const settingsSchema = z.strictObject({
  /** The name of the environment. It is part of the names of all resources. */
  stage: z
    .string()
    .regex(/^(?!.*-(-|$))[a-z][a-z0-9-]{0,19}$/, 'must be at most 20 lower-case letters, digits and single hyphens'),
  /**
   * Whether the environment holds data of real customers. Then its resources are protected from deletion, it reserves
   * the concurrency that it needs, and the settings must name the porting service and a recipient of alarms.
   */
  production: z.boolean().default(true),
  /**
   * Whether the stacks, the results table and the people of the console refuse to be deleted in production. `false` for
   * a first deployment, so that one that fails can be repeated, and for the last one before a deletion.
   */
  deletionProtection: flag.default(true),
  /**
   * How a deployment replaces the code of the functions. `direct`: at once. `canary`: CodeDeploy moves a part of the
   * invocations first, and rolls back if an alarm fires. `all-at-once`: by CodeDeploy without alarms, for a fix while
   * an alarm is firing.
   * @default - `canary` in production, else `direct`
   */
  releases: z.enum(['direct', 'canary', 'all-at-once']).optional(),
  /** Whether X-Ray traces uploads through S3, SQS and Lambda. */
  tracing: z.boolean().default(false),
  /** Whether CloudTrail and the access logs of S3 record who reads and writes uploads, plans and results. */
  auditTrail: z.boolean().default(true),
  /** Required in production with the console. @default upload */
  approval: z.optional(functionSettings.approval),
  /** Whether finished imports are also written as Parquet, for queries with Athena. */
  analytics: z.boolean().default(true),
  /** The porting simulator on AWS. */
  simulator: group({
    /** Whether the app has its stack. */
    enabled: z.boolean().default(false),
    /** Minutes by which the calendar of its ports advances, every five minutes. */
    advanceMinutes: z.int().min(0).max(1_440).default(0),
  }),
  /** The console and its API for people with a browser. */
  console: group({
    /** Whether the app has the stack of the console. */
    enabled: z.boolean().default(false),
    /** An own domain and its certificate; required in production. @default - an address of CloudFront */
    domain: orToken(
      z.string().regex(/^([a-z0-9-]+\.)+[a-z]{2,}$/, 'must be a host name, such as porting.example.com'),
    ).optional(),
    certificateArn: orToken(
      z
        .string()
        .regex(
          /^arn:[\w-]+:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
          'must be the ARN of a certificate in us-east-1',
        ),
    ).optional(),
    /** The company's sign-in (OIDC or SAML). @default - people have a password and a second factor in the user pool */
    signIn: companySignIn.optional(),
    /**
     * A sender that SES has verified in this region. Then a person without authenticator can get codes by mail.
     * @default - Cognito's own sender, and an authenticator as the only second factor
     */
    mailFrom: email.optional(),
    /** The colour of the banner with the name of the environment. */
    colour: z
      .string()
      .regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #0972d3')
      .default('#d91515'),
  }),
  service: z.strictObject({
    ...service.shape,
    baseUrl: secureUrl,
    authUrl: secureUrl,
    accountId: z.coerce.number().check(unlessToken(service.shape.accountId)),
    /** Name of the secret with the credentials. @default - CloudFormation generates a name */
    secretName: secretName.optional(),
  }),
  /** The only AWS account and region that accept this environment. @default - those of the caller's credentials */
  deployment: z
    .strictObject({
      account: z.string().regex(/^\d{12}$/, 'must be the 12 digits of an AWS account'),
      region: z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be an AWS region, such as eu-west-2'),
    })
    .optional(),
  /** Private subnets for the functions, where the service accepts only known addresses: docs/reference/settings.md. */
  network: z
    .strictObject({
      subnetIds: idsOf('subnets', /^subnet-[0-9a-f]+$/, 'subnet-0a1b2c3d', 16),
      securityGroupIds: idsOf('security groups', /^sg-[0-9a-f]+$/, 'sg-0a1b2c3d', 5),
    })
    .optional(),
  account: group({
    ...account.shape,
    zone: account.shape.zone.check(
      z.refine(isTimeZone, 'must be an IANA time zone with its area, such as Europe/London'),
    ),
    callingCode: account.shape.callingCode.check(
      z.refine((code) => planOf(code) !== undefined, 'must be the calling code of a supported country, such as 44'),
    ),
  }),
  callsPerSecond,
  limits: group(limits.shape),
  ingest: group({
    memoryMegabytes: megabytes.default(512),
    timeoutSeconds: lambdaSeconds.default(900),
    concurrency: concurrency.default(5),
  }),
  submit: group({
    ...submit.shape,
    memoryMegabytes: megabytes.default(256),
    /** Requests per invocation. They are sent at the same time. @default - 5, and 10 above 500 calls per second */
    batchSize: z.int().min(1).max(10).optional(),
    /** Invocations at the same time. @default - enough for calls of three seconds at callsPerSecond */
    concurrency: concurrency.optional(),
  }),
  sync: group({ memoryMegabytes: megabytes.default(512), everyMinutes: z.int().min(1).max(60).default(5) }),
  report: group({
    memoryMegabytes: megabytes.default(512),
    timeoutSeconds: lambdaSeconds.default(900),
    concurrency: concurrency.default(2),
    /** All messages of one import in a batch cause one update of its report. */
    batchSize: z.int().min(1).max(10_000).default(10),
    /** A person waits for the first change: docs/decisions/0003 states what limits the work of a large import. */
    windowSeconds: z.int().min(0).max(300).default(0),
  }),
  announce: group({
    memoryMegabytes: megabytes.default(256),
    /** Enough for the retries of a throttled call, which take 30 seconds. */
    timeoutSeconds: lambdaSeconds.default(120),
    /** Records of the table's stream that pass the filter: 100 events are 10 calls to the event bus. */
    batchSize: z.int().min(1).max(10_000).default(100),
    windowSeconds: z.int().min(1).max(300).default(2),
    retryAttempts: z.int().min(1).max(100).default(20),
  }),
  /**
   * Objects that hold PACs expire (spec gap 44). Report reads the upload again until the last port has ended: a PAC is
   * valid for 30 days (spec gap 12), and a migration may be booked further ahead.
   */
  retention: group({
    ...retention.shape,
    /** Results are written from the upload as long as it exists. */
    inboxDays: days
      .min(leastFileDays, `must be at least ${leastFileDays}: results are written from the upload`)
      .default(90),
    /** A plan is read until its requests have an outcome, and some wait until their date can be booked. */
    planDays: days.min(leastFileDays, `must be at least ${leastFileDays}: requests are sent from the plan`).default(45),
    resultsDays: days.default(180),
    /** Records of CloudTrail. */
    auditDays: days.default(365),
    logDays: logDays.default(90),
  }),
  alarms: group({
    /** Recipient of alarm notifications. Without one, and without a topic, there are no alarms and no dashboard. */
    email: email.optional(),
    /** An existing SNS topic for alarm notifications, beside the e-mail address. */
    topicArn: orToken(
      z.string().regex(/^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w-]+$/, 'must be the ARN of an SNS topic'),
    ).optional(),
    /** An alarm fires when more rows than this need action for the first time within five minutes. */
    rowsNeedingAction: positive.default(50),
    /** Age of an unfinished request. Its quiet period and both searches end long before. */
    unfinishedMinutes: positive.default(60),
    /** Delay of a port's next check. */
    stalenessMinutes: positive.default(30),
  }),
  /** Recipient of the digest of finished imports and required actions. @default - nobody */
  digestEmail: email.optional(),
  webhook: group({
    /** A secret `{"url": "https://...", "key": "..."}`: events are sent to `url`, with `key`. @default - nowhere */
    secretName: z.string().min(1).optional(),
    /** `json`: every event as it is. `slack`, `teams`: what the digest shows, as a message of a chat. */
    form: z.enum(['json', 'slack', 'teams']).default('json'),
  }),
});
export type Configuration = z.infer<typeof settingsSchema>;
/** As written: every setting with a default may be absent. */
export type Settings = z.input<typeof settingsSchema>;

/** Abbreviations are ambiguous: `BST` is the time of London in summer, and Node takes it for that of Dhaka. */
function isTimeZone(name: string): boolean {
  if (name !== 'UTC' && !name.includes('/')) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
