// docs/guides/table.md: the items and attributes that it names exist, and its expressions use no reserved word. Its
// commands run in test/cli/three-uses.program.test.ts.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { importItem, importKey } from '#shared/import/import.ts';
import { partItem, partKey } from '#shared/import/part.ts';
import { comparisonItem, comparisonKey } from '#shared/outcome/service-comparison.ts';
import { portEvent, portEventKey, portItem, portKey, portRowState, portRowsKey } from '#shared/port/port.ts';
import { formerNumberKey, latestReading, numberItem, numberKey } from '#shared/request/number-claim.ts';
import { requestItem, requestKey } from '#shared/request/request.ts';
import { portRowsItem } from '#shared/store/ports.ts';
import { blocksOf } from '../support/cli/page-story.ts';

const path = 'docs/guides/table.md';
const page = readFileSync(path, 'utf8');

describe('the items', () => {
  /** The rows of the table: the item, its keys and what it has. */
  const rows = new Map(
    [...page.matchAll(/^\| ([a-z][a-z ]+) \| `([^`]+)` \| `([^`]+)` \| (.+) \|$/gm)].map(
      ([, item = '', pk = '', sk = '', attributes = '']) => [item, { pk, sk, attributes }],
    ),
  );
  const attributesOf = (text: string): string[] => [...text.matchAll(/`([a-z]\w*)`/gi)].map(([, name = '']) => name);

  test.each([
    ['import', importKey('<import>'), importItem],
    ['part of an import', partKey({ importId: '<import>', at: '<time>', partId: '<part>' }), partItem],
    ['request', requestKey('<import>', 1), requestItem],
    ['port', portKey('<port>'), portItem],
    ['rows of a port', portRowsKey('<port>'), portRowsItem],
    ['change of a port', portEventKey('<port>', '<time>', '<status>'), portEvent],
    ['number', numberKey('<number>'), numberItem],
    ['earlier row of a number', formerNumberKey('<number>', '<time>'), undefined],
    ['comparison of services', comparisonKey('<import>', 1), comparisonItem],
  ])('%s has these keys and attributes', (item, key, schema) => {
    const row = rows.get(item);
    expect({ pk: row?.pk, sk: row?.sk }).toEqual(key);
    if (schema === undefined) return;
    const named = attributesOf((row?.attributes ?? '').replaceAll(/\([^()]*\)/g, ''));
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((name) => !(name in schema.shape))).toEqual([]);
  });

  test('the row of a port and the latest reading of a number have these attributes', () => {
    const inside = (item: string, name: string): string[] =>
      attributesOf(new RegExp(`\`${name}\` \\(([^()]*)\\)`).exec(rows.get(item)?.attributes ?? '')?.[1] ?? '');
    expect(inside('rows of a port', 'rows')).toEqual(Object.keys(portRowState.shape));
    expect(inside('number', 'latest')).toEqual(Object.keys(latestReading.shape));
  });
});

describe('the expressions', () => {
  /** None of them is a reserved word of DynamoDB. Other attributes are quoted, so that nobody has to know the list. */
  const keys = ['pk', 'sk', 'listed', 'listedAt', 'account', 'portDay'];
  const wordsOf = (text: string) => text.match(/(?<![#:\w])[A-Za-z_]\w*/g) ?? [];

  test('of PartiQL name only keys without quotation marks', () => {
    const words = blocksOf(path, 'sql').flatMap((statement) =>
      wordsOf(statement.replaceAll(/'[^']*'|"[^"]*"/g, '').replaceAll(/\b(SELECT|FROM|WHERE|AND|IN|BETWEEN)\b/g, '')),
    );
    expect(words.filter((word) => ![...keys, 'begins_with'].includes(word))).toEqual([]);
  });

  test('of PartiQL name a partition, so that none of them scans the table', () => {
    const statements = blocksOf(path, 'sql');
    expect(statements.filter((statement) => !/\bWHERE (pk|listed|account) (=|IN) /.test(statement))).toEqual([]);
  });

  test('of the commands name only keys without a #', () => {
    const expressions = [...page.matchAll(/--(?:key-condition|filter)-expression '([^']+)'/g)].map(
      ([, text = '']) => text,
    );
    expect(expressions.length).toBeGreaterThan(6);
    const words = expressions.flatMap((text) => wordsOf(text.replaceAll(/\b(AND|BETWEEN)\b/g, '')));
    expect(words.filter((word) => ![...keys, 'begins_with'].includes(word))).toEqual([]);
  });
});
