// The defaults that the constructs of the package and the pages state are those of production.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { environments } from '#infra/environments.ts';
import { settingsSchema } from '#infra/settings.ts';

const production = environments.prod;

const source = readFileSync('packages/cdk/pipeline-props.ts', 'utf8');

/** Properties by their name with that of their group, such as `limits.fileRows`, and the default that each states. */
const properties = new Map(
  [...source.matchAll(/export interface (\w+)Props \{(.*?)\n\}/gs)].flatMap(([, name = '', body = '']) => {
    const group = name === 'Pipeline' ? '' : `${name.charAt(0).toLowerCase()}${name.slice(1)}.`;
    return [...body.matchAll(/(?:@default (?!- )(\S+) \*\/\n)? {2}readonly (\w+)\??: (?!\w+Props)/g)].map(
      ([, value, property]) => [`${group}${property}`, value] as const,
    );
  }),
);

/** The settings of an app, which a construct is only a part of. */
const ofAnApp = ['stage', 'deployment', 'simulator', 'console'];
const settings = Object.entries(settingsSchema.shape)
  .filter(([name]) => !ofAnApp.includes(name))
  .flatMap(([name, schema]) => {
    const group = schema.type === 'prefault' ? schema.unwrap() : schema;
    const names = 'shape' in group ? Object.keys(group.shape as object) : [];
    return names.length === 0 ? [name] : names.map((one) => `${name}.${one}`);
  });

test('every setting of a pipeline is a property of the construct', () => {
  expect([...properties.keys()].toSorted()).toEqual([...settings, 'environment'].toSorted());
});

const stated = [...properties].filter(([name, value]) => value !== undefined && name !== 'environment');

test('defaults are stated', () => {
  expect(stated.length).toBeGreaterThan(35);
});

test.each(stated)('%s is %s by default', (name, value) => {
  const setting = name.split('.').reduce<unknown>((group, one) => (group as Record<string, unknown>)[one], production);
  expect(String(setting)).toBe(value);
});

test.each([
  ['reference/operations', 'Rows with equal options share a request, at most N of them'],
  ['contributing/pipeline', 'at most N rows. Each request'],
])('docs/%s.md states how many rows a request has', (page, sentence) => {
  const text = readFileSync(`docs/${page}.md`, 'utf8').replaceAll(/\s+/g, ' ');
  expect(text).toContain(sentence.replace('N', String(production.limits.rowsPerRequest)));
});
