// Reads a synthesised template: its resources by type, and what a reference points at.
import { asArray, formatValue, functionIn, referencedId } from '#local/template/references.ts';

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

export const propertiesOf = (template: Template, reference: unknown): Properties =>
  template.Resources[referencedId(reference) ?? '']?.Properties ?? {};

export const functionPropertiesOf = (template: Template, reference: unknown): Properties =>
  template.Resources[functionIn(template, reference) ?? '']?.Properties ?? {};

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
