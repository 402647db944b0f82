// What AWS refuses while a resource is created, because something that it names or needs does not exist yet. Schedules,
// rules of EventBridge, alarms and subscriptions are examined too: AWS creates them, but what they do before their
// permission exists is lost.
import type { Moment } from './moment.ts';
import { asArray, formatValue, functionIn, type Properties, referencedId } from './references.ts';

export interface Created {
  readonly type: string;
  readonly properties: Properties;
}

/** Returns what is missing, as the end of a sentence that begins with the resource. */
type Rule = (created: Created, moment: Moment) => readonly string[];

const when = (condition: boolean, missing: string): readonly string[] => (condition ? [missing] : []);

/** The functions that a resource names, each with its qualifier where that is a property of its own. */
const namedFunctions: Readonly<Record<string, (properties: Properties) => readonly (readonly unknown[])[]>> = {
  'AWS::Lambda::EventInvokeConfig': ({ FunctionName, Qualifier }) => [[FunctionName, Qualifier]],
  'AWS::Lambda::EventSourceMapping': ({ FunctionName }) => [[FunctionName]],
  'AWS::Lambda::Permission': ({ FunctionName }) => [[FunctionName]],
  'AWS::Lambda::Url': ({ TargetFunctionArn, Qualifier }) => [[TargetFunctionArn, Qualifier]],
  'AWS::Scheduler::Schedule': ({ Target }) => [[Target?.Arn]],
  'AWS::Events::Rule': ({ Targets }) => asArray<Properties>(Targets).map(({ Arn }) => [Arn]),
};

/** `live` in `…:function:<Sync>:live`. A reference to an alias or a version names it, and waits for it. */
const qualifierIn = (name: unknown): string | undefined => /:([\w-]+)$/.exec(formatValue(name))?.[1];

const aliasFirst: Rule = ({ type, properties }, moment) =>
  (namedFunctions[type]?.(properties) ?? []).flatMap(([name, given]) => {
    const owner = functionIn(moment.template, name);
    const qualifier = given ?? qualifierIn(name);
    if (owner === undefined || typeof qualifier !== 'string' || qualifier === '$LATEST') return [];
    const isOfOwner = ({ FunctionName }: Properties) => functionIn(moment.template, FunctionName) === owner;
    const exists = /^\d+$/.test(qualifier)
      ? moment.all('AWS::Lambda::Version').some(isOfOwner)
      : moment.all('AWS::Lambda::Alias').some((alias) => isOfOwner(alias) && alias.Name === qualifier);
    return when(!exists, `names "${qualifier}" of ${owner}, which does not exist yet`);
  });

type Need = readonly [action: string, target: unknown];

/** What Lambda calls with the role of the function, by the type of the event source. */
const sourceActions: Readonly<Record<string, readonly string[]>> = {
  'AWS::SQS::Queue': ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
  'AWS::DynamoDB::GlobalTable': ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
};
const destinationActions: Readonly<Record<string, string>> = {
  'AWS::SQS::Queue': 'sqs:SendMessage',
  'AWS::SNS::Topic': 'sns:Publish',
};
const toDestinations = (moment: Moment, ...targets: readonly unknown[]): readonly Need[] =>
  targets.flatMap((target): Need[] => {
    const action = destinationActions[moment.typeOf(target) ?? ''];
    return action === undefined ? [] : [[action, target]];
  });

/** What Lambda checks in the role of the function: the event source, destinations, the network and traces. */
const neededPermissions: Readonly<Record<string, (properties: Properties, moment: Moment) => readonly Need[]>> = {
  'AWS::Lambda::Function': ({ DeadLetterConfig, VpcConfig, TracingConfig }, moment) => [
    ...toDestinations(moment, DeadLetterConfig?.TargetArn),
    ...(asArray(VpcConfig?.SubnetIds).length > 0 ? [['ec2:CreateNetworkInterface', '*'] as const] : []),
    ...(TracingConfig?.Mode === 'Active' ? [['xray:PutTraceSegments', '*'] as const] : []),
  ],
  'AWS::Lambda::EventInvokeConfig': ({ DestinationConfig }, moment) =>
    toDestinations(moment, DestinationConfig?.OnFailure?.Destination, DestinationConfig?.OnSuccess?.Destination),
  'AWS::Lambda::EventSourceMapping': ({ EventSourceArn, DestinationConfig }, moment) => [
    ...(sourceActions[moment.typeOf(EventSourceArn) ?? ''] ?? []).map((action) => [action, EventSourceArn] as const),
    ...toDestinations(moment, DestinationConfig?.OnFailure?.Destination),
  ],
};

