// The shape of a CloudFormation template as the CDK writes it: the one description of what the engine starts.
import * as z from 'zod';

const resource = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Metadata: z.record(z.string(), z.unknown()).default({}),
  Condition: z.string().optional(),
});
export type Resource = z.infer<typeof resource>;

export const template = z.looseObject({
  Parameters: z.record(z.string(), z.looseObject({ Default: z.unknown().optional() })).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).default({}),
  Resources: z.record(z.string(), resource),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown(), Condition: z.string().optional() })).default({}),
});
export type ParsedTemplate = z.infer<typeof template>;

/** A stack to run: its name prefixes the names of what it creates, as CloudFormation does. */
export interface Template {
  readonly stackName: string;
  /** The synthesised CloudFormation template, as plain JSON. */
  readonly body: unknown;
}

/** Thrown for a template the engine cannot run; the message names the stack, the resource and what to do. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
