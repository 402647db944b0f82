// The order in which CloudFormation creates the resources of a stack, and what AWS refuses on the way. CloudFormation
// promises only that a resource is created after those that it refers to or depends on. So each one is examined at the
// earliest moment of its creation, when nothing exists but what it waits for.
import { type CreationRule, creationRules } from './creation-rules.ts';
import { Moment } from './moment.ts';
import { asArray, type Resources, referencesIn } from './references.ts';
import { TemplateError } from './template.ts';

export interface Refusal {
  readonly rule: CreationRule;
  /** The logical id. */
  readonly resource: string;
  /** What is missing, as the end of a sentence that begins with the resource. */
  readonly message: string;
}

/** The resources that a resource waits for: those that its properties refer to, and those in `DependsOn`. */
function dependenciesOf(resources: Resources, id: string): readonly string[] {
  const { Properties, DependsOn } = resources[id] ?? {};
  return [...new Set([...referencesIn(Properties), ...asArray(DependsOn)])].filter((name) => name in resources);
}

/**
 * The logical ids, each after everything that it waits for.
 * @throws TemplateError that names a circle: resources that wait for each other
 */
export function creationOrder(resources: Resources): readonly string[] {
  const created = new Set<string>();
  const waiting: string[] = [];
  const create = (id: string): void => {
    if (created.has(id)) return;
    if (waiting.includes(id)) {
      const circle = [...waiting.slice(waiting.indexOf(id)), id].join(', ');
      throw new TemplateError(`resources wait for each other: ${circle}`);
    }
    waiting.push(id);
    for (const dependency of dependenciesOf(resources, id)) create(dependency);
    waiting.pop();
    created.add(id);
  };
  for (const id of Object.keys(resources)) create(id);
  return [...created];
}

/**
 * What is refused, or done in vain, where each resource is created as early as CloudFormation may.
 * @throws TemplateError that names a circle
 */
export function refusalsOf(resources: Resources): readonly Refusal[] {
  const before = new Map<string, ReadonlySet<string>>();
  return creationOrder(resources).flatMap((id) => {
    const direct = dependenciesOf(resources, id);
    const existing = new Set(direct.flatMap((one) => [one, ...(before.get(one) ?? [])]));
    before.set(id, existing);
    const moment = new Moment(resources, existing);
    const { Type: type = '', Properties: properties = {} } = resources[id] ?? {};
    return Object.entries(creationRules).flatMap(([rule, missing]) =>
      missing({ type, properties }, moment).map((message) => ({ rule: rule as CreationRule, resource: id, message })),
    );
  });
}
