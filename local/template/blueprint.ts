// Reads a template into a plain list of what the emulator starts: buckets, queues, tables, functions, event source
// mappings, schedules, secrets, HTTP APIs. Properties that matter only on AWS are ignored.
import * as z from 'zod';
import { type HttpApiPlan, httpApiPlans } from './http-api.ts';
import { isIgnored, isKnown, type StackContext } from './identities.ts';
import { Resolver } from './resolve.ts';
import { type Resource, type Template, TemplateError, template } from './template.ts';

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

const lambda = z.object({
  Timeout: count.default(3),
  MemorySize: count.default(128),
  Handler: z.string().default('index.handler'),
  ReservedConcurrentExecutions: count.optional(),
  RecursiveLoop: z.enum(['Allow', 'Terminate']).default('Terminate'),
  Environment: z.object({ Variables: z.record(z.string(), z.coerce.string()) }).default({ Variables: {} }),
});

const mapping = z
  .object({
    EventSourceArn: z.string(),
    FunctionName: z.string(),
    Enabled: z.boolean().default(true),
    BatchSize: count.min(1).max(10_000).default(10),
    MaximumBatchingWindowInSeconds: count.max(300).default(0),
    FunctionResponseTypes: z.array(z.string()).default([]),
    ScalingConfig: z.object({ MaximumConcurrency: count.min(2) }).optional(),
    FilterCriteria: z.object({ Filters: z.array(z.object({ Pattern: z.string() })) }).optional(),
    BisectBatchOnFunctionError: z.boolean().default(false),
    MaximumRetryAttempts: count.optional(),
    DestinationConfig: z.object({ OnFailure: z.object({ Destination: z.string() }) }).optional(),
  })
  .refine(({ EventSourceArn, FilterCriteria }) => FilterCriteria === undefined || !EventSourceArn.includes(':sqs:'), {
    path: ['FilterCriteria'],
    message: 'the emulator does not filter messages of queues',
  });

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

export interface BlueprintContext extends Omit<StackContext, 'stackName' | 'outputOf'> {
  /** The template metadata of a function that names its source file. */
  readonly entryMetadata: string;
}

/**
 * Reads several stacks as one. A stack may refer to outputs of another one. Of outputs with the same name, the later
 * stack's counts.
 * @throws TemplateError for a type or an intrinsic function that the emulator does not know, or a property that it
 * cannot follow; the message names the stack, the logical id and the property
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
  const resources = Object.entries(resolver.template.Resources);
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
