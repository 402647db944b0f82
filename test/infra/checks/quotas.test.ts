// The check of sizes, each with a mistake that it finds.

import { quotaChecks } from '../../support/infra/checks/quotas.ts';
import type { Properties, Template } from '../../support/infra/checks/read-template.ts';
import { describeChecks, lambda, type Mistake, ofRole, policy, rule, template } from '../../support/infra/mistakes.ts';
import { withChanged } from '../../support/infra/template.ts';

const filtersOf = (change: (filters: Properties[]) => void) =>
  withChanged(
    template,
    'AWS::Lambda::EventSourceMapping',
    ({ FilterCriteria }) => change(FilterCriteria.Filters),
    (_, id) => id.startsWith('Announce'),
  );
const many = <Value>(count: number, value: Value) =>
  Object.fromEntries(Array.from({ length: count }, (_, one) => [`One${one}`, value]));
const withResources = (more: Template['Resources']) => ({ ...template, Resources: { ...template.Resources, ...more } });
const queue = { Type: 'AWS::SQS::Queue', Properties: {} };

const mistakes: readonly Mistake[] = [
  ['more resources than a stack may have', 'quotas', withResources(many(500, queue))],
  [
    'a template that is too large',
    'quotas',
    withResources({ Large: { Type: 'AWS::SQS::Queue', Properties: { Tags: 'x'.repeat(1_048_576) } } }),
  ],
  ['more outputs than a stack may have', 'quotas', { ...template, Outputs: many(201, { Value: 'x' }) } as Template],
  [
    'variables that are too large',
    'quotas',
    withChanged(template, lambda, ({ Environment }) =>
      Object.assign(Environment.Variables, many(30, { Ref: 'Table' })),
    ),
  ],
  ['a sixth filter of a mapping', 'quotas', filtersOf((filters) => filters.push({ Pattern: '{}' }))],
  [
    'a filter that is too long',
    'quotas',
    filtersOf(([first]) => Object.assign(first ?? {}, { Pattern: 'x'.repeat(4_097) })),
  ],
  [
    'an event pattern that is too long',
    'quotas',
    withChanged(template, rule, ({ EventPattern }) => Object.assign(EventPattern, { source: ['x'.repeat(2_048)] })),
  ],
  [
    'a role with too many permissions',
    'quotas',
    withChanged(
      template,
      policy,
      ({ PolicyDocument }) => PolicyDocument.Statement.push(...Array(60).fill(PolicyDocument.Statement[0])),
      ofRole('Ingest'),
    ),
  ],
];

describeChecks('sizes', quotaChecks, mistakes);
