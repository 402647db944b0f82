// Resolves the intrinsic functions and pseudo parameters of a template. For one that it does not know it throws an
// error that names the place.
import { type Identity, identify, type StackContext } from './identities.ts';
import { type ParsedTemplate, TemplateError } from './template.ts';

const pseudoParameters = ({ region, accountId, stackName }: StackContext): Readonly<Record<string, unknown>> => ({
  'AWS::Region': region,
  'AWS::AccountId': accountId,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': stackName,
  'AWS::StackId': `arn:aws:cloudformation:${region}:${accountId}:stack/${stackName}/local`,
  'AWS::NotificationARNs': [],
  'AWS::NoValue': undefined,
});

type Intrinsic = (resolver: Resolver, argument: unknown, path: string) => unknown;

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (resolver, argument, path) => resolver.reference(String(argument), path),
  'Fn::GetAtt': (resolver, argument, path) => {
    const [logicalId, name] = resolver.list(argument, path, 2);
    return resolver.attribute(String(logicalId), resolver.text(name, path), path);
  },
  'Fn::Join': (resolver, argument, path) => {
    const [separator, parts] = resolver.list(argument, path, 2);
    const texts = resolver.list(resolver.value(parts, path), path).map((part) => resolver.text(part, path));
    return texts.join(String(separator));
  },
  'Fn::Split': (resolver, argument, path) => {
    const [separator, whole] = resolver.list(argument, path, 2);
    return resolver.text(whole, path).split(String(separator));
  },
  'Fn::Select': (resolver, argument, path) => {
    const [rawIndex, from] = resolver.list(argument, path, 2);
    const index = resolver.text(rawIndex, path);
    const chosen = resolver.list(resolver.value(from, path), path)[Number(index)];
    return chosen ?? resolver.fail(path, `has no element ${index}`);
  },
  'Fn::GetStackOutput': (resolver, argument, path) => resolver.outputOfStack(resolver.value(argument, path), path),
};

/** Each method throws a TemplateError that names `path`. */
export class Resolver {
  readonly template: ParsedTemplate;
  readonly #context: StackContext;
  readonly #pseudoParameters: Readonly<Record<string, unknown>>;
  readonly #identities = new Map<string, Identity & { readonly isPlaceholder?: true }>();
  readonly #inProgress = new Set<string>();

  constructor(template: ParsedTemplate, context: StackContext) {
    this.template = template;
    this.#context = context;
    this.#pseudoParameters = pseudoParameters(context);
  }

  /** The value with every intrinsic replaced. `AWS::NoValue` becomes undefined. */
  value(raw: unknown, path: string): unknown {
    if (Array.isArray(raw)) {
      return raw.map((item, index) => this.value(item, `${path}[${index}]`)).filter((item) => item !== undefined);
    }
    if (typeof raw !== 'object' || raw === null) return raw;
    const entries = Object.entries(raw);
    const [only] = entries;
    if (entries.length === 1 && only !== undefined) {
      const [name, argument] = only;
      const intrinsic = intrinsics[name];
      if (intrinsic !== undefined) return intrinsic(this, argument, path);
      if (name.startsWith('Fn::')) this.fail(path, `the emulator does not know the intrinsic function ${name}`);
    }
    const values = entries.map(([key, item]) => [key, this.value(item, `${path}.${key}`)] as const);
    return Object.fromEntries(values.filter(([, item]) => item !== undefined));
  }

  identity(logicalId: string): Identity & { readonly isPlaceholder?: true } {
    const known = this.#identities.get(logicalId);
    if (known) return known;
    const resource = this.template.Resources[logicalId];
    if (resource === undefined) return this.fail(logicalId, 'no resource of this name in the template');
    if (this.#inProgress.has(logicalId)) return this.fail(logicalId, 'the name of this resource refers to itself');
    this.#inProgress.add(logicalId);
    const made = identify(logicalId, resource, this.#context, (name) =>
      this.value(resource.Properties[name], `${logicalId}.Properties.${name}`),
    );
    this.#inProgress.delete(logicalId);
    this.#identities.set(logicalId, made);
    return made;
  }

  reference(name: string, path: string): unknown {
    if (name in this.#pseudoParameters) return this.#pseudoParameters[name];
    if (name in this.template.Resources) return this.identity(name).ref;
    return this.fail(path, `refers to "${name}", which is no resource`);
  }

  attribute(logicalId: string, name: string, path: string): string {
    const resource = this.template.Resources[logicalId];
    if (resource === undefined) return this.fail(path, `takes ${name} of "${logicalId}", which does not exist`);
    const { attributes, isPlaceholder } = this.identity(logicalId);
    const known = attributes[name];
    if (known !== undefined) return known;
    const { region, accountId } = this.#context;
    if (isPlaceholder) return `arn:aws:local:${region}:${accountId}:${logicalId}/${name}`;
    return this.fail(path, `${resource.Type} "${logicalId}" has no attribute ${name} in the emulator`);
  }

  /** An output of this stack; undefined where there is none. */
  output(name: string): string | undefined {
    const output = this.template.Outputs[name];
    return output && String(this.value(output.Value, `Outputs.${name}`));
  }

  outputOfStack(argument: unknown, path: string): string {
    const { StackName, OutputName } = argument as { readonly StackName: string; readonly OutputName: string };
    const output = this.#context.outputOf?.(StackName, OutputName);
    return output ?? this.fail(path, `the stack ${StackName} has no output ${OutputName}`);
  }

  text(raw: unknown, path: string): string {
    const resolved = this.value(raw, path);
    if (['string', 'number', 'boolean'].includes(typeof resolved)) return String(resolved);
    return this.fail(path, `expected a text, got ${JSON.stringify(resolved)}`);
  }

  list(raw: unknown, path: string, length?: number): unknown[] {
    if (Array.isArray(raw) && (length === undefined || raw.length === length)) return raw;
    const expected = length === undefined ? '' : ` of ${length}`;
    return this.fail(path, `expected a list${expected}, got ${JSON.stringify(raw)}`);
  }

  fail(path: string, problem: string): never {
    throw new TemplateError(`${this.#context.stackName}: ${path}: ${problem}`);
  }
}
