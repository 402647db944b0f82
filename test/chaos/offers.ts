// One bolt-on that the service may withdraw and offer again, while files with it are read, corrected and moved.
import { type Catalogue, readCatalogue } from '#simulator/catalogue/catalogue.ts';

/** Of the tariff of every file. */
export const changingBoltOn = '104';

export interface Offers {
  readonly catalogue: Catalogue;
  /** Withdraws the bolt-on, or offers it again. */
  change(): void;
  /** Whether it was offered, or not, at some moment since that time. */
  was(what: 'offered' | 'withdrawn', since: number): boolean;
}

const standard = readCatalogue();

export function createOffers(now: () => number): Offers {
  /** From when on it was offered, and then not, and so on. */
  const changes = [0];
  const isOffered = () => changes.length % 2 === 1;
  return {
    catalogue: {
      ...standard,
      tariff: (number) => {
        const found = standard.tariff(number);
        if (found === undefined || isOffered()) return found;
        const boltOns = found.tariff.boltOns.filter((boltOn) => boltOn !== Number(changingBoltOn));
        return { ...found, tariff: { ...found.tariff, boltOns } };
      },
    },
    change: () => void changes.push(now()),
    was: (what, since) =>
      changes.some((_, place) => (place % 2 === 0) === (what === 'offered') && (changes[place + 1] ?? now()) >= since),
  };
}
