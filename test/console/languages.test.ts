// Every language of the console has the same texts with the same values in them, and no text stays in another language.
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { afterEach, describe, expect, test } from 'vitest';
import { operations } from '#shared/operations/registry.ts';
import { setStrings } from '../../console/strings.ts';
import { english } from '../../console/text/english.ts';
import { count, formatBytes, formatDay, formatInstant } from '../../console/text/format.ts';
import { german } from '../../console/text/german.ts';
import { preferredLanguage } from '../../console/text/languages.ts';
import { columnLabel, describeOutcomes, sharesOf, successWord } from '../../console/text/words.ts';
import { globFiles } from '../support/glob-files.ts';

afterEach(() => setStrings(english));

type Text = (...values: unknown[]) => string;

/** Every text by its place, such as `plan.approve`. Names of columns are as many as a language needs. */
const textsOf = (value: unknown, place = ''): [string, string | Text][] =>
  value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([name, inside]) =>
        name === 'columnNames' ? [] : textsOf(inside, place === '' ? name : `${place}.${name}`),
      )
    : [[place, value as string | Text]];

/** A number for each parameter, or a list where the text needs one. */
function write(text: Text, first: number): string {
  const values = Array.from({ length: Math.max(1, text.length) }, (_none, index) => first + index * 11);
  for (let lists = 0; lists < 2 ** values.length; lists += 1) {
    try {
      return text(...values.map((value, index) => ((lists >> index) & 1 ? [value, value + 1] : value)));
    } catch {
      // A number is no list: the next parameter is.
    }
  }
  throw new Error(`cannot write ${text}`);
}

const valuesIn = (text: string): string[] =>
  text
    .replaceAll(/(?<=\d)[.,](?=\d)/g, '')
    .match(/\d+/g)
    ?.toSorted() ?? [];

describe('German', () => {
  const [ofEnglish, ofGerman] = [new Map(textsOf(english)), new Map(textsOf(german))];

  test('has every text of English, and no other', () => {
    expect([...ofGerman.keys()].sort()).toEqual([...ofEnglish.keys()].sort());
    expect(ofGerman.size).toBeGreaterThan(500);
    expect([...ofGerman].filter(([, text]) => text === '')).toEqual([]);
  });

  test('has the same values in each text', () => {
    setStrings(german);
    const written = (texts: ReadonlyMap<string, string | Text>) =>
      Object.fromEntries(
        [...texts].flatMap(([place, text]) => (typeof text === 'string' ? [] : [[place, valuesIn(write(text, 71))]])),
      );
    expect(written(ofGerman)).toEqual(written(ofEnglish));
  });

  test('writes one of a kind in the singular', () => {
    setStrings(german);
    const wrong = [...ofGerman].flatMap(([place, text]) =>
      typeof text === 'string' || !/\b1 (?:\w+e )?(Rufnummern|Aufträge|Zeilen|SIMs|PACs|Gruppen)\b/.test(write(text, 1))
        ? []
        : [place],
    );
    expect(wrong).toEqual([]);
  });

  test('has a name for every column of every operation', () => {
    const names = [...operations.values()].flatMap(({ columns }) => columns.map(({ name }) => name));
    expect(names.filter((name) => german.columnNames[name] === undefined)).toEqual([]);
  });

  test('writes numbers, dates, outcomes and columns in its own way', () => {
    const seen = () => [
      count(1_234_567),
      formatBytes(812),
      formatBytes(1_400_000),
      formatDay('2026-07-03'),
      formatInstant('2026-07-03T09:42:00.000Z', 'Europe/London'),
      columnLabel('sourceNetwork'),
      columnLabel('services: Roaming'),
      describeOutcomes({ complete: 1_200, 'action-required': 3, duplicate: 2 }, 1_320),
      sharesOf({ complete: 1 }, 'bar-service-config')[0]?.word,
      successWord({}, 'create-port'),
    ];
    expect(seen()).toEqual([
      '1,234,567',
      '812 bytes',
      '1.4 MB',
      '3 Jul 2026',
      '3 Jul 2026, 10:42',
      'Losing network',
      'Services: Roaming',
      '1,200 of 1,320 ported, 3 action required, 2 duplicates',
      'confirmed',
      'ported',
    ]);
    setStrings(german);
    expect(seen()).toEqual([
      '1.234.567',
      '812 Byte',
      '1,4 MB',
      '03.07.2026',
      '03.07.2026, 10:42',
      'Abgebendes Netz',
      'Dienste: Roaming',
      '1.200 von 1.320 portiert, 3 mit Handlungsbedarf, 2 doppelt',
      'bestätigt',
      'portiert',
    ]);
  });
});

test.each([
  [null, ['de-AT', 'en-GB'], 'de'],
  [null, ['fr-FR', 'DE'], 'de'],
  [null, ['en-US', 'de'], 'en'],
  [null, ['fr'], 'en'],
  [null, [], 'en'],
  ['en', ['de'], 'en'],
  ['de', ['en'], 'de'],
  ['toString', ['de'], 'de'],
])('who chose %s and prefers %s sees %s first', (chosen, preferred, expected) => {
  expect(preferredLanguage(chosen, preferred)).toBe(expected);
});

/** Places where a text is read while its module is loaded: it would stay in the language of that moment. */
function readWhenLoaded(file: string, text: string): string[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node) && node.text === 'strings') {
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('no module keeps a text', () => {
  test.each([
    ['const texts = strings.ports;\nconst f = () => strings.ports;', ['sample.tsx:1']],
    ['const labels = { all: strings.rows.selectAll };', ['sample.tsx:1']],
    ["import { strings } from './strings.ts';\ntype Name = keyof typeof strings.columns;", []],
  ])('in %s', (text, expected) => {
    expect(readWhenLoaded('sample.tsx', text)).toEqual(expected);
  });

  test('of the console', () => {
    const files = globFiles('console/**/*.{ts,tsx}').filter((file) => file !== 'console/strings.ts');
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((file) => readWhenLoaded(file, readFileSync(file, 'utf8')))).toEqual([]);
  });
});

test('screens take counts and the words of the domain from console/text, not in English from shared', () => {
  const words = /\b(count|counted|columnLabel|outcomeWords|requestStateWords|sharesOf|successWord|describeOutcomes)\b/;
  const found = globFiles('console/**/*.{ts,tsx}').flatMap((file) =>
    file.startsWith('console/text/')
      ? []
      : (readFileSync(file, 'utf8').match(/^import [^;]*? from '#shared\/[^']*';$/gms) ?? []).filter((line) =>
          words.test(line),
        ),
  );
  expect(found).toEqual([]);
});
