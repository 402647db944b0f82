// The tables and figures of pages are those of the code.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { addUploadOptions } from '#cli/options/upload-options.ts';
import { environments } from '#infra/derived-settings.ts';
import { logDays, settingsSchema } from '#infra/settings.ts';
import { workbookLimits } from '#shared/files/workbook/open-archive.ts';
import * as importItems from '#shared/import/import.ts';
import { partKey } from '#shared/import/part.ts';
import { savedSettingsKey } from '#shared/import/saved-settings.ts';
import * as comparisons from '#shared/outcome/service-comparison.ts';
import * as ports from '#shared/port/port.ts';
import * as numbers from '#shared/request/number-claim.ts';
import * as requests from '#shared/request/request.ts';
import { rateLimitKey } from '#shared/request/shared-rate-limit.ts';
import { issueCodes } from '#shared/row/issue.ts';
import { contentKey, orderNameKey } from '#shared/store/first-uses.ts';
import { idempotencyKey } from '#shared/store/idempotency-keys.ts';
import { notificationKey, notificationQueue } from '#shared/store/imports.ts';
import { leaseKey, syncRunsKey } from '#shared/store/leases.ts';
import * as people from '#shared/store/people.ts';
import { dueIndex, type ItemKey, listedIndex, shardsOf } from '#shared/text/stored-values.ts';
import { globFiles } from '../support/glob-files.ts';

