// Reads a template into the plain list of things the engine starts: buckets, queues, tables, functions, event source
// mappings, schedules, secrets, HTTP APIs. Properties that change what the pipeline does are read; the rest is AWS's business.
import * as z from 'zod';
import { type HttpApiPlan, httpApiPlans } from './http-api.ts';
import { isIgnored, isKnown, type Surroundings } from './identities.ts';
import { createResolver } from './resolve.ts';
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
  LocalSecondaryIndexes: z.array(index).default([]),
});

const lambda = z.object({
  Timeout: count.default(3),
  MemorySize: count.default(128),
  Handler: z.string().default('index.handler'),
  ReservedConcurrentExecutions: count.optional(),
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
    message: 'the engine does not filter messages of queues',
  });

const schedule = z.object({
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: z.string().default('UTC'),
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
/** `entry` is the source file, relative to the root of the repository. */
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

const entryOf = (resource: Resource, logicalId: string, stackName: string): string => {
  const entry = resource.Metadata['simporter:entry'];
  if (typeof entry === 'string') return entry;
  throw new TemplateError(
    `${stackName}: ${logicalId}: a function needs Metadata "simporter:entry" naming its source file`,
  );
};

/**
 * Interprets one stack.
 *
 * @throws TemplateError for a type outside the list, an unknown intrinsic, or a property the engine cannot honour; the
 * message names the stack, the logical id and the property.
 */
export const readBlueprint = (
  source: Template,
  around: Omit<Surroundings, 'stackName'>,
  parameters: Readonly<Record<string, string>> = {},
): Blueprint => {
  const { stackName } = source;
  const parsed = template.parse(source.body);
  const resolver = createResolver(parsed, { ...around, stackName }, parameters);
  const resources = Object.entries(parsed.Resources).filter(([, resource]) => resolver.holds(resource.Condition));

  const unknown = resources.filter(([, { Type }]) => !isKnown(Type) && !isIgnored(Type));
  if (unknown.length > 0) {
    const named = unknown.map(([logicalId, { Type }]) => `${logicalId} (${Type})`).join(', ');
    throw new TemplateError(
      `${stackName}: the engine cannot run ${named}: implement the type or put it on the ignore list`,
    );
  }

  const read = <Schema extends z.ZodType>(types: readonly string[], schema: Schema) =>
    resources
      .filter(([, { Type }]) => types.includes(Type))
      .map(([logicalId, resource]) => {
        const result = schema.safeParse(resolver.value(resource.Properties, `${logicalId}.Properties`));
        if (!result.success) {
          throw new TemplateError(`${stackName}: ${logicalId} (${resource.Type}): ${z.prettifyError(result.error)}`);
        }
        const { ref, attributes } = resolver.identity(logicalId);
        const properties = result.data as z.output<Schema>;
        const [name, arn] = [attributes.QueueName ?? ref, attributes.Arn ?? ref];
        return { logicalId, resource, ref, name, arn, attributes, properties };
      });

  return {
    buckets: read(['AWS::S3::Bucket'], bucket).map(({ logicalId, name, arn, properties }) => ({
      ...{ logicalId, name, arn },
      ...properties,
    })),
    queues: read(['AWS::SQS::Queue'], queue).map(({ logicalId, name, arn, ref, properties }) => ({
      ...{ logicalId, name, arn, url: ref },
      ...properties,
    })),
    tables: read(['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'], table).map((one) => ({
      ...{ logicalId: one.logicalId, name: one.name, arn: one.arn, streamArn: one.attributes.StreamArn ?? '' },
      ...one.properties,
    })),
    functions: read(['AWS::Lambda::Function'], lambda).map(({ logicalId, name, arn, resource, properties }) => ({
      ...{ logicalId, name, arn, entry: entryOf(resource, logicalId, stackName) },
      ...properties,
    })),
    mappings: read(['AWS::Lambda::EventSourceMapping'], mapping).map(({ logicalId, properties }) => ({
      logicalId,
      ...properties,
    })),
    schedules: read(['AWS::Scheduler::Schedule'], schedule).map(({ logicalId, name, arn, properties }) => ({
      ...{ logicalId, name, arn },
      ...properties,
    })),
    secrets: read(['AWS::SecretsManager::Secret'], secret).map(({ logicalId, name, arn, properties }) => ({
      ...{ logicalId, name, arn },
      ...properties,
    })),
    httpApis: httpApiPlans(stackName, (type, schema) => read([type], schema)),
    outputs: Object.fromEntries(
      Object.entries(parsed.Outputs)
        .filter(([, output]) => resolver.holds(output.Condition))
        .map(([name, output]) => [name, String(resolver.value(output.Value, `Outputs.${name}`))]),
    ),
  };
};

/** Several stacks as one; an output that two stacks have is the later stack's. */
export const mergeBlueprints = (blueprints: readonly Blueprint[]): Blueprint => ({
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
