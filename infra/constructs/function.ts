// One Lambda function: its code, log group and role, and the queue or stream that invokes it.
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  Alias,
  Architecture,
  type CfnFunction,
  EventSourceMapping,
  type IFunction,
  Function as LambdaFunction,
  MetricType,
  RecursiveLoop,
  Runtime,
  type StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IConstruct } from 'constructs';
import packageJson from '#package.json' with { type: 'json' };
import { importsPrefix } from '#shared/store/object-keys.ts';
import { acknowledgeWildcard, fixLogicalId } from '../cdk-conventions.ts';
import { heapMegabytes, releaseMode } from '../derived-settings.ts';
import { entryOf, type FunctionCode, type FunctionName } from '../function-names.ts';
import type { Configuration } from '../settings.ts';
import type { Queues, WorkQueue } from './queues.ts';
import type { Storage } from './storage.ts';

/** The alias of the released version. */
export const liveAlias = 'live';

/** What every function of the pipeline needs. */
export interface CommonFunctionProps {
  readonly configuration: Configuration;
  readonly code: FunctionCode;
  readonly environment: Readonly<Record<string, string>>;
}

export interface StepProps extends CommonFunctionProps {
  readonly storage: Storage;
  readonly queues: Queues;
}

/** What every function has in common in one environment. */
export const operatingProps = (configuration: Configuration) => ({
  logDays: configuration.retention.logDays,
  network: configuration.network,
  releases: releaseMode(configuration),
  tracing: configuration.tracing,
});

interface SimporterFunctionProps {
  readonly name: FunctionName;
  readonly code: FunctionCode;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  /** More options in NODE_OPTIONS. */
  readonly nodeOptions?: readonly string[];
  readonly logDays: Configuration['retention']['logDays'];
  /** @default - outside of a VPC */
  readonly network: Configuration['network'];
  /** @default direct */
  readonly releases?: Configuration['releases'];
  /** @default false */
  readonly tracing?: boolean;
  /** @default - the concurrency limit of the AWS account */
  readonly reservedConcurrency?: number | undefined;
  /**
   * Whether the function may send messages that invoke it again. Without it, Lambda stops a chain of about 16
   * invocations. The maximum concurrency of its queue limits the cost of a loop by mistake. @default false
   */
  readonly mayInvokeItself?: boolean;
}

interface QueueSourceProps {
  /** What the second queue of a function is called. @default - the only queue */
  readonly id?: string;
  readonly batchSize: number;
  /** @default 0 - a batch is delivered as soon as there is a message */
  readonly windowSeconds?: number;
  readonly concurrency: number;
}

interface StreamSourceProps {
  readonly batchSize: number;
  readonly windowSeconds: number;
  /** A failed batch is halved for each retry, so one invalid record does not delay the others for long. */
  readonly retryAttempts: number;
  readonly maxRecordAge: Duration;
  readonly startingPosition: StartingPosition;
  readonly filters: readonly Record<string, unknown>[];
  /** Receives the position of records whose retries failed. */
  readonly deadLetters: IQueue;
  /** Whether Lambda publishes how many events it read: no other metric shows that it reads the stream. */
  readonly countsEvents: boolean;
}

export class SimporterFunction extends Construct {
  readonly name: FunctionName;
  readonly timeoutSeconds: number;
  readonly mayInvokeItself: boolean;
  readonly lambda: LambdaFunction;
  /** What events invoke: the alias that CodeDeploy moves, or the function itself. */
  readonly target: IFunction;
  readonly logGroup: LogGroup;
  private readonly role: Role;

