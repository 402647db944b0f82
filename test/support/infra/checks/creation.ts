// Checks of the order of creation: nothing is refused, or done in vain, if each resource is created as early as
// CloudFormation may. The local emulator refuses the same.
import { type Refusal, refusalsOf } from '#local/template/creation.ts';
import { type CreationRule, creationRules } from '#local/template/creation-rules.ts';
import { template as schema } from '#local/template/template.ts';
import type { Check, Template } from './read-template.ts';

/** By template: every check asks for those of one rule. */
const refusals = new WeakMap<Template, readonly Refusal[]>();

function allRefusals(template: Template): readonly Refusal[] {
  const known = refusals.get(template) ?? refusalsOf(schema.parse(template).Resources);
  refusals.set(template, known);
  return known;
}

export const creationChecks: readonly Check[] = (Object.keys(creationRules) as CreationRule[]).map((rule) => ({
  rule,
  violations: (template) => allRefusals(template).filter((refusal) => refusal.rule === rule),
}));
