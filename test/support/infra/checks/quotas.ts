// The check of sizes: nothing in a template is larger than CloudFormation or the service of the resource takes. The
// parts that only a deployment knows are taken to be as long as ARNs and URLs of AWS usually are.
import { limits } from '#local/limits.ts';
import { asArray, referencedId } from '#local/template/references.ts';
import type { Check, Properties, Resource, Template } from './read-template.ts';

/** As read in November 2026, on the pages that docs/contributing/aws.md names. */
const quotas = {
  resources: 500,
  outputs: 200,
  templateBytes: 1_048_576,
  filters: 5,
  filterPattern: 4_096,
  eventPattern: 2_048,
  policiesOfRole: 10_240,
} as const;

interface Use {
  readonly what: string;
  readonly used: number;
  readonly most: number;
}

const unknownText = 'x'.repeat(100);

/** With a text for each reference. */
function filledIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filledIn);
  if (typeof value !== 'object' || value === null) return value;
  const [[key, argument] = ['', undefined]] = Object.entries(value);
  if (key === 'Fn::Join') {
    const [separator, parts] = argument as [string, readonly unknown[]];
    return parts.map(filledIn).join(separator);
  }
  if (key === 'Ref' || key.startsWith('Fn::')) return unknownText;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filledIn(part)]));
}

const bytesOf = (value: unknown): number =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(filledIn(value)));

/** IAM counts the inline policies of a role together. */
const policiesOf = ({ Resources }: Template, role: string): readonly unknown[] =>
  Object.values(Resources)
    .filter(
      ({ Type, Properties }) =>
        Type === 'AWS::IAM::Policy' && asArray(Properties.Roles).map(referencedId).includes(role),
    )
    .map(({ Properties }) => Properties.PolicyDocument);

type Uses = (properties: Properties, template: Template, id: string) => readonly Use[];

const usesByType: Readonly<Record<string, Uses>> = {
  'AWS::Lambda::Function': ({ Environment }) => [
    { what: 'bytes of variables', used: bytesOf(Environment?.Variables), most: limits.lambdaVariablesBytes.value },
  ],
  'AWS::Lambda::EventSourceMapping': ({ FilterCriteria }) => {
    const filters = asArray<Properties>(FilterCriteria?.Filters);
    return [
      { what: 'filters', used: filters.length, most: quotas.filters },
      ...filters.map(({ Pattern }) => ({
        what: 'characters of a filter',
        used: String(Pattern).length,
        most: quotas.filterPattern,
      })),
    ];
  },
  'AWS::Events::Rule': ({ EventPattern }) => [
    { what: 'characters of the event pattern', used: bytesOf(EventPattern), most: quotas.eventPattern },
  ],
  'AWS::IAM::Role': (_, template, id) => {
    const used = policiesOf(template, id).reduce((sum: number, document) => sum + bytesOf(document), 0);
    return [{ what: 'characters of policies', used, most: quotas.policiesOfRole }];
  },
};

const ofResource = (template: Template, id: string, { Type, Properties = {} }: Resource): readonly Use[] =>
  usesByType[Type]?.(Properties, template, id) ?? [];

const ofStack = (template: Template & { readonly Outputs?: object }): readonly Use[] => [
  { what: 'resources', used: Object.keys(template.Resources).length, most: quotas.resources },
  { what: 'outputs', used: Object.keys(template.Outputs ?? {}).length, most: quotas.outputs },
  { what: 'bytes of the template', used: Buffer.byteLength(JSON.stringify(template)), most: quotas.templateBytes },
];

export const quotaChecks: readonly Check[] = [
  {
    rule: 'quotas',
    violations: (template) =>
      [
        { resource: 'the stack', uses: ofStack(template) },
        ...Object.entries(template.Resources).map(([resource, one]) => ({
          resource,
          uses: ofResource(template, resource, one),
        })),
      ].flatMap(({ resource, uses }) =>
        uses
          .filter(({ used, most }) => used > most)
          .map(({ what, used, most }) => ({ rule: 'quotas', resource, message: `${used} ${what}, of ${most}.` })),
      ),
  },
];
