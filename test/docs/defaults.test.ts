// The defaults that the constructs of the package and the pages state are those of production.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { environments } from '#infra/environments.ts';

/** Every setting of production by its name, without its group. */
const settings = new Map(
  Object.entries(environments.prod).flatMap(([name, value]): (readonly [string, unknown])[] =>
    typeof value === 'object' ? Object.entries(value) : [[name, value]],
  ),
);
/** Properties of the constructs that have another name than their setting. */
const settingNames: Readonly<Record<string, string>> = { timeZone: 'zone', syncEveryMinutes: 'everyMinutes' };
const withoutSetting = ['serviceAuthUrl', 'environment'];

const source = readFileSync('packages/cdk/pipeline.ts', 'utf8');
const stated = [...source.matchAll(/@default (?!- )(\S+) \*\/\n {2}readonly (\w+)\?:/g)]
  .map(([, value = '', property = '']) => ({ property, value }))
  .filter(({ property }) => !withoutSetting.includes(property));

test('defaults are stated', () => {
  expect(stated.length).toBeGreaterThan(10);
});

test.each(stated)('$property is $value by default', ({ property, value }) => {
  expect(String(settings.get(settingNames[property] ?? property))).toBe(value);
});

test.each([
  ['reference/operations', 'Rows with equal options share a request, at most N of them'],
  ['contributing/pipeline', 'at most N rows. Each request'],
])('docs/%s.md states how many rows a request has', (page, sentence) => {
  const text = readFileSync(`docs/${page}.md`, 'utf8').replaceAll(/\s+/g, ' ');
  expect(text).toContain(sentence.replace('N', String(environments.prod.limits.rowsPerRequest)));
});
