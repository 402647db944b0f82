// A deployment never leaves a property out in order to mean its default: CloudFormation does not promise to reset what
// a template no longer has. So each property of a resource is in the template with every setting, or is listed here.
import { expect, test } from 'vitest';
import type { SynthesisedTemplate } from '../support/infra/template.ts';
import { productions } from '../support/infra/variants.ts';

/** What has no value that means its default, and what happens without it. */
const withoutDefault: Readonly<Record<string, string>> = {
  'AWS::Lambda::Function ReservedConcurrentExecutions':
    '0 would stop the function; CloudFormation ends the reservation',
  'AWS::S3::Bucket CorsConfiguration': 'a list must not be empty; CloudFormation deletes the configuration',
  'AWS::S3::Bucket LoggingConfiguration':
    'without a bucket it names the bucket itself; CloudFormation turns logging off',
  'AWS::SecretsManager::Secret Name': 'the secret is replaced',
  'AWS::Cognito::UserPool EmailConfiguration.': 'Cognito replaces the configuration, and its own sender has no address',
  'AWS::Cognito::UserPoolIdentityProvider AttributeMapping.email_verified': 'Cognito replaces the map',
  'AWS::Cognito::UserPoolIdentityProvider ProviderDetails': 'another kind of provider replaces it',
};

const templates = productions.map(({ name, templates }) => ({ name, stacks: templates() }));

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The properties that `after` does not have, by their paths. Lists and references are replaced as a whole. */
function leftOut(before: unknown, after: unknown, path = ''): readonly string[] {
  if (!isMap(before) || Object.keys(before).some((key) => key === 'Ref' || key.startsWith('Fn::'))) return [];
  if (!isMap(after)) return [path];
  return Object.entries(before).flatMap(([name, value]) => {
    const inner = path === '' ? name : `${path}.${name}`;
    return name in after ? leftOut(value, after[name], inner) : [inner];
  });
}

function leftOutOf(before: SynthesisedTemplate, after: SynthesisedTemplate): readonly string[] {
  return Object.entries(before.Resources).flatMap(([id, { Type, Properties = {} }]) => {
    const same = after.Resources[id];
    return same?.Type === Type ? leftOut(Properties, same.Properties ?? {}).map((path) => `${Type} ${path}`) : [];
  });
}

const found = new Set(
  templates.flatMap(({ name, stacks }) =>
    templates
      .filter((other) => other.name !== name)
      .flatMap((other) =>
        [...stacks].flatMap(([stack, template]) => {
          const after = other.stacks.get(stack);
          return after === undefined ? [] : leftOutOf(template, after);
        }),
      ),
  ),
);

const isListed = (property: string): boolean => Object.keys(withoutDefault).some((known) => property.startsWith(known));

test('no other property is left out by a change of the settings', () => {
  expect([...found].filter((property) => !isListed(property)).sort()).toEqual([]);
});

test('each that is listed is left out by some setting', () => {
  const needless = Object.keys(withoutDefault).filter((known) => ![...found].some((one) => one.startsWith(known)));
  expect(needless).toEqual([]);
});
