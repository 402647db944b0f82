// The budget of the bundles: Lambda loads every byte at each cold start. Measured beside a bundle that only makes the same
// AWS clients (399 KB): a function is 1.55 to 1.75 times that, 0.26 of which is zod and 0.3 to 0.4 our own code.
import { describe, expect, test } from 'vitest';
import { pipelineFunctions } from '#infra/bundle.ts';
import { sizeOfBareClients, sizeOfFunction } from '../../bench/bundle-size.ts';

const bare = await sizeOfBareClients();
const kilobytes = 1000;

const bundles = await Promise.all(pipelineFunctions.map(async (name) => [name, await sizeOfFunction(name)] as const));

describe.each(bundles)('the bundle of %s', (_, bundle) => {
  test('has less of the AWS SDK than the bare clients have, though it sends commands', () => {
    expect(bundle.parts['AWS SDK']).toBeLessThan(0.93 * (bare.parts['AWS SDK'] ?? 0));
  });

  test('has no more libraries than these, and of each what it needs', () => {
    const { simporter, 'AWS SDK': sdk, ...libraries } = bundle.parts;
    const most: Record<string, number> = {
      zod: 115 * kilobytes,
      'csv-parse': 35 * kilobytes,
      // Of the SDK's endpoint cache.
      mnemonist: 6 * kilobytes,
      obliterator: 3 * kilobytes,
    };
    for (const [name, bytes] of Object.entries(libraries))
      expect([name, bytes < (most[name] ?? 0)]).toEqual([name, true]);
  });

  test('has no more of our own code than can be read in an afternoon', () => {
    expect(bundle.parts.simporter).toBeLessThan(165 * kilobytes);
  });

  test('is at most 1.75 times the bare clients in all', () => {
    expect(bundle.bytes).toBeLessThan(1.75 * bare.bytes);
  });

  test('holds no language of zod but English, and no way to credentials that Lambda never takes', () => {
    expect(bundle.inputs.filter((input) => /zod\/v4\/locales\/(?!en\.)/.test(input))).toEqual([]);
    expect(
      bundle.inputs.filter((input) => /credential-provider-(sso|ini|process|http|imds|web-identity)/.test(input)),
    ).toEqual([]);
  });
});
