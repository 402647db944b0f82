// Reads a template into plain lists of what the emulator starts: buckets, queues, tables, functions, event source
// mappings, schedules, secrets, HTTP APIs, each in the order of their creation. Properties that matter only on AWS are
// ignored.
import * as z from 'zod';
import { limits } from '../limits.ts';
import { creationOrder, refusalsOf } from './creation.ts';
import { generatedName, isIgnored, isKnown, type StackContext } from './identities.ts';
import { Resolver } from './resolve.ts';
import { type ParsedTemplate, type Resource, type Template, TemplateError, template } from './template.ts';

const count = z.coerce.number().int().nonnegative();

const bucket = z.object({
  VersioningConfiguration: z.object({ Status: z.string() }).optional(),
  NotificationConfiguration: z
    .strictObject({
      QueueConfigurations: z
        .array(
          z.object({
            Event: z.string(),
            Queue: z.string(),
            Filter: z
              .object({ S3Key: z.object({ Rules: z.array(z.object({ Name: z.string(), Value: z.string() })) }) })
              .optional(),
          }),
        )
        .default([]),
    })
    .default({ QueueConfigurations: [] }),
});

const queue = z.object({
  VisibilityTimeout: count.optional(),
  DelaySeconds: count.optional(),
  MessageRetentionPeriod: count.optional(),
  ReceiveMessageWaitTimeSeconds: count.optional(),
  RedrivePolicy: z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: count }).optional(),
  FifoQueue: z.literal(false).optional(),
});

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));
const index = z.object({
  IndexName: z.string(),
  KeySchema: keySchema,
  Projection: z.object({
    ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
    NonKeyAttributes: z.array(z.string()).optional(),
  }),
});
const table = z.object({
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z.array(index).default([]),
});

const { lambdaVariablesBytes } = limits;
const lambda = z.object({
  Timeout: count.min(1).max(limits.lambdaSeconds.value).default(3),
  MemorySize: count.min(limits.lambdaMinMemoryMb.value).max(limits.lambdaMaxMemoryMb.value).default(128),
  Handler: z.string().default('index.handler'),
  ReservedConcurrentExecutions: count.optional(),
  RecursiveLoop: z.enum(['Allow', 'Terminate']).default('Terminate'),
  Environment: z
    .object({ Variables: z.record(z.string(), z.coerce.string()) })
    .refine(({ Variables }) => Buffer.byteLength(JSON.stringify(Variables)) <= lambdaVariablesBytes.value, {
      path: ['Variables'],
      message: `a function takes ${lambdaVariablesBytes.value} bytes of variables`,
    })
    .default({ Variables: {} }),
});

const concurrency = count.min(limits.mappingMinConcurrency.value).max(limits.mappingMaxConcurrency.value);
const isOfQueue = ({ EventSourceArn }: { readonly EventSourceArn: string }): boolean =>
  EventSourceArn.includes(':sqs:');
const mapping = z
  .object({
    EventSourceArn: z.string(),
    FunctionName: z.string(),
    Enabled: z.boolean().default(true),
    BatchSize: count.min(1).max(limits.mappingBatch.value).default(10),
    MaximumBatchingWindowInSeconds: count.max(limits.mappingWindowSeconds.value).default(0),
    FunctionResponseTypes: z.array(z.string()).default([]),
    ScalingConfig: z.object({ MaximumConcurrency: concurrency }).optional(),
    FilterCriteria: z.object({ Filters: z.array(z.object({ Pattern: z.string() })) }).optional(),
    BisectBatchOnFunctionError: z.boolean().default(false),
    MaximumRetryAttempts: count.optional(),
    DestinationConfig: z.object({ OnFailure: z.object({ Destination: z.string() }) }).optional(),
  })
  .refine((one) => one.FilterCriteria === undefined || !isOfQueue(one), {
    path: ['FilterCriteria'],
    message: 'the emulator does not filter messages of queues',
  })
  .refine(
    (one) =>
      !isOfQueue(one) ||
      one.BatchSize <= limits.mappingBatchWithoutWindow.value ||
      one.MaximumBatchingWindowInSeconds > 0,
    {
      path: ['MaximumBatchingWindowInSeconds'],
      message: `more than ${limits.mappingBatchWithoutWindow.value} messages in a batch need a window`,
    },
  );

