// The constructs have fixed names for resources and outputs, so that the command line finds them and a moved construct
// keeps its data. Two in one stack would collide, which this reports in words.
import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

const owners = new WeakMap<Stack, Construct>();

/** @throws Error where the stack contains another construct of this package */
export function requireOwnStack(construct: Construct): void {
  const stack = Stack.of(construct);
  const owner = owners.get(stack);
  if (owner !== undefined) {
    throw new Error(
      `${construct.node.path}: the stack "${stack.stackName}" already contains ${owner.node.path}. ` +
        'Give each construct of simporter its own stack.',
    );
  }
  owners.set(stack, construct);
}