// docs/contributing/data.md has the key of every item, the partitions of two indexes, and pipeline.md every state of a
// request.
describe('the results table', () => {
  const pageOf = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
  const data = pageOf('contributing/data.md');

  /** Each function that returns a key of the table, called as the page names its parts. */
  const examples: Readonly<Record<string, ItemKey>> = {
    importKey: importItems.importKey('<id>'),
    partKey: partKey({ importId: '<id>', partId: '<id>', at: '<time>' }),
    requestKey: requests.requestKey('<id>', 1),
    comparisonKey: comparisons.comparisonKey('<id>', 1),
    numberKey: numbers.numberKey('<e164>'),
    formerNumberKey: numbers.formerNumberKey('<e164>', '<claimed at>'),
    portKey: ports.portKey('<guid>'),
    portRowsKey: ports.portRowsKey('<guid>'),
    portEventKey: ports.portEventKey('<guid>', '<time>', '<status>'),
    auditKey: people.auditKey('<id>', '<time>', '<action>'),
    approvalKey: people.approvalKey('<id>', '<plan>', '<person>'),
    downloadKey: people.downloadKey('<id>', '<time>', '<person>', '<file>'),
    uploaderKey: people.uploaderKey('<id>'),
    draftKey: people.draftKey('<id>', '<person>'),
    savedSettingsKey: savedSettingsKey('<account>', '<header>'),
    resolutionKey: people.resolutionKey('<id>', 1),
    uploadItemKey: people.uploadItemKey('<id>'),
    idempotencyKey: idempotencyKey('<id>'),
    notificationKey: notificationKey('<import>'),
    leaseKey: leaseKey('<name>'),
    contentKey: contentKey('<account>', '<hash>'),
    orderNameKey: orderNameKey('<network>' as never, '<name>'),
    rateLimitKey: rateLimitKey('<account>'),
    syncRunsKey: syncRunsKey('<account>'),
  };

  /** Partition and sort keys by row; a row may have several sort keys. */
  const [, items = ''] = /^## Items$(.*?)^Three sparse/ms.exec(data) ?? [];
  const stated = [...items.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|/gm)].map(
    ([, item = '', pk = '', sk = '']) => ({
      item,
      pk: pk.replaceAll('`', '').replace('as the claim', 'number#<e164>'),
      sorts: [...sk.matchAll(/`([^`]+)`/g)].map(([, sort = '']) => sort),
    }),
  );

  test('every key of the table has an example here', () => {
    const names = globFiles('shared/**/*.ts').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^export const (\w+) = \(.*\): ItemKey =>/gm)].map(
        ([, name = '']) => name,
      ),
    );
    expect(Object.keys(examples).sort()).toEqual(names.sort());
  });

  test.each(Object.entries(examples))('the page lists the items of %s', (_, { pk, sk }) => {
    expect(stated.filter((row) => row.pk === pk && row.sorts.includes(sk))).toHaveLength(1);
  });

  test('the page lists no other items', () => {
    const known = new Set(Object.values(examples).map(({ pk, sk }) => `${pk} ${sk}`));
    // A claim of a row is an item of a number (functions/submit/claim-numbers.ts).
    known.add('number#<first import>/<line> current');
    const listed = stated.flatMap(({ pk, sorts }) => sorts.map((sort) => `${pk} ${sort}`));
    expect(listed.filter((key) => !known.has(key))).toEqual([]);
  });

  const partitionsOf = (index: string): string[] =>
    [...(new RegExp(`^\\| \`${index}\` \\|[^:]*: ([^|]+)\\|`, 'm').exec(data)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(
      ([, partition = '']) => partition,
    );

  test('the page lists the partitions of the indexes that the pipeline reads', () => {
    const sharded = [requests.requestQueue, requests.plannedQueue, ports.portQueue].map((queue) => {
      const shards = shardsOf((shard) => queue('<account>', shard));
      return `${shards[0]}-${shards.length - 1}`;
    });
    expect(partitionsOf(dueIndex)).toEqual([
      ...sharded,
      comparisons.comparisonQueue('<account>'),
      requests.heldQueue('<account>'),
      requests.scheduledQueue('<account>'),
      people.resolutionQueue,
      notificationQueue,
    ]);
    expect(partitionsOf(listedIndex)).toEqual([
      importItems.importsListed,
      ports.actionsListed,
      requests.requestsListed,
      comparisons.mismatchesListed,
    ]);
  });

  test.each(requests.requestStates)('pipeline.md explains the state %s of a request', (state) => {
    const [, submit = ''] = /^## Submit$(.*?)^## /ms.exec(pageOf('contributing/pipeline.md')) ?? [];
    expect(submit).toMatch(new RegExp(`(^|[\\s\`])${state}([\\s\`]|$)`, 'm'));
  });
});

// The defaults that the constructs of the package and the pages state are those of production.
describe('defaults', () => {
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

  test('logs can be kept for each number of days that the settings accept', () => {
    const [, days = ''] = /export type LogDays =([^;]*);/.exec(source) ?? [];
    expect(days.match(/\d+/g)?.map(Number)).toEqual([...logDays.values]);
  });

  const stated = [...properties].filter(([name, value]) => value !== undefined && name !== 'environment');

  test('defaults are stated', () => {
    expect(stated.length).toBeGreaterThan(35);
  });

  test.each(stated)('%s is %s by default', (name, value) => {
    const setting = name
      .split('.')
      .reduce<unknown>((group, one) => (group as Record<string, unknown>)[one], production);
    expect(String(setting)).toBe(value);
  });

  test.each([
    ['reference/operations', 'Rows with equal options share a request, at most N of them'],
    ['contributing/pipeline', 'at most N rows. Each request'],
  ])('docs/%s.md states how many rows a request has', (page, sentence) => {
    const text = readFileSync(`docs/${page}.md`, 'utf8').replaceAll(/\s+/g, ' ');
    expect(text).toContain(sentence.replace('N', String(production.limits.rowsPerRequest)));
  });
});

// docs/reference/files.md has the figures of the code.
describe('files', () => {
  const page = readFileSync(new URL('../../docs/reference/files.md', import.meta.url), 'utf8');
  const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

  test('the limits of workbooks are those of the code', () => {
    const { fileBytes, partBytes, textMemory, sheets, columns, cells } = workbookLimits;
    const rows = [
      ['size of the file', megabytes(fileBytes)],
      ['size of a sheet, or of the shared texts, after decompression', megabytes(partBytes)],
      ['memory for the shared texts', megabytes(textMemory)],
      ['sheets', sheets],
      ['columns', columns],
      ['cells, with the empty ones before them', cells.toLocaleString('en-GB')],
    ];
    const table = rows.map(([name, value]) => `| ${name} | ${value} |`).join('\n');
    expect(page).toContain(`| limit | value |\n|---|---|\n${table}\n<!-- end of limits -->`);
  });

  test('docs/guides/my-spreadsheet.md names codes and options that exist', () => {
    const spreadsheet = readFileSync(new URL('../../docs/guides/my-spreadsheet.md', import.meta.url), 'utf8');
    const codes = [...spreadsheet.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(8);
    for (const code of codes) expect(issueCodes).toContain(code);
    const options = new Set([...spreadsheet.matchAll(/`(--[a-z-]+)/g)].map(([, option = '']) => option));
    const known = addUploadOptions(new Command()).options.flatMap(({ long }) => long ?? []);
    expect([...options].filter((option) => !known.includes(option))).toEqual([]);
  });
});