const schedule = z.object({
  ScheduleExpression: z.string(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Target: z.object({
    Arn: z.string(),
    Input: z.string().default('{}'),
    RetryPolicy: z.object({ MaximumRetryAttempts: count.optional() }).default({}),
    DeadLetterConfig: z.object({ Arn: z.string() }).optional(),
  }),
});

const secret = z.object({
  SecretString: z.string().optional(),
  GenerateSecretString: z
    .object({
      PasswordLength: count.default(32),
      SecretStringTemplate: z.string().optional(),
      GenerateStringKey: z.string().optional(),
    })
    .optional(),
});

interface Named {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
}
export type BucketPlan = Named & z.infer<typeof bucket>;
export type QueuePlan = Named & { readonly url: string } & z.infer<typeof queue>;
export type TablePlan = Named & { readonly streamArn: string } & z.infer<typeof table>;
/** `entry` is the source file, relative to the project's folder. */
export type FunctionPlan = Named & { readonly entry: string } & z.infer<typeof lambda>;
export type MappingPlan = { readonly logicalId: string } & z.infer<typeof mapping>;
export type SchedulePlan = Named & z.infer<typeof schedule>;
export type SecretPlan = Named & z.infer<typeof secret>;

export interface Blueprint {
  readonly buckets: readonly BucketPlan[];
  readonly queues: readonly QueuePlan[];
  readonly tables: readonly TablePlan[];
  readonly functions: readonly FunctionPlan[];
  readonly mappings: readonly MappingPlan[];
  readonly schedules: readonly SchedulePlan[];
  readonly secrets: readonly SecretPlan[];
  readonly httpApis: readonly HttpApiPlan[];
  readonly outputs: Readonly<Record<string, string>>;
}

interface BlueprintContext extends Omit<StackContext, 'stackName' | 'outputOf'> {
  /** The template metadata of a function that names its source file. */
  readonly entryMetadata: string;
}

/**
 * Reads several stacks as one. A stack may refer to outputs of another one. Of outputs with the same name, the later
 * stack's counts.
 * @throws TemplateError for a type or an intrinsic function that the emulator does not know, a property that it cannot
 * follow, or a resource that AWS would not create; the message names the stack, the logical id and the property
 */
export const readBlueprint = (templates: readonly Template[], context: BlueprintContext): Blueprint => {
  const resolvers = new Map<string, Resolver>();
  const outputOf = (stack: string, output: string) => resolvers.get(stack)?.output(output);
  for (const { stackName, body } of templates) {
    resolvers.set(stackName, new Resolver(template.parse(body), { ...context, stackName, outputOf }));
  }
  return mergeBlueprints([...resolvers].map(([stackName, resolver]) => readStack(stackName, resolver, context)));
};

const readStack = (stackName: string, resolver: Resolver, context: BlueprintContext): Blueprint => {
  const resources = inCreationOrder(stackName, resolver.template);
  const unknown = resources.filter(([, { Type }]) => !isKnown(Type) && !isIgnored(Type));
  if (unknown.length > 0) {
    const named = unknown.map(([logicalId, { Type }]) => `${logicalId} (${Type})`).join(', ');
    throw new TemplateError(
      `${stackName}: the emulator cannot run ${named}: implement the type or put it on the ignore list`,
    );
  }

  const entryOf = ({ Metadata }: Resource, logicalId: string): string => {
    const entry = Metadata[context.entryMetadata];
    if (typeof entry === 'string') return entry;
    const expected = `Metadata "${context.entryMetadata}" that names its source file`;
    throw new TemplateError(`${stackName}: ${logicalId}: a function needs ${expected}`);
  };

  /** Each resource of a type: its ids, and its properties as far as the schema names them. */
  const read = <Schema extends z.ZodType>(schema: Schema, type: string) =>
    resources
      .filter(([, { Type }]) => Type === type)
      .map(([logicalId, resource]) => {
        const result = schema.safeParse(resolver.value(resource.Properties, `${logicalId}.Properties`));
        if (!result.success) {
          throw new TemplateError(`${stackName}: ${logicalId} (${resource.Type}): ${z.prettifyError(result.error)}`);
        }
        const { ref, attributes } = resolver.identity(logicalId);
        const ids = { logicalId, ref, name: attributes.QueueName ?? ref, arn: attributes.Arn ?? ref };
        return { ids, resource, attributes, properties: result.data as z.output<Schema> };
      });
  const plansOf = <Schema extends z.ZodObject>(schema: Schema, type: string) =>
    read(schema, type).map(({ ids, properties }) => ({ ...ids, ...properties }));

  return {
    buckets: plansOf(bucket, 'AWS::S3::Bucket'),
    queues: plansOf(queue, 'AWS::SQS::Queue').map((plan) => ({ ...plan, url: plan.ref })),
    tables: read(table, 'AWS::DynamoDB::GlobalTable').map((one) => ({
      ...one.ids,
      streamArn: one.attributes.StreamArn ?? '',
      ...one.properties,
    })),
    functions: read(lambda, 'AWS::Lambda::Function').map(({ ids, resource, properties }) => ({
      ...ids,
      entry: entryOf(resource, ids.logicalId),
      ...properties,
    })),
    mappings: plansOf(mapping, 'AWS::Lambda::EventSourceMapping'),
    schedules: plansOf(schedule, 'AWS::Scheduler::Schedule'),
    secrets: plansOf(secret, 'AWS::SecretsManager::Secret'),
    httpApis: httpApiPlans(stackName, (type, schema) =>
      read(schema, type).map(({ ids, properties }) => ({ ...ids, properties })),
    ),
    outputs: Object.fromEntries(
      Object.keys(resolver.template.Outputs).map((name) => [name, resolver.output(name) ?? '']),
    ),
  };
};

/** The resources in the order of their creation. @throws TemplateError with all that AWS refuses on the way */
const inCreationOrder = (stackName: string, { Resources }: ParsedTemplate) => {
  const refusals = refusalsOf(Resources).map(
    ({ rule, resource, message }) => `${resource} (${Resources[resource]?.Type}) ${message} [${rule}]`,
  );
  if (refusals.length > 0) throw new TemplateError(`${stackName}: AWS would not create it: ${refusals.join('; ')}`);
  return creationOrder(Resources).map((logicalId) => [logicalId, Resources[logicalId] as Resource] as const);
};

/** The source files of a stack's functions, as far as they are named. */
export const entriesOf = ({ body }: Template, entryMetadata: string): string[] =>
  Object.values(template.parse(body).Resources)
    .map(({ Metadata }) => Metadata[entryMetadata])
    .filter((entry) => typeof entry === 'string');

const mergeBlueprints = (blueprints: readonly Blueprint[]): Blueprint => ({
  buckets: blueprints.flatMap(({ buckets }) => buckets),
  queues: blueprints.flatMap(({ queues }) => queues),
  tables: blueprints.flatMap(({ tables }) => tables),
  functions: blueprints.flatMap(({ functions }) => functions),
  mappings: blueprints.flatMap(({ mappings }) => mappings),
  schedules: blueprints.flatMap(({ schedules }) => schedules),
  secrets: blueprints.flatMap(({ secrets }) => secrets),
  httpApis: blueprints.flatMap(({ httpApis }) => httpApis),
  outputs: Object.assign({}, ...blueprints.map(({ outputs }) => outputs)),
});

// HTTP APIs in a template, as far as the emulator serves them: routes by method and path, or `$default`, to functions,
// and JWT authorizers of bearer tokens. For other authorizers and payload formats it throws a TemplateError.

const apiType = 'AWS::ApiGatewayV2::Api';

const api = z.object({ ProtocolType: z.literal('HTTP') });
const integration = z.object({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
});
const route = z.object({
  ApiId: z.string(),
  RouteKey: z.string().regex(/^(\$default|(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \/\S*)$/),
  AuthorizationType: z.enum(['NONE', 'JWT']).default('NONE'),
  Target: z.string(),
});
const authorizer = z.object({
  AuthorizerType: z.literal('JWT'),
  IdentitySource: z.tuple([z.literal('$request.header.Authorization')]),
});
const stage = z.object({ ApiId: z.string(), StageName: z.literal('$default') });

/** Reads the template's resources of one type. */
type Read = <Schema extends z.ZodType>(
  type: string,
  schema: Schema,
) => readonly { readonly logicalId: string; readonly ref: string; readonly properties: z.output<Schema> }[];

export interface HttpRoutePlan {
  /** `$default`, or a method and a path, such as `GET /files/{name}`. */
  readonly key: string;
  readonly needsToken: boolean;
  readonly functionArn: string;
}

export interface HttpApiPlan {
  readonly logicalId: string;
  /** What `Ref` of the API is. */
  readonly id: string;
  readonly routes: readonly HttpRoutePlan[];
}

/** The ids of the template's HTTP APIs. They are needed first: other resources contain the APIs' addresses. */
export const httpApiIds = ({ stackName, body }: Template): string[] =>
  Object.entries(template.parse(body).Resources)
    .filter(([, { Type }]) => Type === apiType)
    .map(([logicalId]) => generatedName(stackName, logicalId, 255));

/** Follows each API's routes to their functions. @throws TemplateError for an API or a route that leads nowhere */
const httpApiPlans = (stackName: string, read: Read): HttpApiPlan[] => {
  const integrations = read('AWS::ApiGatewayV2::Integration', integration);
  const routes = read('AWS::ApiGatewayV2::Route', route);
  const stages = read('AWS::ApiGatewayV2::Stage', stage);
  read('AWS::ApiGatewayV2::Authorizer', authorizer);
  return read(apiType, api).map(({ logicalId, ref }) => {
    const plans = routes
      .filter(({ properties }) => properties.ApiId === ref)
      .map(({ properties: { RouteKey: key, AuthorizationType, Target } }) => ({
        key,
        needsToken: AuthorizationType === 'JWT',
        functionArn: integrations.find((one) => `integrations/${one.ref}` === Target)?.properties.IntegrationUri,
      }));
    const isComplete = (plan: (typeof plans)[number]): plan is HttpRoutePlan => plan.functionArn !== undefined;
    const isStaged = stages.some(({ properties }) => properties.ApiId === ref);
    if (plans.length === 0 || !plans.every(isComplete) || !isStaged) {
      throw new TemplateError(
        `${stackName}: ${logicalId}: an HTTP API needs a stage $default, and routes with an integration`,
      );
    }
    return { logicalId, id: ref, routes: plans };
  });
};
