// What `Ref` and `Fn::GetAtt` mean for each resource: names, ARNs and URLs. They follow from the template alone, so
// that resources may refer to each other in any order and have the same names at each start.
import { createHash } from 'node:crypto';
import type { Resource } from './template.ts';

export interface Identity {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface StackContext {
  readonly region: string;
  readonly accountId: string;
  readonly stackName: string;
  /** The address that queue URLs begin with. */
  readonly sqsEndpoint: string;
  /** The addresses of HTTP APIs, by their ids. @default - they have none */
  readonly httpApiEndpoints?: Readonly<Record<string, string>>;
  /** The outputs of all stacks. @default - there is only this one */
  readonly outputOf?: (stackName: string, outputName: string) => string | undefined;
}

/** Services and types that change nothing on one machine. A type that is neither here nor in `kinds` is an error. */
const ignoredServices = /^AWS::(Athena|CDK|CloudFront|CloudWatch|Cognito|Glue|IAM|KMS|Logs|SNS)::/;
const ignoredTypes = new Set([
  'AWS::Events::Rule',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Permission',
  'AWS::S3::BucketPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::Scheduler::ScheduleGroup',
]);

export const isIgnored = (type: string): boolean => ignoredServices.test(type) || ignoredTypes.has(type);

/** The name of a resource without one: stack and logical id, with a hash where they are longer than `limit`. */
export const generatedName = (stackName: string, logicalId: string, limit: number): string => {
  const name = `${stackName}-${logicalId}`;
  if (name.length <= limit) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, limit - 9)}-${hash}`;
};

type Identify = (name: string, around: StackContext) => Identity;
interface Kind {
  /** The property with the name, and the longest name that AWS allows. */
  readonly nameProperty: string;
  readonly limit: number;
  readonly lowerCase?: true;
  readonly identify: Identify;
}

const arn = (service: string, resource: string, around: StackContext): string =>
  `arn:aws:${service}:${around.region}:${around.accountId}:${resource}`;

/** Resources that only others refer to, and only by `Ref`. */
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
  'AWS::DynamoDB::GlobalTable': {
    nameProperty: 'TableName',
    limit: 255,
    identify: (name, around) => ({
      ref: name,
      attributes: {
        Arn: arn('dynamodb', `table/${name}`, around),
        StreamArn: arn('dynamodb', `table/${name}/stream/local`, around),
      },
    }),
  },
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
  'AWS::ApiGatewayV2::Authorizer': part,
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
 * Names one resource. `property` resolves a property of it (a name may be an intrinsic). An ignored type gets a
 * placeholder, so that a policy or an environment variable that mentions it still resolves.
 */
export const identify = (
  logicalId: string,
  resource: Resource,
  around: StackContext,
  property: (name: string) => unknown,
): Identity & { readonly isPlaceholder?: true } => {
  const kind = kinds[resource.Type];
  if (kind === undefined)
    return { ref: generatedName(around.stackName, logicalId, 255), attributes: {}, isPlaceholder: true };
  const given = kind.nameProperty === '' ? undefined : property(kind.nameProperty);
  const name = typeof given === 'string' ? given : generatedName(around.stackName, logicalId, kind.limit);
  return kind.identify(kind.lowerCase === true ? name.toLowerCase() : name, around);
};
