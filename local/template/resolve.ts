// Resolves the intrinsic functions of a template: Ref, Fn::GetAtt, Fn::Sub, Fn::Join, Fn::Select, Fn::Split, Fn::If and
// its conditions, pseudo parameters. What it does not know is an error that names the place, never a silent guess.
import { type Identity, identify, type Surroundings } from './identities.ts';
import { type ParsedTemplate, TemplateError } from './template.ts';

export interface Resolver {
  /** The value with every intrinsic replaced. Throws TemplateError naming `path`. `AWS::NoValue` becomes undefined. */
  value(raw: unknown, path: string): unknown;
  identity(logicalId: string): Identity;
  /** Whether a resource or output with this condition exists. */
  holds(condition: string | undefined): boolean;
}

type Intrinsic = (argument: unknown, path: string) => unknown;

/** @param parameters values for the template's parameters; the rest must have defaults. */
export const createResolver = (
  parsed: ParsedTemplate,
  around: Surroundings,
  parameters: Readonly<Record<string, string>> = {},
): Resolver => {
  const identities = new Map<string, Identity & { readonly standIn?: true }>();
  const inProgress = new Set<string>();
  const fail = (path: string, problem: string): never => {
    throw new TemplateError(`${around.stackName}: ${path}: ${problem}`);
  };
  const pseudo: Readonly<Record<string, unknown>> = {
    'AWS::Region': around.region,
    'AWS::AccountId': around.accountId,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': around.stackName,
    'AWS::StackId': `arn:aws:cloudformation:${around.region}:${around.accountId}:stack/${around.stackName}/local`,
    'AWS::NotificationARNs': [],
    'AWS::NoValue': undefined,
  };

  const identity = (logicalId: string) => {
    const known = identities.get(logicalId);
    if (known) return known;
    const resource = parsed.Resources[logicalId];
    if (resource === undefined) return fail(logicalId, 'no resource of this name in the template');
    if (inProgress.has(logicalId)) return fail(logicalId, 'the name of this resource refers to itself');
    inProgress.add(logicalId);
    const made = identify(logicalId, resource, around, (name) =>
      value(resource.Properties[name], `${logicalId}.Properties.${name}`),
    );
    inProgress.delete(logicalId);
    identities.set(logicalId, made);
    return made;
  };

  const reference = (name: string, path: string): unknown => {
    if (name in pseudo) return pseudo[name];
    if (name in parsed.Resources) return identity(name).ref;
    const parameter = parsed.Parameters[name];
    if (parameter === undefined) return fail(path, `refers to "${name}", which is neither a resource nor a parameter`);
    const given = parameters[name] ?? parameter.Default;
    return given ?? fail(path, `parameter "${name}" has neither a value nor a default`);
  };

  const attribute = (logicalId: string, name: string, path: string): string => {
    if (!(logicalId in parsed.Resources)) return fail(path, `takes ${name} of "${logicalId}", which does not exist`);
    const found = identity(logicalId);
    const known = found.attributes[name];
    if (known !== undefined) return known;
    if (found.standIn) return `arn:aws:local:${around.region}:${around.accountId}:${logicalId}/${name}`;
    return fail(path, `${parsed.Resources[logicalId]?.Type} "${logicalId}" has no attribute ${name} in the engine`);
  };

  const text = (raw: unknown, path: string): string => {
    const resolved = value(raw, path);
    if (typeof resolved === 'string' || typeof resolved === 'number' || typeof resolved === 'boolean')
      return String(resolved);
    return fail(path, `expected a text, got ${JSON.stringify(resolved)}`);
  };
  const list = (raw: unknown, path: string, length?: number): unknown[] => {
    if (Array.isArray(raw) && (length === undefined || raw.length === length)) return raw;
    return fail(path, `expected a list${length === undefined ? '' : ` of ${length}`}, got ${JSON.stringify(raw)}`);
  };

  const substitute: Intrinsic = (argument, path) => {
    const [pattern, extra] = typeof argument === 'string' ? [argument, {}] : list(argument, path, 2);
    const variables = extra as Record<string, unknown>;
    return text(pattern, path).replace(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
      if (literal === '!') return `\${${name}}`;
      if (name in variables) return text(variables[name], path);
      const [logicalId = '', ...rest] = name.split('.');
      return rest.length > 0 ? attribute(logicalId, rest.join('.'), path) : text({ Ref: name }, path);
    });
  };

  const condition = (raw: unknown, path: string): boolean => {
    const resolved = value(raw, path);
    return typeof resolved === 'boolean' ? resolved : fail(path, 'expected a condition');
  };
  const holds = (name: string | undefined): boolean => {
    if (name === undefined) return true;
    if (!(name in parsed.Conditions)) return fail(`Conditions.${name}`, 'no condition of this name');
    return condition(parsed.Conditions[name], `Conditions.${name}`);
  };

  const intrinsics: Readonly<Record<string, Intrinsic>> = {
    Ref: (argument, path) => reference(String(argument), path),
    Condition: (argument) => holds(String(argument)),
    'Fn::GetAtt': (argument, path) => {
      const [logicalId, name] = typeof argument === 'string' ? argument.split(/\.(.*)/) : list(argument, path, 2);
      return attribute(String(logicalId), text(name, path), path);
    },
    'Fn::Sub': substitute,
    'Fn::Join': (argument, path) => {
      const [separator, parts] = list(argument, path, 2);
      return list(value(parts, path), path)
        .map((part) => text(part, path))
        .join(String(separator));
    },
    'Fn::Split': (argument, path) => {
      const [separator, whole] = list(argument, path, 2);
      return text(whole, path).split(String(separator));
    },
    'Fn::Select': (argument, path) => {
      const [index, from] = list(argument, path, 2);
      const chosen = list(value(from, path), path)[Number(text(index, path))];
      return chosen ?? fail(path, `has no element ${text(index, path)}`);
    },
    'Fn::FindInMap': (argument, path) => {
      const [map = '', top = '', second = ''] = list(argument, path, 3).map((part) => text(part, path));
      return parsed.Mappings[map]?.[top]?.[second] ?? fail(path, `Mappings.${map}.${top}.${second} does not exist`);
    },
    'Fn::If': (argument, path) => {
      const [name, yes, no] = list(argument, path, 3);
      return value(holds(String(name)) ? yes : no, path);
    },
    'Fn::Equals': (argument, path) => {
      const [left, right] = list(argument, path, 2);
      return text(left, path) === text(right, path);
    },
    'Fn::Not': (argument, path) => !condition(list(argument, path, 1)[0], path),
    'Fn::And': (argument, path) => list(argument, path).every((part) => condition(part, path)),
    'Fn::Or': (argument, path) => list(argument, path).some((part) => condition(part, path)),
  };

  const value = (raw: unknown, path: string): unknown => {
    if (Array.isArray(raw)) {
      return raw.map((item, index) => value(item, `${path}[${index}]`)).filter((item) => item !== undefined);
    }
    if (typeof raw !== 'object' || raw === null) return raw;
    const entries = Object.entries(raw);
    const [only] = entries;
    if (entries.length === 1 && only !== undefined) {
      const [name, argument] = only;
      const intrinsic = intrinsics[name];
      if (intrinsic !== undefined) return intrinsic(argument, path);
      if (name.startsWith('Fn::')) return fail(path, `the engine does not know the intrinsic function ${name}`);
    }
    return Object.fromEntries(
      entries
        .map(([key, item]) => [key, value(item, `${path}.${key}`)] as const)
        .filter(([, item]) => item !== undefined),
    );
  };

  return { value, identity, holds };
};
