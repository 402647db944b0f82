// The constructs have fixed names for resources and outputs, so that the command line finds them and a moved construct
// keeps its data. Where two of them would collide, or cannot work together, this reports it in words.
import { Stack, Stage, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

const owners = new WeakMap<Stack, Construct>();

/** @throws Error where the stack is nested, or contains another construct of this package */
export function requireOwnStack(construct: Construct): void {
  const stack = Stack.of(construct);
  if (stack.nestedStackParent !== undefined) {
    throw new Error(
      `${construct.node.path}: "simporter --stack" does not find resources and outputs in a nested stack. ` +
        'Create a Stack of the app for it.',
    );
  }
  const owner = owners.get(stack);
  if (owner !== undefined) {
    throw new Error(
      `${construct.node.path}: the stack "${stack.stackName}" already contains ${owner.node.path}. ` +
        'Give each construct of simporter its own stack.',
    );
  }
  owners.set(stack, construct);
}

/** Constructs of an app, by what must be unique in an AWS account and region. */
const named = new WeakMap<object, Map<string, Construct>>();

/**
 * Names of the event bus, the alarms and the log groups contain that of the environment.
 * @throws Error where the app has such a construct of the environment already, in the same account and region
 */
export function requireOwnEnvironment(construct: Construct, kind: 'pipeline' | 'console', environment: string): void {
  const taken = named.get(construct.node.root) ?? new Map<string, Construct>();
  named.set(construct.node.root, taken);
  const { account, region } = Stack.of(construct);
  // A stack without them is deployed to the account and region of the caller. Each stage may have another caller.
  const isOpen = Token.isUnresolved(account) || Token.isUnresolved(region);
  const stage = isOpen ? Stage.of(construct)?.node.path : undefined;
  const key = JSON.stringify([kind, environment, account, region, stage]);
  const other = taken.get(key);
  if (other !== undefined) {
    throw new Error(
      `${construct.node.path}: ${other.node.path} is the ${kind} of the environment "${environment}" already, ` +
        `${placeOf(construct)}: their names would collide. Give each pipeline its own \`environment\`, and one console.`,
    );
  }
  taken.set(key, construct);
}

/** @throws Error where the two are in different accounts or regions, so that neither can refer to the other */
export function requireSamePlace(construct: Construct, other: Construct): void {
  const [own, others] = [Stack.of(construct), Stack.of(other)];
  if (own.account === others.account && own.region === others.region) return;
  throw new Error(
    `${construct.node.path} is ${placeOf(construct)}, and ${other.node.path} is ${placeOf(other)}. ` +
      'Give both stacks the same account and region; only the certificate is in us-east-1.',
  );
}

function placeOf(construct: Construct): string {
  const { account, region } = Stack.of(construct);
  const known = [account, region].filter((name) => !Token.isUnresolved(name));
  return known.length === 0 ? 'in a stack without account and region' : `in ${known.join(', ')}`;
}
