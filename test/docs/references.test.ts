// What pages and code name exists: decisions, faults, pages, npm scripts, settings, variables and files.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandNames } from '#cli/context/next-command.ts';
import { settingsSchema } from '#infra/settings.ts';
import packageJson from '#package.json' with { type: 'json' };
import { globFiles } from '../support/glob-files.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const pages = globFiles('{*.md,docs/**/*.md,{bench,console,local,simulator}/*.md}').filter(
  (path) => path !== 'CHANGELOG.md',
);
const code = globFiles(
  '{bench,cli,console,functions,infra,local,packages,shared,simulator,site,test}/**/*.{ts,tsx,mjs}',
).filter((path) => !/node_modules|\/dist\/|test\/docs\//.test(path));
const codeText = code.map(read).join('\n');
const allText = [codeText, ...pages.map(read)].join('\n');

const matchesOf = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, match = '']) => match)),
];
/** Code in a line, and blocks of code. */
const codeOf = (page: string): string => matchesOf(page, /(```[\s\S]*?```|`[^`\n]+`)/g).join('\n');

const titlesOf = (text: string): string[] => matchesOf(text, /^#+ (.+)$/gm).map((title) => title.toLowerCase());
const numbersOf = (word: string): number[] =>
  matchesOf(allText, new RegExp(`\\b${word}s? (\\d+(?:(?:, | and | to )\\d+)*)`, 'g')).flatMap((list) =>
    list.split(/\D+/).map(Number),
  );

describe('code names', () => {
  test('spec gaps that the page has', () => {
    const list = matchesOf(read('docs/contributing/spec-gaps.md'), /^(\d+)\. /gm).map(Number);
    expect(list).toEqual(list.map((_, index) => index + 1));
    expect(numbersOf('spec gap').filter((number) => !list.includes(number))).toEqual([]);
  });

  test('decisions that have a page with that number', () => {
    const numbers = globFiles('docs/decisions/0*.md').map((path) => Number(path.slice(15, 19)));
    expect(numbersOf('decision').filter((number) => !numbers.includes(number))).toEqual([]);
    const linked = matchesOf(pages.map(read).join('\n'), /(\bdecision \d+\]\([\w./]*\d{4})/g);
    expect(linked.length).toBeGreaterThan(5);
    const [named, led] = [/decision (\d+)/, /(\d{4})$/].map((part) =>
      linked.map((link) => Number(part.exec(link)?.[1])),
    );
    expect(named).toEqual(led);
  });

  test('faults that the page has', () => {
    const rows = matchesOf(read('docs/contributing/faults.md'), /^\| (\d+) \|/gm).map(Number);
    expect(numbersOf('fault').filter((number) => !rows.includes(number))).toEqual([]);
  });

  test('pages and headings that exist', () => {
    const named = matchesOf(codeText, /\b(docs\/[\w./-]+\.md(?:#[\w-]+)?)/g).filter((name) => !/sample/.test(name));
    expect(named.length).toBeGreaterThan(15);
    const broken = named.filter((name) => {
      const [path = '', anchor] = name.split('#');
      if (!existsSync(path)) return true;
      return anchor !== undefined && !titlesOf(read(path)).some((title) => title.replaceAll(' ', '-') === anchor);
    });
    expect(broken).toEqual([]);
  });

  test('commands that exist', () => {
    // At the end of a text or before a value; sentences have the name of the product before their verb.
    const named = matchesOf(codeText, /\bsimporter ([a-z][a-z-]+)(?= <|['`]| printed)/g);
    expect(named.length).toBeGreaterThan(4);
    const [names, words]: (readonly string[])[] = [Object.values(commandNames), ['code', 'console', 'failed']];
    expect(named.filter((name) => !names?.includes(name) && !words?.includes(name))).toEqual([]);
  });

  test('pages of decisions by their number', () => {
    const numbers = globFiles('docs/decisions/0*.md').map((path) => path.slice(15, 19));
    expect(matchesOf(codeText, /docs\/decisions\/(\d{4})/g).filter((number) => !numbers.includes(number))).toEqual([]);
  });
});

test('the list of decisions has every page with its title, in order', () => {
  const listed = matchesOf(read('docs/decisions/README.md').replaceAll(/\n {2}(?=\S)/g, ' '), /^- \[\d+\]\((.+)$/gm);
  const titled = globFiles('docs/decisions/0*.md')
    .sort()
    .map((path) => `${path.slice(15)}) ${/^# \d+\. (.+)$/m.exec(read(path))?.[1]}`);
  expect(listed).toEqual(titled);
});

test('messages that docs/guides/troubleshooting.md explains are in the code', () => {
  const [, table = ''] =
    /<!-- messages.*?-->(.*)<!-- end of messages -->/s.exec(read('docs/guides/troubleshooting.md')) ?? [];
  const messages = matchesOf(table, /^\| `([^`]+)` \|/gm);
  expect(messages.length).toBeGreaterThan(5);
  expect(messages.filter((message) => !codeText.includes(message))).toEqual([]);
});

/** What the code of all pages names by `pattern` and does not exist, with its page. */
const missing = (pattern: RegExp, exists: (name: string) => boolean, except: readonly string[] = []): string[] =>
  pages.flatMap((page) =>
    matchesOf(codeOf(read(page)), pattern)
      .filter((name) => !exists(name) && !except.includes(name))
      .map((name) => `${page}: ${name}`),
  );

describe('pages name', () => {
  test('npm scripts that exist', () => {
    expect(missing(/\bnpm run (?:-s |--silent )?([\w:-]+)/g, (name) => name in packageJson.scripts)).toEqual([]);
  });

  test('commands that exist', () => {
    const names: readonly string[] = Object.values(commandNames);
    const wrong = missing(/\bsimporter (?:-- )?([a-z][a-z-]+)/g, (name) => names.includes(name), [
      'simporter-simulator',
    ]);
    expect(wrong).toEqual([]);
  });

  test('programs, examples and tests that exist', () => {
    expect(missing(/\b((?:bench|cli|examples|simulator|test)\/[\w./-]+\.(?:ts|mjs|csv))\b/g, existsSync)).toEqual([]);
  });

  test('variables that the code has', () => {
    const ofAws = ['AT_SEQUENCE_NUMBER', 'ERROR_CODE', 'ERROR_MESSAGE', 'RULE_ARN', 'TARGET_ARN'];
    const ofReaders = ['CLIENTS_ARN', 'PLAN_HASH', 'SECRET_ARN'];
    const text = codeText + read('.ci/run');
    const wrong = missing(/\b([A-Z][A-Z0-9]+_[A-Z0-9_]+)\b/g, (name) => text.includes(name), [...ofAws, ...ofReaders]);
    expect(wrong).toEqual([]);
  });

  test('settings that exist', () => {
    const groups = Object.entries(settingsSchema.shape).flatMap(([group, schema]) => {
      const inner = 'unwrap' in schema ? schema.unwrap() : schema;
      return 'shape' in inner ? [[group, Object.keys(inner.shape)] as const] : [];
    });
    const settings = new Set(groups.flatMap(([group, names]) => names.map((name) => `${group}.${name}`)));
    const ofClient = ['service.advanceClock', 'service.control'];
    const anyGroup = groups.map(([group]) => group).join('|');
    const pattern = new RegExp(`\`"?((?:${anyGroup})\\.(?!ts\\b)\\w+)`, 'g');
    expect(missing(pattern, (name) => settings.has(name), ofClient)).toEqual([]);
  });
});
