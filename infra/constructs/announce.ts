// Announce: reads the table's stream and says on the bus what others want to hear of.
import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import { eventSource } from '../config.ts';
import { environmentOf, type Parts } from './parts.ts';
import { PipelineFunction } from './pipeline-function.ts';
import { deadLetterQueue } from './work-queue.ts';

/** Records of the stream: what the item is now has to look like this under that sort key. */
const record = (sk: unknown, image: Readonly<Record<string, unknown>>, eventName?: readonly string[]) =>
  FilterCriteria.filter({
    ...(eventName === undefined ? {} : { eventName }),
    dynamodb: { Keys: { sk: { S: sk } }, NewImage: image },
  });

/**
 * What can be an event; everything else is never delivered and costs nothing: claims and ends of numbers, requests on their way,
 * looks that found nothing new. Lambda takes five of them.
 */
const filters = [
  record(['import'], { state: { S: ['planned', 'refused', 'completed'] } }),
  record([{ prefix: 'event#' }], { portId: { S: FilterRule.exists() } }, ['INSERT']),
  record(['current'], { told: { M: { ended: { BOOL: [false] } } } }),
  record(['port'], { listed: { S: FilterRule.exists() } }),
  record([{ prefix: 'request#' }], { state: { S: ['needs-human'] } }),
];

export class Announce extends PipelineFunction {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, parts: Parts) {
    const { announce, retention, network } = parts.configuration;
    super(scope, id, {
      name: 'announce',
      code: parts.code,
      memoryMegabytes: announce.memoryMegabytes,
      timeoutSeconds: announce.timeoutSeconds,
      environment: environmentOf(parts),
      logDays: retention.logDays,
      network,
    });
    this.deadLetters = deadLetterQueue(this, 'AnnounceDeadLetters');
    acknowledge(this.deadLetters, 'AwsSolutions-SQS3', 'This is where the stream’s failed batches are put aside.');
    this.follow(parts.table, {
      batchSize: announce.batchSize,
      windowSeconds: announce.windowSeconds,
      retryAttempts: announce.retryAttempts,
      // The stream forgets after a day: what is that old is put aside before, and not lost in silence.
      maxRecordAge: Duration.hours(12),
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters,
      deadLetters: this.deadLetters,
    });
    this.allow('Announce', {
      actions: ['events:PutEvents'],
      resources: [parts.events.bus.eventBusArn],
      conditions: { StringEquals: { 'events:source': eventSource(parts.configuration) } },
    });
  }
}
