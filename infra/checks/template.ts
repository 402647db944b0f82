// Reading a synthesised template: its resources by type, and what a reference in it points at.
export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties are as many shapes as there are resource types
  readonly Properties: Readonly<Record<string, any>>;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

/** A rule that a resource breaks. `message` says what is wrong and why it matters. */
export interface Violation {
  readonly rule: string;
  readonly resource: string;
  readonly message: string;
}

/** One rule: looks a whole template over; the empty list means that all is well. */
export interface Check {
  readonly rule: string;
  violations(template: Template): readonly Violation[];
}

export type Identified = readonly [id: string, properties: Resource['Properties']];

/** The resources of one type, with their logical ids. */
export function resourcesOf(template: Template, type: string): readonly Identified[] {
  return Object.entries(template.Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([id, resource]) => [id, resource.Properties ?? {}]);
}

/** The logical id that a `Ref` or `Fn::GetAtt` names; undefined for anything else. */
export function target(reference: unknown): string | undefined {
  const { Ref, 'Fn::GetAtt': attribute } = (reference ?? {}) as { Ref?: string; 'Fn::GetAtt'?: readonly string[] };
  return Ref ?? attribute?.[0];
}

export const propertiesOf = (template: Template, reference: unknown): Resource['Properties'] =>
  template.Resources[target(reference) ?? '']?.Properties ?? {};

/** CloudFormation writes a list of one as the one. */
export const list = <Value>(value: Value | readonly Value[] | undefined): readonly Value[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as Value];

/** The check "every resource of `type` satisfies `holds`". */
export function every(
  type: string,
  rule: string,
  message: string,
  holds: (properties: Resource['Properties'], template: Template, id: string) => boolean,
): Check {
  const violations = (template: Template) =>
    resourcesOf(template, type)
      .filter(([id, properties]) => !holds(properties, template, id))
      .map(([resource]) => ({ rule, resource, message }));
  return { rule, violations };
}
