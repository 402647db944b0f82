// The properties of the construct `Pipeline`: the settings of an environment, in the groups of docs/reference.

export interface ServiceProps {
  /** The porting service, `https://…` without a slash at the end. */
  readonly baseUrl: string;
  /** Where its access tokens come from. @default - `baseUrl` */
  readonly authUrl?: string;
  /** Your account there. */
  readonly accountId: number;
  /** Where the service has moved: its first `baseUrl`, so that earlier imports go on. @default - `baseUrl` */
  readonly knownAs?: string;
  /** The name of the secret that is created for the credentials. @default - CloudFormation generates a name */
  readonly secretName?: string;
}

/** How the account at the service writes dates and numbers, and what happens to its rows. */
export interface AccountProps {
  /** The time zone of dates. @default Europe/London */
  readonly zone?: string;
  /** The calling code of numbers that have none, without `+`. @default 44 */
  readonly callingCode?: string;
  /** How numbers are sent. @default national */
  readonly msisdnFormat?: 'national' | 'e164' | 'e164plus';
  /** A number that was ported before is rejected (`error`), or sent with a `warning`. @default error */
  readonly alreadyPorted?: 'error' | 'warning';
  /** From this hour of the working day before its date, 0 to 23, a port may be locked. @default 16 */
  readonly lockingHour?: number;
  /** Rows with invalid PACs block their port until a person acts, or are removed from it. @default wait */
  readonly onInvalidPac?: 'wait' | 'remove';
  /** Hours until they are removed. @default 24 */
  readonly removeBlockingAfterHours?: number;
  /** Networks with bundle control, by number or name. @default - those that the specification names */
  readonly bundleControlNetworks?: readonly string[];
}

export interface LimitsProps {
  /** The most rows of one request, 1 to 1000. @default 100 */
  readonly rowsPerRequest?: number;
  /** Larger files are rejected. @default - 2 GiB */
  readonly fileBytes?: number;
  /** Longer files are rejected. @default - 10 million */
  readonly fileRows?: number;
  /** A file with a higher share of invalid rows is rejected as a whole. @default 100 */
  readonly toleratedFailurePercentage?: number;
}

export interface IngestProps {
  /** @default 512 */
  readonly memoryMegabytes?: number;
  /** @default 900 */
  readonly timeoutSeconds?: number;
  /** Files that are read at the same time, 2 to 1000. @default 5 */
  readonly concurrency?: number;
}

export interface SubmitProps {
  /** How long a call to the service may take, 1 to 60. @default 15 */
  readonly callTimeoutSeconds?: number;
  /** How long sync waits before it searches for a request of unknown outcome. @default 240 */
  readonly quietSeconds?: number;
  /** Whether a declined request is sent again without the rows that the service named. @default true */
  readonly retryWithoutDeclined?: boolean;
  /** @default 256 */
  readonly memoryMegabytes?: number;
  /** Requests of one invocation, sent at the same time, 1 to 10. @default - 5, and 10 above 500 calls per second */
  readonly batchSize?: number;
  /** Invocations at the same time, 2 to 1000. @default - enough for calls of three seconds at `callsPerSecond` */
  readonly concurrency?: number;
}

export interface SyncProps {
  /** The interval of its runs, 1 to 60. @default 5 */
  readonly everyMinutes?: number;
  /** @default 512 */
  readonly memoryMegabytes?: number;
}

export interface ReportProps {
  /** @default 512 */
  readonly memoryMegabytes?: number;
  /** @default 900 */
  readonly timeoutSeconds?: number;
  /** Imports that are written at the same time, 2 to 1000. @default 2 */
  readonly concurrency?: number;
  /** Messages of one invocation; more than 10 need `windowSeconds`. @default 10 */
  readonly batchSize?: number;
  /** Messages of one import within this time cause one update of its report. @default 0 */
  readonly windowSeconds?: number;
}

export interface AnnounceProps {
  /** @default 256 */
  readonly memoryMegabytes?: number;
  /** @default 120 */
  readonly timeoutSeconds?: number;
  /** Changes of the table in one invocation. @default 100 */
  readonly batchSize?: number;
  /** How long changes are collected. @default 2 */
  readonly windowSeconds?: number;
  /** How often an invocation that failed is repeated. @default 20 */
  readonly retryAttempts?: number;
}

