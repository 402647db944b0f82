// Small templates for tests of the emulator, as the CDK would write them.
import { fileURLToPath } from 'node:url';
import type { Template } from '#local/template/template.ts';

export const blueprintContext = {
  region: 'eu-west-2',
  accountId: '000000000000',
  sqsEndpoint: 'http://127.0.0.1:1',
  entryMetadata: 'simporter:entry',
};

type Resources = Record<string, { Type: string; Properties?: object; Metadata?: object; DependsOn?: string }>;

export const stackOf = (Resources: Resources, more: object = {}): Template => ({
  stackName: 'test',
  body: { Resources, ...more },
});

/** The source of a function below `test/support/local-functions`. */
export const entryOf = (name: string): string =>
  fileURLToPath(new URL(`../local-functions/${name}/entry.ts`, import.meta.url));

export const lambda = (name: string, properties: object = {}) => ({
  Type: 'AWS::Lambda::Function',
  Metadata: { 'simporter:entry': entryOf(name) },
  Properties: { Handler: 'index.handler', Timeout: 10, MemorySize: 256, ...properties },
});

export const queue = (properties: object = {}) => ({ Type: 'AWS::SQS::Queue', Properties: properties });

/** Lets S3 send events to the queue: a bucket that notifies it must depend on this policy. */
export const eventPolicy = (queueId: string) => ({
  Type: 'AWS::SQS::QueuePolicy',
  Properties: {
    Queues: [{ Ref: queueId }],
    PolicyDocument: {
      Statement: [{ Effect: 'Allow', Principal: { Service: 's3.amazonaws.com' }, Action: 'sqs:SendMessage' }],
    },
  },
});

export const arnOf = (logicalId: string) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });

export const mapping = (queueId: string, functionId: string, properties: object = {}) => ({
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: {
    EventSourceArn: arnOf(queueId),
    FunctionName: { Ref: functionId },
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ...properties,
  },
});

/** However slow the machine is, a message is delivered again only when a test lets this time pass. */
export const hiddenSeconds = 43_200;

/** A queue `Work`, a function that records its batches in the queue `Records`, and the mapping between them. */
export const recordingStack = (mappingProperties: object = {}, more: Resources = {}): Template =>
  stackOf(
    {
      Work: queue({ VisibilityTimeout: hiddenSeconds }),
      Records: queue(),
      Recorder: lambda('record', { Timeout: 60, Environment: { Variables: { RECORD_QUEUE_URL: { Ref: 'Records' } } } }),
      Source: mapping('Work', 'Recorder', mappingProperties),
      ...more,
    },
    { Outputs: { WorkUrl: { Value: { Ref: 'Work' } }, RecordsUrl: { Value: { Ref: 'Records' } } } },
  );
