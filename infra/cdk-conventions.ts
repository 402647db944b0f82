// What every stack does with the CDK: accepted findings of cdk-nag, feature flags, logical ids that stay, names that
// CloudFormation generates, what becomes of resources, and outputs.

import { CfnOutput, CfnResource, type IResource, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { isProtected } from './derived-settings.ts';
import flags from './feature-flags.json' with { type: 'json' };
import type { Configuration } from './settings.ts';

export const acknowledge = (construct: Construct, id: string, reason: string): void =>
  Validations.of(construct).acknowledge({ id, reason });

/** Accepts the ARN `resource`, which ends in a wildcard, in the policies below `construct`. */
export function acknowledgeWildcard(construct: Construct, resource: string, reason: string): void {
  const arn = formatArn(Stack.of(construct).resolve(resource));
  acknowledge(construct, `AwsSolutions-IAM5[Resource::${arn}]`, reason);
}

/** Formats an ARN as cdk-nag does: `<LogicalId.Arn>/imports/*`. */
function formatArn(value: unknown): string {
  if (typeof value === 'string') return value;
  const intrinsic = value as {
    Ref?: string;
    'Fn::GetAtt'?: string[];
    'Fn::ImportValue'?: string;
    'Fn::Join'?: [string, unknown[]];
  };
  if (intrinsic.Ref) return `<${intrinsic.Ref}>`;
  if (intrinsic['Fn::GetAtt']) return `<${intrinsic['Fn::GetAtt'].join('.')}>`;
  // An export of another stack.
  if (intrinsic['Fn::ImportValue']) return intrinsic['Fn::ImportValue'];
  const [separator, values] = intrinsic['Fn::Join'] ?? ['', []];
  return values.map(formatArn).join(separator);
}

// The feature flags of the CDK. They are set in code, so that every caller synthesises the same template, also with a
// newer CDK: what that recommends is for new apps, and may replace resources that exist.

export const featureFlags: Readonly<Record<string, unknown>> = flags;

/** Sets the flags for what is created below `scope`. The app of `scope` keeps its own. */
export function setFeatureFlags(scope: Construct): void {
  for (const [name, value] of Object.entries(featureFlags)) scope.node.setContext(name, value);
}

// Fixes the logical ids that people and data depend on, instead of deriving them from the construct tree.

/**
 * Makes the construct's id its logical id. CloudFormation generates the physical name from it, and moving the construct
 * within the tree does not replace a bucket or a table by an empty one.
 */
export function fixLogicalId<Construct extends IResource>(construct: Construct): Construct {
  const { defaultChild, id, path } = construct.node;
  if (!CfnResource.isCfnResource(defaultChild)) throw new Error(`${path} is not a single resource`);
  defaultChild.overrideLogicalId(id);
  return construct;
}

// The names that CloudFormation generates for the resources of a stack, as patterns for the conditions of policies.

/**
 * A generated name is the name of the stack, the logical id and 12 random characters. CloudFormation joins adjacent
 * hyphens, and shortens the name of the stack where the whole would be too long. A bucket has at most 63 characters, of
 * which the stack gets more than 40 because our logical ids are short.
 */
const longestPrefix = 40;

/** Matches the names of topics in the stack of `scope`. */
export function generatedNames(scope: Construct): string {
  const { stackName } = Stack.of(scope);
  // A nested stack has a generated name as well.
  if (Token.isUnresolved(stackName)) return '*';
  const prefix = stackName.replaceAll(/-{2,}/g, '-');
  return prefix.length > longestPrefix ? `${prefix.slice(0, longestPrefix)}*` : `${prefix}-*`;
}

/** Matches the names of buckets, which are in lower case. */
export const generatedBucketNames = (scope: Construct): string => generatedNames(scope).toLowerCase();

// What becomes of a resource when its stack is deleted, or when its creation is rolled back. A rollback must be able to
// end, and must leave no name that is taken: otherwise a first deployment that failed could not be repeated.

/** Kept in production, but not where the creation of the resource is rolled back: it is empty then. */
export const removalOfData = ({ production }: Configuration): RemovalPolicy =>
  production ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** For what refuses its own deletion while the environment is protected: a rollback could not end either. */
export const removalOfProtectedData = (configuration: Configuration): RemovalPolicy =>
  isProtected(configuration) ? RemovalPolicy.RETAIN : removalOfData(configuration);

/**
 * For buckets to which AWS writes by itself, also for hours after their stack was deleted. CloudFormation deletes no
 * bucket that has an object.
 */
export const removalOfLogs = RemovalPolicy.RETAIN;

// The outputs of a stack.

/** The command line finds the resources of a deployed stack by the names of these outputs. */
export function writeOutputs(stack: Construct, outputs: Readonly<Record<string, string>>): void {
  const scope = new Construct(stack, 'Outputs');
  for (const [name, value] of Object.entries(outputs)) new CfnOutput(scope, name, { value }).overrideLogicalId(name);
}
