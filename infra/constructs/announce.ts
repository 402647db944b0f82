// Announce: reads the stream of the table and publishes events for other systems.
import { Duration } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { eventSource } from '../derived-settings.ts';
import { type CommonFunctionProps, operatingProps, PipelineFunction } from './pipeline-function.ts';
import { deadLetterQueue } from './queues.ts';

/** Matches records by their sort key and the new image of the item. */
const matchRecord = (sk: unknown, image: Readonly<Record<string, unknown>>, eventName?: readonly string[]) =>
  FilterCriteria.filter({
    ...(eventName === undefined ? {} : { eventName }),
    dynamodb: { Keys: { sk: { S: sk } }, NewImage: image },
  });

/**
 * Only these records can cause an event. Lambda discards all others for free: claims and ends of numbers, requests in
 * progress, port snapshots without a change. An event source mapping has at most five filters.
 */
const filters = [
  matchRecord(['import'], { state: { S: ['planned', 'rejected', 'finished'] } }),
  matchRecord([{ prefix: 'event#' }], { portId: { S: FilterRule.exists() } }, ['INSERT']),
  matchRecord(['current'], { latest: { M: { ended: { BOOL: [false] } } } }),
  matchRecord(['port'], { listed: { S: FilterRule.exists() } }),
  matchRecord([{ prefix: 'request#' }], { state: { S: ['action-required'] } }),
];

export interface AnnounceProps extends CommonFunctionProps {
  readonly table: ITableV2;
  readonly bus: IEventBus;
}

export class Announce extends PipelineFunction {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { configuration, table, bus, ...common }: AnnounceProps) {
    const { announce } = configuration;
    super(scope, id, {
      ...common,
      name: 'announce',
      memoryMegabytes: announce.memoryMegabytes,
      timeoutSeconds: announce.timeoutSeconds,
      ...operatingProps(configuration),
      // It never calls the service, so it needs no fixed IP address.
      network: undefined,
    });
    this.deadLetters = deadLetterQueue(this, 'AnnounceDeadLetters');
    this.consumeStream(table, {
      batchSize: announce.batchSize,
      windowSeconds: announce.windowSeconds,
      retryAttempts: announce.retryAttempts,
      // The stream keeps records for 24 hours: older records are dead-lettered before it deletes them.
      maxRecordAge: Duration.hours(12),
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters,
      deadLetters: this.deadLetters,
    });
    this.allow('PublishEvents', {
      actions: ['events:PutEvents'],
      resources: [bus.eventBusArn],
      conditions: { StringEquals: { 'events:source': eventSource(configuration.stage) } },
    });
  }
}
