// One function of the pipeline: its code, its log group, its own role, and the queue it reads.
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  Architecture,
  type CfnFunction,
  EventSourceMapping,
  Function as LambdaFunction,
  Runtime,
  type StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledgeWildcard } from '../acknowledge.ts';
import { entryOf, type FunctionCode, type FunctionName } from '../bundle.ts';
import type { StageConfiguration } from '../config.ts';
import { keepId } from '../logical-id.ts';
import { joinNetwork, keepNetworkFromCode } from './network.ts';
import type { Permission } from './permission.ts';

export interface PipelineFunctionProps {
  readonly name: FunctionName;
  readonly code: FunctionCode;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  /** @default - Node's own */
  readonly nodeOptions?: readonly string[];
  readonly logDays: StageConfiguration['retention']['logDays'];
  /** @default - outside of any network of the account's own */
  readonly network: StageConfiguration['network'];
  /** @default - the account's own limit */
  readonly reservedConcurrency?: number;
}

export interface Consumption {
  readonly batchSize: number;
  /** @default 0 - a batch is delivered as soon as there is a message */
  readonly windowSeconds?: number;
  readonly concurrency: number;
}

export interface Following {
  readonly batchSize: number;
  readonly windowSeconds: number;
  /** How often a batch that fails is tried again; it is halved each time, so that one bad record holds no other up for long. */
  readonly retryAttempts: number;
  readonly maxRecordAge: Duration;
  readonly startingPosition: StartingPosition;
  readonly filters: readonly Record<string, unknown>[];
  /** Told which part of the stream was given up. */
  readonly deadLetters: IQueue;
}

export class PipelineFunction extends Construct {
  readonly name: FunctionName;
  readonly timeoutSeconds: number;
  readonly lambda: LambdaFunction;
  readonly logGroup: LogGroup;
  private readonly role: Role;

  constructor(scope: Construct, id: string, props: PipelineFunctionProps) {
    super(scope, id);
    this.name = props.name;
    this.timeoutSeconds = props.timeoutSeconds;
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: props.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `What ${props.name} may do, statement by statement`,
    });
    const lambda = new LambdaFunction(this, `${id}Function`, {
      description: `simporter ${props.name}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: props.code(props.name),
      memorySize: props.memoryMegabytes,
      timeout: Duration.seconds(props.timeoutSeconds),
      environment: {
        NODE_OPTIONS: ['--enable-source-maps', ...(props.nodeOptions ?? [])].join(' '),
        ...props.environment,
      },
      logGroup: this.logGroup,
      role: this.role,
      ...(props.reservedConcurrency ? { reservedConcurrentExecutions: props.reservedConcurrency } : {}),
    });
    this.lambda = keepId(lambda);
    const resource = this.lambda.node.defaultChild as CfnFunction;
    // Where the handler's source stands: the embedded engine runs it from there.
    resource.addMetadata('simporter:entry', entryOf(props.name));
    this.allow('WriteLogs', {
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [this.logGroup.logGroupArn],
    });
    if (props.network) {
      resource.vpcConfig = props.network;
      this.allow('JoinNetwork', joinNetwork);
      this.deny('KeepNetworkFromCode', keepNetworkFromCode(Stack.of(this)));
    }
  }

  /** Adds one named statement to the function's own role. */
  allow(sid: string, permission: Permission): void {
    this.state(sid, Effect.ALLOW, permission);
    const { resources, wildcard } = permission;
    if (wildcard) for (const resource of resources) acknowledgeWildcard(this.role, resource, wildcard);
  }

  /** Forbids what a statement of the same role had to allow too widely. */
  deny(sid: string, permission: Permission): void {
    this.state(sid, Effect.DENY, permission);
  }

  private state(sid: string, effect: Effect, { actions, resources, conditions }: Permission): void {
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

  /** Reads what others encrypted with the key and encrypts what it writes, through the services named and nowhere else. */
  allowKey(key: IKey, services: readonly ('s3' | 'secretsmanager')[]): void {
    const { region, urlSuffix } = Stack.of(this);
    this.allow('UseKey', {
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: [key.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': services.map((name) => `${name}.${region}.${urlSuffix}`) } },
    });
  }

  /** Delivers the queue's messages to the function; only those that it lists as failed come back. */
  consume(queue: IQueue, { batchSize, windowSeconds, concurrency }: Consumption): void {
    this.allow('ReadQueue', {
      actions: ['sqs:ChangeMessageVisibility', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
      resources: [queue.queueArn],
    });
    const mapping = new EventSourceMapping(this, 'Source', {
      target: this.lambda,
      eventSourceArn: queue.queueArn,
      batchSize,
      ...(windowSeconds ? { maxBatchingWindow: Duration.seconds(windowSeconds) } : {}),
      maxConcurrency: concurrency,
      reportBatchItemFailures: true,
    });
    // Lambda tries to read the queue when the mapping is made, so the right must be there before.
    mapping.node.addDependency(this.role);
  }

  /** Delivers what changes in the table to the function, of each item in order. */
  follow(table: ITableV2, { deadLetters, filters, windowSeconds, ...how }: Following): void {
    const { tableArn, tableStreamArn } = table;
    if (tableStreamArn === undefined) throw new Error(`${table.node.path} has no stream to follow`);
    this.allow('ReadStream', {
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [tableStreamArn],
    });
    this.allow('FindStream', {
      actions: ['dynamodb:ListStreams'],
      resources: [`${tableArn}/stream/*`],
      wildcard: 'the streams of one table are listed, whichever there are',
    });
    this.allow('PutAside', { actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] });
    const mapping = new EventSourceMapping(this, 'Source', {
      ...how,
      target: this.lambda,
      eventSourceArn: tableStreamArn,
      maxBatchingWindow: Duration.seconds(windowSeconds),
      filters: [...filters],
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      // Not SqsDlq, which grants by a statement without a name.
      onFailure: { bind: () => ({ destination: deadLetters.queueArn }) },
    });
    mapping.node.addDependency(this.role);
  }
}
