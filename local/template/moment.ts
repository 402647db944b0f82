// The moment when a resource of a stack is created: what exists by then, and who may do what. What is not in the
// template, such as a topic that is given by its ARN, exists and allows everything.
import { asArray, formatValue, functionIn, type Properties, type Resources, referencedId } from './references.ts';

interface PolicyDocument {
  readonly Statement?: unknown;
}

/** The policies of what services deliver to, and the property that names what a policy is for. */
const resourcePolicies: Readonly<Record<string, readonly [type: string, property: string]>> = {
  'AWS::S3::Bucket': ['AWS::S3::BucketPolicy', 'Bucket'],
  'AWS::SNS::Topic': ['AWS::SNS::TopicPolicy', 'Topics'],
  'AWS::SQS::Queue': ['AWS::SQS::QueuePolicy', 'Queues'],
};

export class Moment {
  readonly template: { readonly Resources: Resources };
  private readonly existing: ReadonlySet<string>;

  constructor(Resources: Resources, existing: ReadonlySet<string>) {
    this.template = { Resources };
    this.existing = existing;
  }

  typeOf(reference: unknown): string | undefined {
    return this.template.Resources[referencedId(reference) ?? '']?.Type;
  }

  propertiesOf(reference: unknown): Properties {
    return this.template.Resources[referencedId(reference) ?? '']?.Properties ?? {};
  }

  /** The existing resources of one type. */
  all(type: string): readonly Properties[] {
    return this.ofType(type).flatMap(([id, properties]) => (this.existing.has(id) ? [properties] : []));
  }

  /** The ids of those that the template creates later. */
  later(type: string, where: (properties: Properties) => boolean): readonly string[] {
    return this.ofType(type).flatMap(([id, properties]) => (!this.existing.has(id) && where(properties) ? [id] : []));
  }

  /** The policies of the role that are attached later. */
  laterPoliciesOf(role: unknown): readonly string[] {
    const isAttached = ({ Roles }: Properties) => names(Roles, role);
    return ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'].flatMap((type) => this.later(type, isAttached));
  }

  /** Whether the policies of a role that exist by now allow the action on the resource `target`. */
  roleMay(role: unknown, action: string, target: unknown): boolean {
    const { ManagedPolicyArns, Policies } = this.propertiesOf(role);
    if (this.typeOf(role) === undefined || asArray(ManagedPolicyArns).length > 0) return true;
    const attached = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']
      .flatMap((type) => this.all(type))
      .filter(({ Roles }) => names(Roles, role));
    return [...attached, ...asArray<Properties>(Policies)].some(({ PolicyDocument }) =>
      allowing(PolicyDocument).some(
        ({ Action, Resource }) =>
          matches(Action, action) &&
          (target === '*' || matches(asArray(Resource).map(formatValue), formatValue(target))),
      ),
    );
  }

  /** Whether the policy of the resource `target` exists and allows the action to an AWS service. */
  serviceMay(service: string, action: string, target: unknown): boolean {
    const group = this.logGroupIn(target);
    if (group !== undefined)
      return this.logPolicies().some((text) => text.includes(service) && text.includes(`<${group}`));
    const invoked = functionIn(this.template, target);
    if (invoked !== undefined) {
      const isOurs = ({ FunctionName, Principal }: Properties) =>
        Principal === service && functionIn(this.template, FunctionName) === invoked;
      return this.all('AWS::Lambda::Permission').some(isOurs);
    }
    const [type, property] = resourcePolicies[this.typeOf(target) ?? ''] ?? [];
    if (type === undefined || property === undefined) return true;
    return this.all(type)
      .filter((policy) => names(policy[property], target))
      .some(({ PolicyDocument }) => isAllowed(PolicyDocument, service, action));
  }

  /** The policies of the topic, queue or bucket `target` that are created later. */
  laterPoliciesFor(target: unknown): readonly string[] {
    const [type, property] = resourcePolicies[this.typeOf(target) ?? ''] ?? [];
    if (type === undefined || property === undefined) return [];
    return this.later(type, (policy) => names(policy[property], target));
  }

  /** Whether the policy of the key lets an AWS service encrypt with it. */
  serviceMayUse(service: string, key: unknown): boolean {
    const { KeyPolicy } = this.propertiesOf(key);
    return this.typeOf(key) !== 'AWS::KMS::Key' || isAllowed(KeyPolicy, service, 'kms:GenerateDataKey');
  }

  /** A rule of EventBridge names a log group in an ARN that it composes. */
  private logGroupIn(target: unknown): string | undefined {
    const text = formatValue(target);
    return this.ofType('AWS::Logs::LogGroup').find(([id]) => text.includes(`<${id}>`) || text.includes(`<${id}.`))?.[0];
  }

  private logPolicies(): readonly string[] {
    return this.all('AWS::Logs::ResourcePolicy').map(({ PolicyDocument }) => formatValue(PolicyDocument));
  }

  private ofType(type: string): readonly (readonly [id: string, Properties])[] {
    return Object.entries(this.template.Resources).flatMap(([id, { Type, Properties }]) =>
      Type === type ? [[id, Properties] as const] : [],
    );
  }
}

const names = (references: unknown, wanted: unknown): boolean =>
  asArray(references).map(referencedId).includes(referencedId(wanted));

const allowing = ({ Statement }: PolicyDocument = {}): readonly Properties[] =>
  asArray<Properties>(Statement as Properties).filter(({ Effect }) => Effect === 'Allow');

const isAllowed = (document: PolicyDocument, service: string, action: string): boolean =>
  allowing(document).some(
    ({ Principal, Action }) => asArray(Principal?.Service).includes(service) && matches(Action, action),
  );

/** Whether one of the patterns, in which `*` is any text, matches. */
const matches = (patterns: unknown, text: string): boolean =>
  asArray<string>(patterns as string).some((pattern) => {
    const [start = '', ...rest] = pattern.split('*');
    // A wildcard is taken to match the rest.
    return rest.length === 0 ? text === pattern : text.startsWith(start);
  });
