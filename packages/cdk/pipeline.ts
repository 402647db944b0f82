// The pipeline as a construct, with the settings that differ between its users as properties.
import { Stack } from 'aws-cdk-lib';
import type { IAlarm, IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { setFeatureFlags } from '#infra/cdk-conventions.ts';
import { readConfiguration } from '#infra/config.ts';
import { PipelineMetrics } from '#infra/constructs/metrics.ts';
import { addPipeline } from '#infra/pipeline.ts';
import type { PlainMetric } from '#shared/runtime/metrics.ts';
import { requireOwnEnvironment, requireOwnStack } from './own-stack.ts';
import type { PipelineProps } from './pipeline-props.ts';
import { rememberPipeline } from './pipeline-resources.ts';
import { withoutUndefined } from './without-undefined.ts';

export interface PipelineQueue {
  readonly queue: IQueue;
  /** What failed in eight deliveries: `simporter redrive` sends it again. */
  readonly deadLetters: IQueue;
}

/**
 * The pipeline: buckets, queues, functions, the results table, the event bus and the alarms. Its stack must contain no
 * other construct of this package, because names of resources and outputs are fixed: `simporter --stack NAME` finds
 * them.
 */
export class Pipeline extends Construct {
  /** Upload files here: `july.csv` to port numbers, other operations below their names: `send-sms/july.csv`. */
  readonly inbox: IBucket;
  /** `imports/<import>/results.csv`, correction files and reference data. */
  readonly results: IBucket;
  /** The results table: docs/guides/table.md has its items, and a query for each question. */
  readonly table: ITableV2;
  /** Where the events are published that docs/reference/events.md describes. */
  readonly eventBus: IEventBus;
  /** Holds `{"clientId", "clientSecret"}`: set it after the first deployment. */
  readonly secretArn: string;
  /** Each has a section in docs/guides/runbook.md. Without a recipient there are none. */
  readonly alarms: readonly IAlarm[];
  readonly queues: Readonly<Record<'ingest' | 'command' | 'submit' | 'report', PipelineQueue>>;
  private readonly metrics: PipelineMetrics;

  /** @throws Error that names every invalid property */
  constructor(scope: Construct, id: string, props: PipelineProps) {
    super(scope, id);
    requireOwnStack(this);
    setFeatureFlags(this);
    const { environment = 'prod', ...settings } = withServiceDefaults(props);
    const configuration = readConfiguration(environment, { environments: { [environment]: settings } });
    requireOwnEnvironment(this, 'pipeline', environment);
    const resources = addPipeline(this, configuration);
    rememberPipeline(this, { environment, settings, resources });
    Stack.of(this).tags.setTag('product', 'simporter');
    const { parts, events, alarms } = resources;
    const { ingest, command, submit, report } = parts.queues;
    this.inbox = parts.storage.inbox;
    this.results = parts.storage.results;
    this.table = parts.storage.table;
    this.eventBus = events.bus;
    this.secretArn = parts.storage.secretArn;
    this.alarms = alarms;
    this.queues = { ingest, command, submit, report };
    this.metrics = new PipelineMetrics(configuration);
  }

  /** Permits uploads: all of them, or those whose keys match, such as `create-port/*`. */
  grantUpload(grantee: IGrantable, keys?: string): Grant {
    return this.inbox.grantPut(grantee, keys);
  }

  /** Permits reading results.csv and the other files of imports. */
  grantReadResults(grantee: IGrantable): Grant {
    return this.results.grantRead(grantee);
  }

  /** Permits reading the results table. It contains numbers, but no PACs. */
  grantReadTable(grantee: IGrantable): Grant {
    return this.table.grantReadData(grantee);
  }

  /** A count of the last five minutes, or of a time in seconds the longest since the last run of sync. */
  metric(name: PlainMetric): IMetric {
    return this.metrics.of(name);
  }
}

/** As a member of `environments` in cdk.json. */
const withServiceDefaults = (props: PipelineProps): PipelineProps & { readonly basedOn: 'prod' } => ({
  ...withoutUndefined(props),
  basedOn: 'prod',
  service: { authUrl: props.service.baseUrl, ...props.service },
});
