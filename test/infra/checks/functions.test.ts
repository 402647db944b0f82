// The checks of functions, each with a mistake that it finds.

import { functionChecks } from '../../support/infra/checks/functions.ts';
import type { Properties } from '../../support/infra/checks/read-template.ts';
import { alarm, describeChecks, lambda, type Mistake, ofRole, policy, template } from '../../support/infra/mistakes.ts';
import { withChanged } from '../../support/infra/template.ts';

/** Replaces one queue by another in what a role may send to. */
const allowSending =
  (from: string, to: string) =>
  ({ PolicyDocument }: Properties) => {
    for (const { Action, Resource } of PolicyDocument.Statement)
      if (Action === 'sqs:SendMessage')
        for (const { 'Fn::GetAtt': attribute } of Resource) if (attribute[0] === from) attribute[0] = to;
  };

const mistakes: readonly Mistake[] = [
  [
    'a function that sends to its own queue, with the default of Lambda',
    'recursive-loop',
    withChanged(
      template,
      lambda,
      (properties) => Object.assign(properties, { RecursiveLoop: undefined }),
      (_, id) => id.startsWith('Ingest'),
    ),
  ],
  [
    'two functions that send to each other’s queues, with the default of Lambda',
    'recursive-loop',
    withChanged(
      withChanged(template, policy, allowSending('SubmitQueue', 'IngestQueue'), ofRole('Submit')),
      lambda,
      (properties) => Object.assign(properties, { RecursiveLoop: 'Terminate' }),
      (_, id) => id.startsWith('Ingest'),
    ),
  ],
  [
    'a function without a heap limit',
    'heap-limit',
    withChanged(template, lambda, ({ Environment }) =>
      Object.assign(Environment.Variables, { NODE_OPTIONS: '--max-semi-space-size=4' }),
    ),
  ],
  [
    'a heap as large as the memory',
    'heap-limit',
    withChanged(template, lambda, ({ Environment, MemorySize }) =>
      Object.assign(Environment.Variables, { NODE_OPTIONS: `--max-old-space-size=${MemorySize}` }),
    ),
  ],
  [
    'recursion that a function does not need',
    'needless-recursion',
    withChanged(
      template,
      lambda,
      (properties) => Object.assign(properties, { RecursiveLoop: 'Allow' }),
      (_, id) => id.startsWith('Sync'),
    ),
  ],
  [
    'recursion without an alarm',
    'recursion-alarm',
    withChanged(
      template,
      alarm,
      (properties) => Object.assign(properties, { Metrics: [] }),
      (_, id) => id.includes('SubmitRecursiveInvocations'),
    ),
  ],
];

describeChecks('functions', functionChecks, mistakes);
