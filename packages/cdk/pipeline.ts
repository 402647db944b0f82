// The pipeline as a construct, with the settings that differ between its users as properties.
import { Stack } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { readConfiguration } from '#infra/config.ts';
import { setFeatureFlags } from '#infra/feature-flags.ts';
import { addPipeline } from '#infra/pipeline.ts';
import { requireOwnStack } from './own-stack.ts';
import { rememberPipeline } from './pipeline-resources.ts';
import { withoutUndefined } from './without-undefined.ts';

export interface PipelineProps {
  /** The porting service, `https://…` without a slash at the end. */
  readonly serviceBaseUrl: string;
  /** The address of its token endpoint. @default serviceBaseUrl */
  readonly serviceAuthUrl?: string;
  readonly serviceAccountId: number;
  /** The name of the secret that is created for the credentials. @default - CloudFormation generates a name */
  readonly serviceSecretName?: string;
  /** The name of the environment: part of the names of metrics, alarms and events. @default prod */
  readonly environment?: string;
  /** Whether the environment holds data of real customers: its resources are protected from deletion. @default true */
  readonly production?: boolean;
  /**
   * `upload`: a file outside plan/ is sent at once, and a plan needs one approver. `one`: every file waits for an
   * approver. `two`: every file waits, and the person who uploaded it cannot approve it. Required in production with a
   * `Console`. @default upload
   */
  readonly approval?: 'upload' | 'one' | 'two';
  /** The recipient of alarms. In production either this or `alarmTopicArn` is required. */
  readonly alarmEmail?: string;
  /** An existing SNS topic for alarms. */
  readonly alarmTopicArn?: string;
  /** The recipient of mails about finished imports and required actions. @default - nobody */
  readonly digestEmail?: string;
  /** The most calls to the service per second. @default 10 */
  readonly callsPerSecond?: number;
  /** The most rows of one request. @default 100 */
  readonly rowsPerRequest?: number;
  /** A file with a higher share of invalid rows is rejected as a whole. @default 100 */
  readonly toleratedFailurePercentage?: number;
  /** What happens to rows with invalid PACs: `wait`, or `remove` from their port. @default wait */
  readonly onInvalidPac?: 'wait' | 'remove';
  /** Hours until they are removed. @default 24 */
  readonly removeBlockingAfterHours?: number;
  /** The time zone of the account at the service. @default Europe/London */
  readonly timeZone?: string;
  /** The calling code of the account's numbers, without `+`. @default 44 */
  readonly callingCode?: string;
  /** How numbers are sent to the service. @default national */
  readonly msisdnFormat?: 'national' | 'e164' | 'e164plus';
  /** Minutes between two runs of sync. @default 5 */
  readonly syncEveryMinutes?: number;
  /** How a deployment replaces the code of the functions. @default canary */
  readonly releases?: 'direct' | 'canary' | 'all-at-once';
  /** Whether X-Ray traces uploads. @default false */
  readonly tracing?: boolean;
  /** Whether CloudTrail records who reads and writes uploads, plans and results. @default true */
  readonly auditTrail?: boolean;
  /** Whether finished imports can be queried with Athena (`simporter query`). @default true */
  readonly analytics?: boolean;
  /** Private subnets for the functions that call the service. @default - no VPC */
  readonly subnetIds?: readonly string[];
  /** Their security groups; required with `subnetIds`. */
  readonly securityGroupIds?: readonly string[];
}

/**
 * The pipeline: buckets, queues, functions, the results table, the event bus and the alarms. Its stack must contain no
 * other construct of this package, because names of resources and outputs are fixed: `simporter --stack NAME` finds
 * them.
 */
export class Pipeline extends Construct {
  /** Upload files here, below the name of an operation: `create-port/july.csv`. */
  readonly inbox: IBucket;
  /** `imports/<import>/results.csv`, correction files and reference data. */
  readonly results: IBucket;
  /** Where the events are published that docs/reference/events.md describes. */
  readonly eventBus: IEventBus;
  /** Holds `{"clientId", "clientSecret"}`: set it after the first deployment. */
  readonly secretArn: string;

  /** @throws Error that names every invalid property */
  constructor(scope: Construct, id: string, props: PipelineProps) {
    super(scope, id);
    requireOwnStack(this);
    setFeatureFlags(this);
    const { environment = 'prod' } = props;
    const settings = settingsOf(props);
    const configuration = readConfiguration(environment, { environments: { [environment]: settings } });
    const resources = addPipeline(this, configuration);
    const { parts, events } = resources;
    rememberPipeline(this, { environment, settings, resources });
    Stack.of(this).tags.setTag('product', 'simporter');
    this.inbox = parts.storage.inbox;
    this.results = parts.storage.results;
    this.eventBus = events.bus;
    this.secretArn = parts.storage.secretArn;
  }
}

/** As a member of `environments` in cdk.json. */
function settingsOf(props: PipelineProps) {
  const { serviceBaseUrl, serviceAuthUrl = serviceBaseUrl, subnetIds, securityGroupIds } = props;
  return withoutUndefined({
    basedOn: 'prod',
    ...{ production: props.production, releases: props.releases, tracing: props.tracing, auditTrail: props.auditTrail },
    ...{
      approval: props.approval,
      analytics: props.analytics,
      digestEmail: props.digestEmail,
      callsPerSecond: props.callsPerSecond,
    },
    service: {
      ...{ baseUrl: serviceBaseUrl, authUrl: serviceAuthUrl },
      ...{ accountId: props.serviceAccountId, secretName: props.serviceSecretName },
    },
    network: subnetIds && { subnetIds, securityGroupIds: securityGroupIds ?? [] },
    alarms: { email: props.alarmEmail, topicArn: props.alarmTopicArn },
    limits: {
      rowsPerRequest: props.rowsPerRequest,
      toleratedFailurePercentage: props.toleratedFailurePercentage,
    },
    account: {
      ...{ zone: props.timeZone, callingCode: props.callingCode, msisdnFormat: props.msisdnFormat },
      ...{ onInvalidPac: props.onInvalidPac, removeBlockingAfterHours: props.removeBlockingAfterHours },
    },
    sync: { everyMinutes: props.syncEveryMinutes },
  });
}
