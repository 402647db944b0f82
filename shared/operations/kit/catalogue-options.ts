// The services, bars and bolt-ons of an account by their names, whatever the network or the tariff.
import { normalizeName, wordsOf } from '#shared/files/header-words.ts';
import type { Catalogue } from '#shared/operations/catalogue.ts';
import { writableValues } from '#shared/operations/columns/tariff-and-services.ts';
import { editDistance } from '#shared/row/did-you-mean.ts';

export interface CatalogueOption {
  /** The column that sets it. */
  readonly column: 'services' | 'boltOns';
  readonly what: 'service' | 'bar' | 'bolt-on';
  /** As an entry of the column names it: by its name, or a bolt-on by the number in the header. */
  readonly name: string;
  /** Of the bolt-ons with this name, of which each tariff may have its own. */
  readonly numbers: ReadonlySet<number>;
  /** The network sets it. */
  readonly isReadOnly: boolean;
  /** What an entry of `services` may set, in lower case. */
  readonly values: ReadonlySet<string>;
}

/** What a list separates its entries with. */
const inOneEntry = (name: string): boolean => !/[;=]/.test(name);

export async function listServices(catalogue: Catalogue): Promise<CatalogueOption[]> {
  const options = new Map<string, CatalogueOption>();
  for (const networkNumber of await networkNumbers(catalogue)) {
    const services = (await catalogue.services(networkNumber)).flatMap((group) => group.services);
    for (const service of services.filter(({ name }) => inOneEntry(name))) {
      const known = options.get(service.name);
      options.set(service.name, {
        column: 'services',
        name: service.name,
        numbers: new Set(),
        what: service.type === 'Bar' || known?.what === 'bar' ? 'bar' : 'service',
        isReadOnly: service.readOnly && known?.isReadOnly !== false,
        values: new Set([...(known?.values ?? []), ...writableValues(service).map((value) => value.toLowerCase())]),
      });
    }
  }
  return [...options.values()];
}

export async function listBoltOns(catalogue: Catalogue): Promise<CatalogueOption[]> {
  const numbers = new Map<string, Set<number>>();
  for (const networkNumber of await networkNumbers(catalogue)) {
    if (!(await catalogue.capabilities(networkNumber)).boltOns) continue;
    for (const tariff of await catalogue.tariffs(networkNumber)) {
      for (const { name, number } of await catalogue.boltOns(tariff.number)) {
        numbers.set(name, (numbers.get(name) ?? new Set()).add(number));
      }
    }
  }
  const common = { column: 'boltOns', what: 'bolt-on', isReadOnly: false, values: new Set<string>() } as const;
  const byNumber = [...new Set([...numbers.values()].flatMap((each) => [...each]))];
  return [
    ...[...numbers].flatMap(([name, each]) => (inOneEntry(name) ? [{ ...common, name, numbers: each }] : [])),
    ...byNumber.map((number) => ({ ...common, name: String(number), numbers: new Set([number]) })),
  ];
}

const networkNumbers = async (catalogue: Catalogue): Promise<Set<number>> => {
  const types = await catalogue.networks();
  return new Set(types.flatMap(({ targetNetworks }) => targetNetworks.map(({ networkNumber }) => networkNumber)));
};

/** Words around the name of an option in a header: `Bolt-on 101`, `Premium Rate Calls bar`. */
const affix =
  /^(?:bolt[ -]?on|add[ -]?on|service|bar)s?\b[ :-]*|\b(?:bolt[ -]?on|add[ -]?on|service|bar|barr(?:ed|ing)|block(?:ed)?|allow(?:ed)?|enabled)s?\)?$/i;

/** Finds options by the words of a header. */
export interface NameOptions {
  readonly all: readonly CatalogueOption[];
  /** Those whose name it is, perhaps with a word such as `bar`. */
  readonly named: (header: string) => readonly CatalogueOption[];
  /** Those whose names it contains, or of which it may be a typo. */
  readonly resembling: (header: string) => readonly CatalogueOption[];
}

export function nameOptions(all: readonly CatalogueOption[]): NameOptions {
  const byName = Map.groupBy(all, ({ name }) => normalizeName(name));
  const words = all.flatMap((option) =>
    /\p{L}{3}/u.test(option.name) ? [{ option, words: ` ${wordsOf(option.name)} ` }] : [],
  );
  const exactly = (text: string): readonly CatalogueOption[] => {
    const alike = byName.get(normalizeName(text)) ?? [];
    const exact = alike.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
    return exact.length > 0 ? exact : alike;
  };
  return {
    all,
    named: (header) => {
      const whole = exactly(header);
      return whole.length > 0 ? whole : exactly(header.replace(affix, '').trim());
    },
    resembling: (header) => {
      const text = ` ${wordsOf(header)} `;
      const contained = words.flatMap((one) => (text.includes(one.words) ? [one.option] : []));
      const longest = Math.max(0, ...contained.map(({ name }) => name.length));
      if (contained.length > 0) return contained.filter(({ name }) => name.length === longest);
      return all.filter(({ name }) => name.length > 5 && editDistance(header, name, 2) <= 2).slice(0, 1);
    },
  };
}
