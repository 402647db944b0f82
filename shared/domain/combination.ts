// Tariff + bolt-ons + services: what a group of lines has in common (decisions 14 to 16).
import { clip, oneLine } from './clip.ts';
import { error } from './issue.ts';
import { accepted, type Parsed, refused } from './parsed.ts';
import { shortId } from './short-id.ts';

export interface ServiceValue {
  readonly name: string;
  readonly value: string;
}

/** Canonical: two combinations that mean the same are equal, field by field. */
export interface Combination {
  readonly tariff: number;
  readonly boltOns: readonly number[];
  readonly services: readonly ServiceValue[];
}

/**
 * Bolt-ons sorted and deduplicated, services sorted by name and deduplicated; absent lists are empty lists.
 * `SERVICE_CONTRADICTION` where one service is given two values.
 */
export function canonicalCombination(
  tariff: number,
  boltOns: readonly number[] | null | undefined,
  services: readonly ServiceValue[] | null | undefined,
): Parsed<Combination> {
  const values = new Map<string, string>();
  for (const { name, value } of services ?? []) {
    const earlier = values.get(name);
    if (earlier !== undefined && earlier !== value) {
      const message = `service "${name}" is given both "${earlier}" and "${value}": keep one`;
      return refused(error('SERVICE_CONTRADICTION', message));
    }
    values.set(name, value);
  }
  return accepted({
    tariff,
    boltOns: [...new Set(boltOns ?? [])].sort((one, other) => one - other),
    services: [...values]
      .map(([name, value]) => ({ name, value }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  });
}

/** The one text of a combination: what is hashed and compared. */
export const combinationText = ({ tariff, boltOns, services }: Combination): string =>
  JSON.stringify({ tariff, boltOns, services: services.map(({ name, value }) => [name, value]) });

export const combinationHash = (combination: Combination): string => shortId([combinationText(combination)], 10);

const longestName = 255;

/** A group name unique to the combination: readable, then its hash; at most 255 characters (spec, Create Port Row). */
export function groupName(combination: Combination, readablePrefix: string): string {
  const hash = combinationHash(combination);
  const prefix = clip(oneLine(readablePrefix), longestName - hash.length - 1).trimEnd();
  return prefix === '' ? hash : `${prefix} ${hash}`;
}
