// Tariff + bolt-ons + services: what the rows of a group have in common (spec gaps 14 to 16).
import { shortId } from '../text/short-id.ts';
import { oneLine, truncate } from '../text/truncate.ts';

/** Canonical: bolt-ons and services are sorted, each once, so combinations with the same meaning are equal. */
export interface Combination {
  readonly tariff: number;
  readonly boltOns: readonly number[];
  readonly services: readonly { readonly name: string; readonly value: string }[];
}

/** The canonical text of a combination, which is hashed and compared. */
const combinationText = ({ tariff, boltOns, services }: Combination): string =>
  JSON.stringify({ tariff, boltOns, services: services.map(({ name, value }) => [name, value]) });

export const combinationHash = (combination: Combination): string => shortId([combinationText(combination)], 10);

const longestName = 255;

/** A group name unique to the combination: readable, with a hash; at most 255 characters (spec, Create Port Row). */
export function groupName(combination: Combination, readablePrefix: string): string {
  const hash = combinationHash(combination);
  const prefix = truncate(oneLine(readablePrefix), longestName - hash.length - 1).trimEnd();
  return prefix === '' ? hash : `${prefix} ${hash}`;
}
