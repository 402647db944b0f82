// The budget of the bundles: Lambda loads every byte at each cold start. Measured beside a bundle that only makes the same
// AWS clients (399 KB), as esbuild makes it by itself; docs/performance.md has the parts, and what was tried.
import { describe, expect, test } from 'vitest';
import { type FunctionName, pipelineFunctions } from '#infra/bundle.ts';
import { sizeOfBareClients, sizeOfFunction } from '../../bench/bundle-size.ts';

const bare = await sizeOfBareClients();
const kilobytes = 1000;

/** Own code in KB, and all bytes beside the bare clients: what was reached, and a little more. */
const budgets: Readonly<Record<Exclude<FunctionName, 'porting-service'>, { own: number; ofBare: number }>> = {
  ingest: { own: 160, ofBare: 1.62 },
  submit: { own: 131, ofBare: 1.46 },
  sync: { own: 159, ofBare: 1.52 },
  report: { own: 120, ofBare: 1.43 },
  announce: { own: 19, ofBare: 0.66 },
};

const bundles = await Promise.all(pipelineFunctions.map(async (name) => [name, await sizeOfFunction(name)] as const));

describe.each(bundles)('the bundle of %s', (name, bundle) => {
  test('has less of the AWS SDK than the bare clients have, though it sends commands', () => {
    expect(bundle.parts['AWS SDK']).toBeLessThan(0.93 * (bare.parts['AWS SDK'] ?? 0));
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

  test('is no larger beside the bare clients than it was', () => {
    expect(bundle.bytes / bare.bytes).toBeLessThan(budgets[name].ofBare);
  });

  test('holds zod without its methods, no language of it but English, and no way to credentials that Lambda never takes', () => {
    expect(bundle.inputs.filter((input) => /zod\/v4\/classic\//.test(input))).toEqual([]);
    expect(bundle.inputs.filter((input) => /zod\/v4\/locales\/(?!en\.)/.test(input))).toEqual([]);
    expect(
      bundle.inputs.filter((input) => /credential-provider-(sso|ini|process|http|imds|web-identity)/.test(input)),
    ).toEqual([]);
  });
});
