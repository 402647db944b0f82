// The budget of the bundles: Lambda loads every byte at each cold start. Measured beside a bundle that only makes the same
// AWS clients, as esbuild makes it (507 KB), and without what Lambda never loads of it (399 KB); docs/performance.md has
// the parts, and what was tried.
import { describe, expect, test } from 'vitest';
import { type FunctionName, pipelineFunctions } from '#infra/bundle.ts';
import { sizeOfBareClients, sizeOfFunction, sizeOfTrimmedClients } from '../../bench/bundle-size.ts';

const bare = await sizeOfBareClients();
const trimmed = await sizeOfTrimmedClients();
const kilobytes = 1000;

/** All bytes beside bare clients. */
const aim = 1.3;
/** Own code in KB, and all bytes beside the trimmed clients: what was reached, and a little more. */
const budgets: Readonly<Record<Exclude<FunctionName, 'porting-service'>, { own: number; ofTrimmed: number }>> = {
  ingest: { own: 160, ofTrimmed: 1.62 },
  submit: { own: 131, ofTrimmed: 1.46 },
  sync: { own: 164, ofTrimmed: 1.55 },
  report: { own: 120, ofTrimmed: 1.43 },
  announce: { own: 19, ofTrimmed: 0.66 },
};

const bundles = await Promise.all(pipelineFunctions.map(async (name) => [name, await sizeOfFunction(name)] as const));

describe.each(bundles)('the bundle of %s', (name, bundle) => {
  test('has less of the AWS SDK than trimmed clients have, though it sends commands', () => {
    expect(bundle.parts['AWS SDK']).toBeLessThan(0.93 * (trimmed.parts['AWS SDK'] ?? 0));
  });

  test('has no more libraries than these, and of each what it needs', () => {
    const { simporter, 'AWS SDK': sdk, ...libraries } = bundle.parts;
    const most: Record<string, number> = {
      zod: 52 * kilobytes,
      '@aws-lambda-powertools': 34 * kilobytes,
      'csv-parse': 32 * kilobytes,
      // Of the SDK's endpoint cache.
      mnemonist: 6 * kilobytes,
      obliterator: 3 * kilobytes,
    };
    for (const [library, bytes] of Object.entries(libraries))
      expect([library, bytes < (most[library] ?? 0)]).toEqual([library, true]);
  });

  test('has no more of our own code than it had', () => {
    expect(bundle.parts.simporter).toBeLessThan(budgets[name].own * kilobytes);
  });

  test('is at most 1.3 times bare clients', () => {
    expect(bundle.bytes / bare.bytes).toBeLessThan(aim);
  });

  test('is no larger beside the trimmed clients than it was', () => {
    expect(bundle.bytes / trimmed.bytes).toBeLessThan(budgets[name].ofTrimmed);
  });

  test('holds zod without its methods, no language of it but English, and no way to credentials that Lambda never takes', () => {
    expect(bundle.inputs.filter((input) => /zod\/v4\/classic\//.test(input))).toEqual([]);
    expect(bundle.inputs.filter((input) => /zod\/v4\/locales\/(?!en\.)/.test(input))).toEqual([]);
    expect(
      bundle.inputs.filter((input) => /credential-provider-(sso|ini|process|http|imds|web-identity)/.test(input)),
    ).toEqual([]);
  });
});
