// Tariff + bolt-ons + services: what the rows of a group have in common (decisions 14 to 16).

import { error } from '../imports/issue.ts';
import { invalid, type Parsed, valid } from '../text/parsed.ts';
import { shortId } from '../text/short-id.ts';
import { oneLine, truncate } from '../text/truncate.ts';

export interface ServiceValue {
  readonly name: string;
  readonly value: string;
}

/** Canonical: combinations with the same meaning are equal field by field. */
export interface Combination {
  readonly tariff: number;
  readonly boltOns: readonly number[];
  readonly services: readonly ServiceValue[];
}

/**
 * Bolt-ons sorted and deduplicated, services sorted by name and deduplicated; absent lists are empty lists.
 * Invalid with `SERVICE_CONTRADICTION` if a service has two values.
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
      const message = `The service "${name}" has the values "${earlier}" and "${value}". Keep one`;
      return invalid(error('SERVICE_CONTRADICTION', message));
    }
    values.set(name, value);
  }
  return valid({
    tariff,
    boltOns: [...new Set(boltOns ?? [])].sort((one, other) => one - other),
    services: [...values]
      .map(([name, value]) => ({ name, value }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  });
}

/** The canonical text of a combination, which is hashed and compared. */
export const combinationText = ({ tariff, boltOns, services }: Combination): string =>
  JSON.stringify({ tariff, boltOns, services: services.map(({ name, value }) => [name, value]) });

export const combinationHash = (combination: Combination): string => shortId([combinationText(combination)], 10);

const longestName = 255;

/** A group name unique to the combination: readable, with a hash; at most 255 characters (spec, Create Port Row). */
export function groupName(combination: Combination, readablePrefix: string): string {
  const hash = combinationHash(combination);
  const prefix = truncate(oneLine(readablePrefix), longestName - hash.length - 1).trimEnd();
  return prefix === '' ? hash : `${prefix} ${hash}`;
}