const functionPermissions: Rule = ({ type, properties }, moment) => {
  const owner = moment.template.Resources[functionIn(moment.template, properties.FunctionName) ?? ''];
  const role = properties.Role ?? owner?.Properties.Role;
  return (neededPermissions[type]?.(properties, moment) ?? []).flatMap(([action, target]) =>
    when(!moment.roleMay(role, action, target), `needs a role that may ${action} by then`),
  );
};

/** Lambda declines a mapping whose queue shows a message again while the function still works on it. */
const queueVisibility: Rule = ({ type, properties }, moment) => {
  if (type !== 'AWS::Lambda::EventSourceMapping') return [];
  const { EventSourceArn, FunctionName } = properties;
  const owner = moment.template.Resources[functionIn(moment.template, FunctionName) ?? ''];
  if (moment.typeOf(EventSourceArn) !== 'AWS::SQS::Queue' || owner === undefined) return [];
  const { VisibilityTimeout = 30 } = moment.propertiesOf(EventSourceArn);
  const { Timeout = 3 } = owner.Properties;
  return when(
    Number(VisibilityTimeout) < Number(Timeout),
    `needs a queue with a visibility timeout of at least the ${Timeout} seconds of its function, not ${VisibilityTimeout}`,
  );
};

/** Schedules and rules act with a role of their own. */
const rolePermissions: Rule = ({ type, properties }, moment) => {
  const roles: Readonly<Record<string, readonly unknown[]>> = {
    'AWS::Scheduler::Schedule': [properties.Target?.RoleArn],
    'AWS::Events::Rule': asArray<Properties>(properties.Targets).map(({ RoleArn }) => RoleArn),
  };
  return (roles[type] ?? [])
    .filter((role) => role !== undefined)
    .flatMap((role) => moment.laterPoliciesOf(role))
    .map((policy) => `acts with a role that gets its policy ${policy} later`);
};

interface Delivery {
  readonly service: string;
  readonly action: string;
  readonly target: unknown;
}

/** What an AWS service delivers on behalf of a resource, from its creation on. */
const deliveries: Readonly<Record<string, (properties: Properties, moment: Moment) => readonly Delivery[]>> = {
  'AWS::S3::Bucket': ({ NotificationConfiguration = {}, LoggingConfiguration }) => {
    const { QueueConfigurations, TopicConfigurations, LambdaConfigurations } = NotificationConfiguration;
    const service = 's3.amazonaws.com';
    const { DestinationBucketName: logs } = LoggingConfiguration ?? {};
    return [
      ...asArray<Properties>(QueueConfigurations).map((one) => ({ service, ...toQueue(one.Queue) })),
      ...asArray<Properties>(TopicConfigurations).map((one) => ({ service, ...toTopic(one.Topic) })),
      ...asArray<Properties>(LambdaConfigurations).map((one) => ({ service, ...toFunction(one.Function) })),
      ...(logs === undefined ? [] : [{ service: 'logging.s3.amazonaws.com', action: 's3:PutObject', target: logs }]),
    ];
  },
  'AWS::CloudTrail::Trail': ({ S3BucketName: target }) =>
    ['s3:GetBucketAcl', 's3:PutObject'].map((action) => ({ service: 'cloudtrail.amazonaws.com', action, target })),
  'AWS::CloudWatch::Alarm': ({ AlarmActions, OKActions, InsufficientDataActions }) =>
    [AlarmActions, OKActions, InsufficientDataActions]
      .flatMap((actions) => asArray<unknown>(actions))
      .map((topic) => ({ service: 'cloudwatch.amazonaws.com', ...toTopic(topic) })),
  'AWS::Events::Rule': ({ Targets }, moment) =>
    asArray<Properties>(Targets)
      .filter(({ RoleArn }) => RoleArn === undefined)
      .map(({ Arn }) => ({
        service: 'events.amazonaws.com',
        ...(functionIn(moment.template, Arn)
          ? toFunction(Arn)
          : moment.typeOf(Arn) === 'AWS::SQS::Queue'
            ? toQueue(Arn)
            : toTopic(Arn)),
      })),
  'AWS::SNS::Subscription': ({ Protocol, Endpoint }) =>
    Protocol === 'sqs' ? [{ service: 'sns.amazonaws.com', ...toQueue(Endpoint) }] : [],
};
const toQueue = (target: unknown) => ({ action: 'sqs:SendMessage', target });
const toTopic = (target: unknown) => ({ action: 'sns:Publish', target });
const toFunction = (target: unknown) => ({ action: 'lambda:InvokeFunction', target });

