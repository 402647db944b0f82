// Every rule of docs/contributing/aws.md names a page of AWS, or states that there is none, and checks and tests that
// exist.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limits } from '#local/limits.ts';
import { checks } from '../support/infra/checks/all-checks.ts';

/** A table of two columns has the test that holds its rows in the sentence above it. */
const rows = readFileSync('docs/contributing/aws.md', 'utf8')
  .split('\n\n')
  .flatMap((block, index, blocks) =>
    block
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (rule|limit) \|/.test(line))
      .map((line) => line.replaceAll('\\|', '').split('|').slice(1, -1))
      .map(([rule = '', page = '', heldBy = blocks[index - 1] ?? '']) => ({ rule: rule.trim(), page, heldBy })),
  );

const names = new Set(checks.map(({ rule }) => rule));
/** The names after the word "check" or "checks". */
const checksOf = (text: string): string[] =>
  [...text.matchAll(/\bchecks? ((?:`[\w-]+`(?: \([^)]*\))?(?:, | and )?)+)/g)].flatMap(([, list = '']) =>
    [...list.replaceAll(/\([^)]*\)/g, '').matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name),
  );
const testsOf = (text: string): string[] => [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);

test('there are rules', () => {
  expect(rows.length).toBeGreaterThan(30);
});

test.each(rows)('$rule', ({ page, heldBy }) => {
  expect(page).toMatch(/https:\/\/docs\.aws\.amazon\.com\/|not documented|the same page|the start script/);
  const [named, tests] = [checksOf(heldBy), testsOf(heldBy)];
  expect(named.length + tests.length).toBeGreaterThan(0);
  expect(named.filter((name) => !names.has(name))).toEqual([]);
  expect(tests.filter((path) => !existsSync(path))).toEqual([]);
});

test.each(Object.values(limits))('there is one row for the limit: $name', ({ name, value, page }) => {
  const rule = `${name}: ${value.toLocaleString('en-GB')}`;
  const found = rows.filter((row) => row.rule === rule);
  expect(found.map((row) => /\]\((.*?)\)/.exec(row.page)?.[1])).toEqual([`https://docs.aws.amazon.com/${page}`]);
});

test('there is no row for a limit that is not held', () => {
  const [, section = ''] = readFileSync('docs/contributing/aws.md', 'utf8').split('\n## Limits\n');
  const [table = ''] = section.split('\n## ');
  expect(table.match(/^\| (?!limit \|)/gm)).toHaveLength(Object.keys(limits).length);
});

/** These hold what simporter promises, and no rule of AWS that fails silently. */
const ownPolicies = [
  'dead-letter-queue',
  'receive-count',
  'schedule-dead-letters',
  'schedule-retries',
  'stream-filter',
  'no-loop',
  'expiry',
  'key-rotation',
  'log-retention',
  'point-in-time-recovery',
  'tls-only',
  'no-public-access',
  'no-wildcard',
  'own-role',
];

test('every other check of a synth is that of a rule', () => {
  const named = new Set([...ownPolicies, ...rows.flatMap(({ heldBy }) => checksOf(heldBy))]);
  expect([...names].filter((name) => !named.has(name))).toEqual([]);
  expect(ownPolicies.filter((name) => !names.has(name))).toEqual([]);
});
