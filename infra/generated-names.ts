// The names that CloudFormation generates for the resources of a stack, as patterns for the conditions of policies.
import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

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