const deliveriesOf = ({ type, properties }: Created, moment: Moment): readonly Delivery[] =>
  deliveries[type]?.(properties, moment) ?? [];

const deliveryPolicy: Rule = (created, moment) =>
  deliveriesOf(created, moment).flatMap(({ service, action, target }) =>
    when(
      !moment.serviceMay(service, action, target),
      `needs a policy of ${formatValue(target)} that allows ${action} to ${service} by then`,
    ),
  );

/** The keys with which a service encrypts what it delivers, or what it keeps. */
const keyPolicy: Rule = (created, moment) => {
  const { type, properties } = created;
  const used = deliveriesOf(created, moment).map(({ service, target }) => {
    const { KmsMasterKeyId } = moment.propertiesOf(target);
    return [service, KmsMasterKeyId] as const;
  });
  if (type === 'AWS::CloudTrail::Trail') used.push(['cloudtrail.amazonaws.com', properties.KMSKeyId]);
  if (type === 'AWS::Logs::LogGroup') used.push(['logs.<AWS::Region>.amazonaws.com', properties.KmsKeyId]);
  return used
    .filter(([service, key]) => !moment.serviceMayUse(service, key))
    .map(([service, key]) => `is encrypted with ${formatValue(key)}, whose policy does not know ${service}`);
};

/** Otherwise the first messages are sent under another policy than the template's. */
const subscriptionPolicy: Rule = ({ type, properties }, moment) =>
  type !== 'AWS::SNS::Subscription'
    ? []
    : moment.laterPoliciesFor(properties.TopicArn).map((policy) => `subscribes to a topic that gets ${policy} later`);

/** API Gateway: "Unable to find Route by key". */
const routeSettings: Rule = ({ type, properties }, moment) => {
  if (type !== 'AWS::ApiGatewayV2::Stage') return [];
  const routes = moment
    .all('AWS::ApiGatewayV2::Route')
    .filter(({ ApiId }) => referencedId(ApiId) === referencedId(properties.ApiId));
  return Object.keys(properties.RouteSettings ?? {})
    .filter((key) => !routes.some(({ RouteKey }) => RouteKey === key))
    .map((key) => `has settings of the route "${key}", which does not exist yet`);
};

/** Cognito: "The provider Company does not exist for User Pool". */
const identityProviders: Rule = ({ type, properties }, moment) => {
  if (type !== 'AWS::Cognito::UserPoolClient') return [];
  const existing = moment.all('AWS::Cognito::UserPoolIdentityProvider').map(({ ProviderName }) => ProviderName);
  return asArray<unknown>(properties.SupportedIdentityProviders)
    .filter((name) => name !== 'COGNITO' && !existing.includes(name))
    .map((name) => `names the identity provider "${name}", which does not exist yet`);
};

export const creationRules = {
  'alias-first': aliasFirst,
  'function-permissions': functionPermissions,
  'source-visibility': queueVisibility,
  'role-permissions': rolePermissions,
  'delivery-policy': deliveryPolicy,
  'key-policy': keyPolicy,
  'subscription-policy': subscriptionPolicy,
  'route-settings': routeSettings,
  'identity-provider': identityProviders,
} as const satisfies Readonly<Record<string, Rule>>;
export type CreationRule = keyof typeof creationRules;
