// Reads a synthesised template: its resources by type, and what a reference points at.
export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each resource type has other properties
  readonly Properties: Readonly<Record<string, any>>;
  readonly DeletionPolicy?: string;
  readonly DependsOn?: string | readonly string[];
}
export type Properties = Resource['Properties'];

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

/** `message` states what is wrong and why it matters. */
export interface Violation {
  readonly rule: string;
  readonly resource: string;
  readonly message: string;
}

export interface Check {
  readonly rule: string;
  violations(template: Template): readonly Violation[];
}

/** The resources of one type, with their logical ids. */
export function resourcesOf(template: Template, type: string): readonly (readonly [id: string, Properties])[] {
  return Object.entries(template.Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([id, resource]) => [id, resource.Properties ?? {}]);
}

/** The logical id in a `Ref` or `Fn::GetAtt`, undefined for anything else. */
export function referencedId(reference: unknown): string | undefined {
  const { Ref, 'Fn::GetAtt': attribute } = (reference ?? {}) as { Ref?: string; 'Fn::GetAtt'?: readonly string[] };
  return Ref ?? attribute?.[0];
}

export const propertiesOf = (template: Template, reference: unknown): Properties =>
  template.Resources[referencedId(reference) ?? '']?.Properties ?? {};

/** The logical id of the function in a name or an ARN of the function or of its alias. */
export function functionIn(template: Template, reference: unknown): string | undefined {
  const direct = referencedId(reference);
  const type = template.Resources[direct ?? '']?.Type;
  if (type === 'AWS::Lambda::Function') return direct;
  if (type === 'AWS::Lambda::Alias')
    return functionIn(template, template.Resources[direct ?? '']?.Properties.FunctionName);
  if (typeof reference !== 'object' || reference === null || direct !== undefined) return undefined;
  for (const value of Object.values(reference)) {
    const found = functionIn(template, value);
    if (found !== undefined) return found;
  }
  return undefined;
}

export const functionPropertiesOf = (template: Template, reference: unknown): Properties =>
  template.Resources[functionIn(template, reference) ?? '']?.Properties ?? {};

/** CloudFormation accepts a list of one value as the value. */
export const asArray = <Value>(value: Value | readonly Value[] | undefined): readonly Value[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as Value];

/** Formats references as text: `<LogicalId>`, `<LogicalId.Attribute>`, and joins as one string. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, ...functions } = value as { Ref?: string; 'Fn::GetAtt'?: string[]; 'Fn::Join'?: [string, unknown[]] };
  if (Ref) return `<${Ref}>`;
  if (functions['Fn::GetAtt']) return `<${functions['Fn::GetAtt'].join('.')}>`;
  const [separator, values] = functions['Fn::Join'] ?? ['', [JSON.stringify(value)]];
  return values.map(formatValue).join(separator);
}

/** Whether the resource `id` is created after the policies of the role, for which a reference does not wait. */
export function isAfterPoliciesOf(template: Template, role: unknown, id: string): boolean {
  const policies = resourcesOf(template, 'AWS::IAM::Policy')
    .filter(([, { Roles }]) => asArray(Roles).map(referencedId).includes(referencedId(role)))
    .map(([policy]) => policy);
  const dependencies = asArray(template.Resources[id]?.DependsOn);
  return policies.every((policy) => dependencies.includes(policy));
}

/** The metrics of every alarm with their dimensions: `{ MetricName: 'Errors', FunctionName: '<SyncFunction>' }`. */
export function alarmMetricsOf(template: Template): readonly Readonly<Record<string, string>>[] {
  return resourcesOf(template, 'AWS::CloudWatch::Alarm')
    .flatMap(([, alarm]) => [alarm, ...asArray<Properties>(alarm.Metrics).map(({ MetricStat }) => MetricStat?.Metric)])
    .filter((metric) => metric?.MetricName !== undefined)
    .map(({ MetricName, Dimensions }) => ({
      MetricName,
      ...Object.fromEntries(asArray<Properties>(Dimensions).map(({ Name, Value }) => [Name, formatValue(Value)])),
    }));
}

export type Condition = (properties: Properties, template: Template, id: string) => boolean;

/** Checks that every resource of `type` satisfies `condition`. */
export function checkEach(type: string, rule: string, message: string, condition: Condition): Check {
  const violations = (template: Template) =>
    resourcesOf(template, type)
      .filter(([id, properties]) => !condition(properties, template, id))
      .map(([resource]) => ({ rule, resource, message }));
  return { rule, violations };
}
