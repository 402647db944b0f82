// The shape of a CloudFormation template as the CDK writes it.
import * as z from 'zod';

const resource = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.any()).default({}),
  Metadata: z.record(z.string(), z.unknown()).default({}),
  DependsOn: z.union([z.string(), z.array(z.string())]).optional(),
  /** No template of the product has conditions: a resource with one would be created in any case. */
  Condition: z.undefined('the emulator knows no conditions').optional(),
});
export type Resource = z.infer<typeof resource>;

export const template = z.looseObject({
  Resources: z.record(z.string(), resource),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })).default({}),
});
export type ParsedTemplate = z.infer<typeof template>;

/** A stack to run. As in CloudFormation, its name begins the names of its resources. */
export interface Template {
  readonly stackName: string;
  /** The synthesised CloudFormation template, as plain JSON. */
  readonly body: unknown;
}

/** The emulator cannot run a template; the message names the stack and the resource. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
