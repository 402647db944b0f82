// What a template refers to, read from the template alone: nothing has to exist, and nothing is resolved.
import type { ParsedTemplate } from './template.ts';

export type Resources = ParsedTemplate['Resources'];
export type Properties = Resources[string]['Properties'];

/** The logical id in a `Ref` or `Fn::GetAtt`, undefined for anything else. */
export function referencedId(reference: unknown): string | undefined {
  const { Ref, 'Fn::GetAtt': attribute } = (reference ?? {}) as { Ref?: string; 'Fn::GetAtt'?: readonly string[] };
  return Ref ?? attribute?.[0];
}

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

interface WithResources {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: Properties }>>;
}

/** The logical id of the function in a name or an ARN of the function or of its alias. */
export function functionIn(template: WithResources, reference: unknown): string | undefined {
  const direct = referencedId(reference);
  const resource = template.Resources[direct ?? ''];
  if (resource?.Type === 'AWS::Lambda::Function') return direct;
  if (resource?.Type === 'AWS::Lambda::Alias') return functionIn(template, resource.Properties.FunctionName);
  if (typeof reference !== 'object' || reference === null || direct !== undefined) return undefined;
  for (const value of Object.values(reference)) {
    const found = functionIn(template, value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Every logical id that a value refers to: of resources, parameters and pseudo parameters. */
export function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, argument]) => references[name]?.(argument) ?? referencesIn(argument));
}

const references: Readonly<Record<string, (argument: unknown) => readonly string[]>> = {
  Ref: (argument) => [String(argument)],
  'Fn::GetAtt': (argument) => [logicalIdIn(asArray(argument)[0])],
  // `${Queue.Arn}` refers to the queue, unless it is a variable of the function itself. `${!Text}` is text.
  'Fn::Sub': (argument) => {
    const [text, variables = {}] = asArray<unknown>(argument);
    const names = [...String(text).matchAll(/\$\{([^!{}][^{}]*)\}/g)].map(([, name = '']) => name);
    return [...names.filter((name) => !(name in (variables as object))).map(logicalIdIn), ...referencesIn(variables)];
  },
};

/** `Queue` in `Queue.Arn`. */
const logicalIdIn = (name: unknown): string => String(name).split('.')[0] ?? '';
