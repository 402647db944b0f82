// What `Ref` and `Fn::GetAtt` answer for each resource: names, ARNs and URLs that follow from the template alone, so that
// resources may refer to each other in any order and keep their names over a restart.
import { createHash } from 'node:crypto';
import type { Resource } from './template.ts';

export interface Identity {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Surroundings {
  readonly region: string;
  readonly accountId: string;
  readonly stackName: string;
  /** Where queues live; their URLs start with it. */
  readonly sqsEndpoint: string;
  /** Where HTTP APIs answer, by their ids. @default - they answer nowhere */
  readonly httpApiEndpoints?: Readonly<Record<string, string>>;
}

/** Types that change nothing about what a pipeline does on one machine. Anything absent here and below is an error. */
const ignoredTypes = new Set([
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Events::Rule',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Alias',
  'AWS::KMS::Key',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::Logs::ResourcePolicy',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::Scheduler::ScheduleGroup',
]);

export const isIgnored = (type: string): boolean => ignoredTypes.has(type);

/** The name CloudFormation would make up: stack and logical id, cut to `limit`, with a hash where it had to be cut. */
export const madeUpName = (stackName: string, logicalId: string, limit: number): string => {
  const name = `${stackName}-${logicalId}`;
  if (name.length <= limit) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, limit - 9)}-${hash}`;
};

type Identify = (name: string, around: Surroundings) => Identity;
interface Kind {
  /** The property that fixes the name, and the longest name AWS takes. */
  readonly nameProperty: string;
  readonly limit: number;
  readonly lowerCase?: true;
  readonly identify: Identify;
}

const arn = (service: string, resource: string, around: Surroundings): string =>
  `arn:aws:${service}:${around.region}:${around.accountId}:${resource}`;

const table: Kind = {
  nameProperty: 'TableName',
  limit: 255,
  identify: (name, around) => ({
    ref: name,
    attributes: {
      Arn: arn('dynamodb', `table/${name}`, around),
      StreamArn: arn('dynamodb', `table/${name}/stream/local`, around),
      TableId: name,
    },
  }),
};

/** Parts that only other parts refer to, and only by `Ref`. */
const part: Kind = { nameProperty: '', limit: 255, identify: (name) => ({ ref: name, attributes: {} }) };

const kinds: Readonly<Record<string, Kind>> = {
  'AWS::S3::Bucket': {
    nameProperty: 'BucketName',
    limit: 63,
    lowerCase: true,
    identify: (name, around) => ({
      ref: name,
      attributes: {
        Arn: `arn:aws:s3:::${name}`,
        DomainName: `${name}.s3.amazonaws.com`,
        RegionalDomainName: `${name}.s3.${around.region}.amazonaws.com`,
      },
    }),
  },
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    limit: 80,
    identify: (name, around) => {
      const url = `${around.sqsEndpoint}/${around.accountId}/${name}`;
      return { ref: url, attributes: { Arn: arn('sqs', name, around), QueueName: name, QueueUrl: url } };
    },
  },
  'AWS::Events::EventBus': {
    nameProperty: 'Name',
    limit: 256,
    identify: (name, around) => ({
      ref: name,
      attributes: { Name: name, Arn: arn('events', `event-bus/${name}`, around) },
    }),
  },
  'AWS::DynamoDB::Table': table,
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::Lambda::Function': {
    nameProperty: 'FunctionName',
    limit: 64,
    identify: (name, around) => ({ ref: name, attributes: { Arn: arn('lambda', `function:${name}`, around) } }),
  },
  'AWS::Lambda::EventSourceMapping': {
    nameProperty: '',
    limit: 255,
    identify: (name) => ({ ref: name, attributes: { Id: name } }),
  },
  'AWS::ApiGatewayV2::Api': {
    nameProperty: '',
    limit: 255,
    identify: (name, { httpApiEndpoints = {} }) => {
      const endpoint = httpApiEndpoints[name];
      return { ref: name, attributes: { ApiId: name, ...(endpoint !== undefined && { ApiEndpoint: endpoint }) } };
    },
  },
  'AWS::ApiGatewayV2::Integration': part,
  'AWS::ApiGatewayV2::Route': part,
  'AWS::ApiGatewayV2::Stage': part,
  'AWS::Scheduler::Schedule': {
    nameProperty: 'Name',
    limit: 64,
    identify: (name, around) => ({
      ref: name,
      attributes: { Arn: arn('scheduler', `schedule/default/${name}`, around) },
    }),
  },
  'AWS::SecretsManager::Secret': {
    nameProperty: 'Name',
    limit: 255,
    identify: (name, around) => {
      const secretArn = arn('secretsmanager', `secret:${name}`, around);
      return { ref: secretArn, attributes: { Id: secretArn, Arn: secretArn } };
    },
  },
};

export const isKnown = (type: string): boolean => type in kinds;

/**
 * Names one resource. `property` resolves a property of it (names may be intrinsics themselves). Ignored types answer
 * with a stand-in, so that a policy or an environment variable that mentions them still resolves.
 */
export const identify = (
  logicalId: string,
  resource: Resource,
  around: Surroundings,
  property: (name: string) => unknown,
): Identity & { readonly standIn?: true } => {
  const kind = kinds[resource.Type];
  if (kind === undefined) return { ref: madeUpName(around.stackName, logicalId, 255), attributes: {}, standIn: true };
  const given = kind.nameProperty === '' ? undefined : property(kind.nameProperty);
  const name = typeof given === 'string' ? given : madeUpName(around.stackName, logicalId, kind.limit);
  return kind.identify(kind.lowerCase === true ? name.toLowerCase() : name, around);
};
