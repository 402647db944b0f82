// docs/contributing/data.md has the key of every item, the partitions of both indexes, and pipeline.md every state of a
// request.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requestStates } from '#shared/request/request.ts';
import * as keys from '#shared/text/stored-values.ts';

const pageOf = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
const data = pageOf('contributing/data.md');

/** Each function of item-keys.ts that answers a key, called as the page names its parts. */
const examples: Readonly<Record<string, keys.ItemKey>> = {
  importKey: keys.importKey('<id>'),
  requestKey: keys.requestKey('<id>', 1),
  comparisonKey: keys.comparisonKey('<id>', 1),
  numberKey: keys.numberKey('<e164>'),
  formerNumberKey: keys.formerNumberKey('<e164>', '<claimed at>'),
  portKey: keys.portKey('<guid>'),
  portRowsKey: keys.portRowsKey('<guid>'),
  portEventKey: keys.portEventKey('<guid>', '<time>', '<status>'),
  auditKey: keys.auditKey('<id>', '<time>', '<action>'),
  approvalKey: keys.approvalKey('<id>', '<plan>', '<person>'),
  downloadKey: keys.downloadKey('<id>', '<time>', '<person>', '<file>'),
  uploaderKey: keys.uploaderKey('<id>'),
  draftKey: keys.draftKey('<id>', '<person>'),
  savedSettingsKey: keys.savedSettingsKey('<account>' as never, '<header>'),
  resolutionKey: keys.resolutionKey('<id>', 1),
  uploadItemKey: keys.uploadItemKey('<id>'),
  idempotencyKey: keys.idempotencyKey('<id>'),
  notificationKey: keys.notificationKey('<import>'),
  leaseKey: keys.leaseKey('<name>'),
  contentKey: keys.contentKey('<account>' as never, '<hash>'),
  orderNameKey: keys.orderNameKey('<network>' as never, '<name>'),
  rateLimitKey: keys.rateLimitKey('<account>' as never),
};

/** Partition and sort keys by row; a row may have several sort keys. */
const [, items = ''] = /^## Items$(.*?)^Two sparse/ms.exec(data) ?? [];
const stated = [...items.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|/gm)].map(([, item = '', pk = '', sk = '']) => ({
  item,
  pk: pk.replaceAll('`', '').replace('as the claim', 'number#<e164>'),
  sorts: [...sk.matchAll(/`([^`]+)`/g)].map(([, sort = '']) => sort),
}));

test('every key of the table has an example here', () => {
  const names = Object.keys(keys).filter((name) => name.endsWith('Key'));
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
  const sharded = [keys.requestQueue, keys.plannedQueue, keys.portQueue].map((queue) => {
    const shards = keys.shardsOf(queue);
    return `${shards[0]}-${shards.length - 1}`;
  });
  const { comparisonQueue, heldQueue, resolutionQueue, notificationQueue } = keys;
  expect(partitionsOf(keys.dueIndex)).toEqual([
    ...sharded,
    comparisonQueue,
    heldQueue,
    resolutionQueue,
    notificationQueue,
  ]);
  const account = '<account>' as never;
  expect(partitionsOf(keys.listedIndex)).toEqual([
    keys.importsListed(account),
    keys.actionsListed(account),
    keys.requestsListed,
    keys.mismatchesListed(account),
  ]);
});

test.each(requestStates)('pipeline.md explains the state %s of a request', (state) => {
  const [, submit = ''] = /^## Submit$(.*?)^## /ms.exec(pageOf('contributing/pipeline.md')) ?? [];
  expect(submit).toMatch(new RegExp(`(^|[\\s\`])${state}([\\s\`]|$)`, 'm'));
});
