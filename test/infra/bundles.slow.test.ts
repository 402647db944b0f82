// The size budgets of the bundles: Lambda loads every byte at each cold start. They are compared with a bundle that
// only creates the same AWS clients (507 KB), and with the same bundle without unused credential providers (399 KB).
// docs/contributing/performance.md lists the parts of the bundles.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { apiFunctions, pipelineFunctions } from '#infra/function-names.ts';
import { sizeOfBareClients, sizeOfFunction, sizeOfTrimmedClients } from '../support/infra/bundle-size.ts';

const bare = await sizeOfBareClients();
const trimmed = await sizeOfTrimmedClients();
const kilobytes = 1000;

/** Total size, relative to the bare clients. Ingest recognises what people put into files; sync follows every step. */
const maximumRatios: Readonly<Record<string, number>> = { ingest: 1.48, sync: 1.37 };
const maximumRatio = (name: string): number => maximumRatios[name] ?? 1.3;
/** Our own code in KB, and the total size relative to the trimmed clients: the measured sizes and a small margin. */
const budgets: Readonly<Record<(typeof pipelineFunctions)[number], { own: number; ofTrimmed: number }>> = {
  ingest: { own: 292, ofTrimmed: 1.88 },
  submit: { own: 205, ofTrimmed: 1.62 },
  sync: { own: 251, ofTrimmed: 1.74 },
  report: { own: 116, ofTrimmed: 1.34 },
  announce: { own: 27, ofTrimmed: 0.61 },
};

const bundles = await Promise.all(pipelineFunctions.map(async (name) => [name, await sizeOfFunction(name)] as const));

describe.each(bundles)('the bundle of %s', (name, bundle) => {
  test('has less code of the AWS SDK than the trimmed clients, although it sends commands', () => {
    expect(bundle.parts['AWS SDK']).toBeLessThan(0.93 * (trimmed.parts['AWS SDK'] ?? 0));
  });

  test('contains only the listed libraries, each within its size', () => {
    const { simporter, 'AWS SDK': sdk, ...libraries } = bundle.parts;
    const maximum: Record<string, number> = {
      zod: 52 * kilobytes,
      '@aws-lambda-powertools': 34 * kilobytes,
      // The SDK's endpoint cache.
      mnemonist: 6 * kilobytes,
      obliterator: 3 * kilobytes,
    };
    for (const [library, bytes] of Object.entries(libraries))
      expect([library, bytes < (maximum[library] ?? 0)]).toEqual([library, true]);
  });

  test('keeps the budget of simporter code', () => {
    expect(bundle.parts.simporter).toBeLessThan(budgets[name].own * kilobytes);
  });

  test('is little larger than the bare clients', () => {
    expect(bundle.bytes / bare.bytes).toBeLessThan(maximumRatio(name));
  });

  test('keeps the budget relative to the trimmed clients', () => {
    expect(bundle.bytes / trimmed.bytes).toBeLessThan(budgets[name].ofTrimmed);
  });

  test('contains zod/mini with English messages only, and no unused credential provider', () => {
    expect(bundle.inputs.filter((input) => /zod\/v4\/classic\//.test(input))).toEqual([]);
    expect(bundle.inputs.filter((input) => /zod\/v4\/locales\/(?!en\.)/.test(input))).toEqual([]);
    expect(
      bundle.inputs.filter((input) => /credential-provider-(sso|ini|process|http|imds|web-identity)/.test(input)),
    ).toEqual([]);
  });
});

test('docs/contributing/performance.md states the totals within 2 %', () => {
  const page = readFileSync(new URL('../../docs/contributing/performance.md', import.meta.url), 'utf8');
  const row = /^\| \*\*total\*\* \|(.*)\|$/m.exec(page)?.[1]?.replaceAll('*', '').split('|') ?? [];
  const sizes = [bare, trimmed, ...bundles.map(([, bundle]) => bundle)];
  expect(row).toHaveLength(sizes.length);
  for (const [index, { bytes }] of sizes.entries()) {
    expect(Math.abs(Number(row[index]) * kilobytes - bytes), `column ${index + 1}`).toBeLessThan(0.02 * bytes);
  }
});

/** The API takes routes and whole schemas with it: its OpenAPI document is made from them. */
const apiBudgets: Readonly<Record<(typeof apiFunctions)[number], { own: number; ofTrimmed: number }>> = {
  'api-read': { own: 284, ofTrimmed: 2 },
  'api-write': { own: 319, ofTrimmed: 2.2 },
};
const apiBundles = await Promise.all(apiFunctions.map(async (name) => [name, await sizeOfFunction(name)] as const));

describe.each(apiBundles)('the bundle of %s', (name, bundle) => {
  test('contains only the listed libraries, each within its size', () => {
    const { simporter, 'AWS SDK': sdk, ...libraries } = bundle.parts;
    const maximum: Record<string, number> = {
      zod: 115 * kilobytes,
      hono: 22 * kilobytes,
      '@aws-lambda-powertools': 34 * kilobytes,
      mnemonist: 6 * kilobytes,
      obliterator: 3 * kilobytes,
    };
    for (const [library, bytes] of Object.entries(libraries))
      expect([library, bytes < (maximum[library] ?? 0)]).toEqual([library, true]);
  });

  test('keeps its budgets', () => {
    expect(bundle.parts.simporter).toBeLessThan(apiBudgets[name].own * kilobytes);
    expect(bundle.bytes / trimmed.bytes).toBeLessThan(apiBudgets[name].ofTrimmed);
  });

  test('contains English messages only, and no unused credential provider', () => {
    expect(bundle.inputs.filter((input) => /zod\/v4\/locales\/(?!en\.)/.test(input))).toEqual([]);
    expect(bundle.inputs.filter((input) => /credential-provider-(?!node|env)/.test(input))).toEqual([]);
  });
});

test('what only reads has no client of the porting service, of Lambda and of queues', () => {
  const read = apiBundles[0]?.[1].inputs ?? [];
  expect(read.filter((input) => /shared\/porting\/client|client-lambda|shared\/store\/queues/.test(input))).toEqual([]);
});