/** What CloudWatch Logs accepts. */
export type LogDays =
  | 1
  | 3
  | 5
  | 7
  | 14
  | 30
  | 60
  | 90
  | 120
  | 150
  | 180
  | 365
  | 400
  | 545
  | 731
  | 1096
  | 1827
  | 2192
  | 2557
  | 2922
  | 3288
  | 3653;

/** Days after which data is deleted. */
export interface RetentionProps {
  /** Uploads, at least 37. @default 90 */
  readonly inboxDays?: number;
  /** Plans, at least 37. @default 45 */
  readonly planDays?: number;
  /** Results, from the last write. @default 180 */
  readonly resultsDays?: number;
  /** Items of the table, from the upload. @default 730 */
  readonly recordDays?: number;
  /** Logs; one of the values of CloudWatch Logs. @default 90 */
  readonly logDays?: LogDays;
  /** Records of CloudTrail. @default 365 */
  readonly auditDays?: number;
}

export interface AlarmsProps {
  /** The recipient of alarms. In production either this or `topicArn` is required. @default - no alarms */
  readonly email?: string;
  /** An existing SNS topic for alarms, such as that of a pager. */
  readonly topicArn?: string;
  /** An alarm fires when more rows than this require action. @default 50 */
  readonly rowsNeedingAction?: number;
  /** An alarm fires when a request is unfinished for longer. @default 60 */
  readonly unfinishedMinutes?: number;
  /** An alarm fires when a check of a port is overdue for longer. @default 30 */
  readonly stalenessMinutes?: number;
}

export interface WebhookProps {
  /** A secret `{"url": "https://...", "key": "..."}`: events are sent to `url`, with `key`. @default - nowhere */
  readonly secretName?: string;
  /** `json`: every event as it is. `slack`, `teams`: what the digest shows, as a message of a chat. @default json */
  readonly form?: 'json' | 'slack' | 'teams';
}

export interface PipelineProps {
  readonly service: ServiceProps;
  /** The name of the environment: part of the names of metrics, alarms and events. @default prod */
  readonly environment?: string;
  /** Whether the environment holds data of real customers: its resources are protected from deletion. @default true */
  readonly production?: boolean;
  /**
   * Whether the results table, and the people of a `Console`, refuse to be deleted in production. A first deployment
   * that fails leaves them behind, empty. @default true
   */
  readonly deletionProtection?: boolean;
  /**
   * `upload`: a file outside plan/ is sent at once, and a plan needs one approver. `one`: every file waits for an
   * approver. `two`: every file waits, and the person who uploaded it cannot approve it. Required in production with a
   * `Console`. @default upload
   */
  readonly approval?: 'upload' | 'one' | 'two';
  readonly alarms?: AlarmsProps;
  /** The recipient of mails about finished imports and required actions. @default - nobody */
  readonly digestEmail?: string;
  readonly webhook?: WebhookProps;
  /** The most calls to the service per second. @default 10 */
  readonly callsPerSecond?: number;
  readonly account?: AccountProps;
  readonly limits?: LimitsProps;
  readonly ingest?: IngestProps;
  readonly submit?: SubmitProps;
  readonly sync?: SyncProps;
  readonly report?: ReportProps;
  readonly announce?: AnnounceProps;
  readonly retention?: RetentionProps;
  /** How a deployment replaces the code of the functions. @default - canary in production, else direct */
  readonly releases?: 'direct' | 'canary' | 'all-at-once';
  /** Whether X-Ray traces uploads. @default false */
  readonly tracing?: boolean;
  /** Whether CloudTrail and access logs record who reads and writes uploads, plans and results. @default true */
  readonly auditTrail?: boolean;
  /** Whether finished imports can be queried with Athena (`simporter query`). @default true */
  readonly analytics?: boolean;
  /** Private subnets for the functions that call the service. @default - no VPC */
  readonly network?: { readonly subnetIds: readonly string[]; readonly securityGroupIds: readonly string[] };
}
