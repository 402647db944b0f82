// docs/contributing/data.md has the key of every item, the partitions of both indexes, and pipeline.md every state of a
// request.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as importItems from '#shared/import/import.ts';
import { savedSettingsKey } from '#shared/import/saved-settings.ts';
import * as comparisons from '#shared/outcome/service-comparison.ts';
import * as ports from '#shared/port/port.ts';
import * as numbers from '#shared/request/number-claim.ts';
import { rateLimitKey } from '#shared/request/rate-limit.ts';
import * as requests from '#shared/request/request.ts';
import { contentKey, orderNameKey } from '#shared/store/first-uses.ts';
import { idempotencyKey } from '#shared/store/idempotency-keys.ts';
import { notificationKey, notificationQueue } from '#shared/store/imports.ts';
import { leaseKey } from '#shared/store/leases.ts';
import * as people from '#shared/store/people.ts';
import { dueIndex, type ItemKey, listedIndex, shardsOf } from '#shared/text/stored-values.ts';
import { globFiles } from '../support/glob-files.ts';

const pageOf = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
const data = pageOf('contributing/data.md');

/** Each function that returns a key of the table, called as the page names its parts. */
const examples: Readonly<Record<string, ItemKey>> = {
  importKey: importItems.importKey('<id>'),
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
  savedSettingsKey: savedSettingsKey('<account>' as never, '<header>'),
  resolutionKey: people.resolutionKey('<id>', 1),
  uploadItemKey: people.uploadItemKey('<id>'),
  idempotencyKey: idempotencyKey('<id>'),
  notificationKey: notificationKey('<import>'),
  leaseKey: leaseKey('<name>'),
  contentKey: contentKey('<account>' as never, '<hash>'),
  orderNameKey: orderNameKey('<network>' as never, '<name>'),
  rateLimitKey: rateLimitKey('<account>' as never),
};

/** Partition and sort keys by row; a row may have several sort keys. */
const [, items = ''] = /^## Items$(.*?)^Two sparse/ms.exec(data) ?? [];
const stated = [...items.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|/gm)].map(([, item = '', pk = '', sk = '']) => ({
  item,
  pk: pk.replaceAll('`', '').replace('as the claim', 'number#<e164>'),
  sorts: [...sk.matchAll(/`([^`]+)`/g)].map(([, sort = '']) => sort),
}));

test('every key of the table has an example here', () => {
  const names = globFiles('shared/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^export const (\w+) = \(.*\): ItemKey =>/gm)].map(([, name = '']) => name),
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

test('the page lists the partitions of both indexes', () => {
  const sharded = [requests.requestQueue, requests.plannedQueue, ports.portQueue].map((queue) => {
    const shards = shardsOf(queue);
    return `${shards[0]}-${shards.length - 1}`;
  });
  expect(partitionsOf(dueIndex)).toEqual([
    ...sharded,
    comparisons.comparisonQueue,
    requests.heldQueue,
    people.resolutionQueue,
    notificationQueue,
  ]);
  const account = '<account>' as never;
  expect(partitionsOf(listedIndex)).toEqual([
    importItems.importsListed(account),
    importItems.actionsListed(account),
    requests.requestsListed,
    comparisons.mismatchesListed(account),
  ]);
});

test.each(requests.requestStates)('pipeline.md explains the state %s of a request', (state) => {
  const [, submit = ''] = /^## Submit$(.*?)^## /ms.exec(pageOf('contributing/pipeline.md')) ?? [];
  expect(submit).toMatch(new RegExp(`(^|[\\s\`])${state}([\\s\`]|$)`, 'm'));
});