  constructor(scope: Construct, id: string, props: SimporterFunctionProps) {
    super(scope, id);
    this.name = props.name;
    this.timeoutSeconds = props.timeoutSeconds;
    this.mayInvokeItself = props.mayInvokeItself ?? false;
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: props.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `Permissions of ${props.name}`,
    });
    this.lambda = this.createFunction(`${id}Function`, props);
    this.allow('WriteLogs', {
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [this.logGroup.logGroupArn],
    });
    if (props.network) this.joinNetwork();
    if (props.tracing) this.allow('WriteTraces', writeTraces);
    const isReleased = (props.releases ?? 'direct') !== 'direct';
    this.target = isReleased ? this.createAlias() : this.lambda;
  }

  private createFunction(id: string, props: SimporterFunctionProps): LambdaFunction {
    const lambda = new LambdaFunction(this, id, {
      // `simporter doctor` reads the version from it.
      description: `simporter ${packageJson.version} ${props.name}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: props.code(props.name),
      memorySize: props.memoryMegabytes,
      timeout: Duration.seconds(props.timeoutSeconds),
      environment: {
        NODE_OPTIONS: [
          '--enable-source-maps',
          // Lambda sets no heap limit where NODE_OPTIONS sets the size of any part of the heap.
          `--max-old-space-size=${heapMegabytes(props.memoryMegabytes)}`,
          ...(props.nodeOptions ?? []),
        ].join(' '),
        ...props.environment,
      },
      recursiveLoop: this.mayInvokeItself ? RecursiveLoop.ALLOW : RecursiveLoop.TERMINATE,
      logGroup: this.logGroup,
      role: this.role,
      ...(props.reservedConcurrency ? { reservedConcurrentExecutions: props.reservedConcurrency } : {}),
    });
    const resource = resourceOf(lambda);
    // The emulator runs the function from this source file.
    resource.addMetadata('simporter:entry', entryOf(props.name));
    // Also where it is the default: CloudFormation may leave a property that a template no longer has as it is.
    resource.vpcConfig = props.network ?? { subnetIds: [], securityGroupIds: [] };
    // Lambda continues the trace of an SQS message, and the AWS SDK sends it on.
    resource.tracingConfig = { mode: props.tracing ? 'Active' : 'PassThrough' };
    return fixLogicalId(lambda);
  }

  private createAlias(): Alias {
    return new Alias(this, 'Live', { aliasName: liveAlias, version: this.lambda.currentVersion });
  }

  private joinNetwork(): void {
    this.allow('CreateNetworkInterfaces', createNetworkInterfaces);
    this.addStatement('DenyNetworkInterfacesToCode', Effect.DENY, denyNetworkInterfacesToCode(Stack.of(this)));
  }

  /** Creates `construct` after the policy of the function's role, for which a reference to the role does not wait. */
  requirePermissions(construct: IConstruct): void {
    construct.node.addDependency(this.role);
  }

  get roleArn(): string {
    return this.role.roleArn;
  }

  /** Adds a statement named `sid` to the function's role. */
  allow(sid: string, permission: Permission): void {
    this.addStatement(sid, Effect.ALLOW, permission);
    const { resources, wildcard } = permission;
    if (wildcard) for (const resource of resources) acknowledgeWildcard(this.role, resource, wildcard);
  }

  private addStatement(sid: string, effect: Effect, { actions, resources, conditions }: Permission): void {
    this.role.addToPolicy(
      new PolicyStatement({
        sid,
        effect,
        actions: [...actions],
        resources: [...resources],
        ...(conditions ? { conditions: { ...conditions } } : {}),
      }),
    );
  }

  /** Uses the key through the named AWS services only. */
  allowKey(key: IKey, services: readonly ('s3' | 'secretsmanager')[]): void {
    const { region, urlSuffix } = Stack.of(this);
    this.allow('UseKey', {
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: [key.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': services.map((name) => `${name}.${region}.${urlSuffix}`) } },
    });
  }

  /** Invokes the function with the messages of the queue. Only the messages that it reports as failed are retried. */
  consumeQueue(queue: IQueue, { id = '', batchSize, windowSeconds = 0, concurrency }: QueueSourceProps): void {
    this.allow(`Read${id}Queue`, {
      actions: ['sqs:ChangeMessageVisibility', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
      resources: [queue.queueArn],
    });
    const mapping = new EventSourceMapping(this, `${id}Source`, {
      target: this.target,
      eventSourceArn: queue.queueArn,
      batchSize,
      enabled: true,
      maxBatchingWindow: Duration.seconds(windowSeconds),
      maxConcurrency: concurrency,
      reportBatchItemFailures: true,
    });
    // Lambda reads the queue when the mapping is created, so the permission must exist before.
    this.requirePermissions(mapping);
  }

  /**
   * Invokes the function with the changes in the table. Changes of one item arrive in their order. Returns the id of
   * the event source.
   */
  consumeStream(table: ITableV2, props: StreamSourceProps): string {
    const { deadLetters, filters, windowSeconds, countsEvents, ...source } = props;
    const { tableArn, tableStreamArn } = table;
    if (tableStreamArn === undefined) throw new Error(`${table.node.path} has no stream`);
    this.allow('ReadStream', {
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [tableStreamArn],
    });
    this.allow('ListStreams', {
      actions: ['dynamodb:ListStreams'],
      resources: [`${tableArn}/stream/*`],
      wildcard: 'the action lists all streams of the table',
    });
    this.allow('SendToDeadLetters', { actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] });
    const mapping = new EventSourceMapping(this, 'Source', {
      ...source,
      enabled: true,
      target: this.target,
      eventSourceArn: tableStreamArn,
      maxBatchingWindow: Duration.seconds(windowSeconds),
      filters: [...filters],
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      // An empty list, because an update does not change what a template leaves out.
      metricsConfig: { metrics: countsEvents ? [MetricType.EVENT_COUNT] : [] },
      // SqsDlq of the CDK would add a statement without a sid.
      onFailure: { bind: () => ({ destination: deadLetters.queueArn }) },
    });
    this.requirePermissions(mapping);
    return mapping.eventSourceMappingId;
  }
}

const resourceOf = (lambda: LambdaFunction): CfnFunction => lambda.node.defaultChild as CfnFunction;

const writeTraces: Permission = {
  actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
  resources: ['*'],
  wildcard: 'X-Ray has no resources that these actions could name',
};

const actions = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
] as const;

/**
 * In private subnets, Lambda creates the network interfaces with the role of the function, so the role allows it, and a
 * deny statement keeps the function's own code from it.
 */
const createNetworkInterfaces: Permission = {
  actions,
  resources: ['*'],
  wildcard: 'Lambda requires these permissions for all network interfaces.',
};

/** Requests of the function's code carry the key of this condition. Those of Lambda do not. */
const denyNetworkInterfacesToCode = ({ partition, region, account }: Stack): Permission => ({
  actions,
  resources: ['*'],
  conditions: { ArnLike: { 'lambda:SourceFunctionArn': `arn:${partition}:lambda:${region}:${account}:function:*` } },
});

// The permissions that several functions use. Each becomes one statement of a role.

export interface Permission {
  readonly actions: readonly string[];
  /** ARNs. */
  readonly resources: readonly string[];
  readonly conditions?: Readonly<Record<string, unknown>>;
  /** Why an ARN ends in a wildcard. */
  readonly wildcard?: string;
}

/** Objects whose keys begin with `prefix`; `wildcard` states what follows it. */
export const useObjects = (
  bucket: IBucket,
  prefix: string,
  wildcard: string,
  ...actions: readonly ('AbortMultipartUpload' | 'GetObject' | 'GetObjectVersion' | 'PutObject')[]
): Permission => ({
  actions: actions.map((action) => `s3:${action}`),
  resources: [bucket.arnForObjects(`${prefix}*`)],
  wildcard,
});

/** Reads any upload, in the version that its event names. */
export const readUploads = (inbox: IBucket): Permission =>
  useObjects(inbox, '', 'the names of uploads are chosen by those who upload', 'GetObject', 'GetObjectVersion');

/** Without s3:ListBucket, S3 answers 403 instead of 404 for a missing object (fault 7). */
export const detectMissingObjects = (...buckets: readonly IBucket[]): Permission => ({
  actions: ['s3:ListBucket'],
  resources: buckets.map((bucket) => bucket.bucketArn),
});

export const readImportFiles = (bucket: IBucket): Permission =>
  useObjects(bucket, importsPrefix, 'one folder per import', 'GetObject');

/** Files are written as multipart uploads, which are aborted on a failure. */
export const writeImportFiles = (bucket: IBucket): Permission =>
  useObjects(bucket, importsPrefix, 'one folder per import', 'AbortMultipartUpload', 'PutObject');

type ItemAction = 'BatchGetItem' | 'DeleteItem' | 'GetItem' | 'PartiQLInsert' | 'PutItem' | 'Query' | 'UpdateItem';

/** Items by key or by partition; no function may scan. PartiQL batches 25 inserts in one call. */
export const useItems = (table: ITableV2, ...actions: readonly ItemAction[]): Permission => ({
  actions: actions.map((action) => `dynamodb:${action}`),
  resources: [table.tableArn],
});

/** Items by their partition keys, such as `lease#*`. */
export const useItemsNamed = (table: ITableV2, action: ItemAction, ...partitions: readonly string[]): Permission => ({
  ...useItems(table, action),
  conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } },
});

export const queryIndex = (table: ITableV2, index: 'due' | 'listed' | 'days'): Permission => ({
  actions: ['dynamodb:Query'],
  resources: [`${table.tableArn}/index/${index}`],
});

export const sendTo = (...queues: readonly WorkQueue[]): Permission => ({
  actions: ['sqs:SendMessage'],
  resources: queues.map(({ queue }) => queue.queueArn),
});

export const readSecret = (secretArn: string): Permission => ({
  actions: ['secretsmanager:GetSecretValue'],
  resources: [secretArn],
});
