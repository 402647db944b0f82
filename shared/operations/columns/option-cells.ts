// Reads the cells of a column that is one service or bolt-on (Y and N, on and off, a tick, or another option of a
// service), and of a further column of such entries.
import { normalizeName, wordsOf } from '#shared/files/header-words.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { CombinationFinding } from '#shared/operations/operation.ts';
import { editDistance, nameKey } from '#shared/row/did-you-mean.ts';
import { error } from '#shared/row/issue.ts';
import { noWords, type RepairedCell, repairCell, yesWords } from './cell-reader.ts';
import { boltOnsColumn, servicesColumn, writableValues } from './tariff-and-services.ts';

/** What yes does with a bar, or with a service in a column such as `Roaming bar`. */
export type BarSense = 'block' | 'allow';

export interface OptionColumn {
  readonly index: number;
  /** As in the file. */
  readonly header: string;
  /** The column that its cells add to. */
  readonly column: CatalogueOption['column'];
  /** undefined: each cell is a list of entries. */
  readonly option?: CatalogueOption | undefined;
  /** What a cell without a value sets; undefined: it is not clear. */
  readonly yes: 'on' | BarSense | undefined;
}

type StoredOption = NonNullable<ImportItem['optionColumns']>[number];

export const storeOption = ({ option, yes, ...column }: OptionColumn): StoredOption => ({
  ...column,
  ...(yes && { yes }),
  ...(option && {
    option: { what: option.what, name: option.name, numbers: [...option.numbers], values: [...option.values] },
  }),
});

export const openOption = ({ option, yes, ...column }: StoredOption): OptionColumn => ({
  ...column,
  yes,
  option: option && {
    ...option,
    column: column.column,
    isReadOnly: false,
    numbers: new Set(option.numbers),
    values: new Set(option.values),
  },
});

/** One that is a service or a bolt-on. */
type SingleOption = OptionColumn & Required<Pick<OptionColumn, 'option'>>;

const words: Readonly<Record<string, readonly string[]>> = {
  yes: [...yesWords, 'tick', 'ticked', 'on', 'enabled'],
  no: [...noWords, 'off', 'disabled'],
  allow: ['allow', 'allowed'],
  block: ['block', 'blocked', 'barred'],
};
const meanings = new Map(Object.entries(words).flatMap(([meaning, each]) => each.map((word) => [word, meaning])));

/** `yes`, `no`, `allow` or `block`; undefined for another text. */
export const meaningOf = (text: string): string | undefined => meanings.get(text.toLowerCase());

/** As people draw them. */
export const isTick = (text: string): boolean => text === '\u2713' || text === '\u2714' || text === '\u2611';

/** Beside ticks it may mean no. */
export const isCross = (text: string): boolean => text === 'x' || text === 'X';

const isYes = (cell: string): boolean => meaningOf(cell) === 'yes' || meaningOf(cell) === 'allow';

/** How an entry of `services` states the cell; the column rejects what is none of its values. */
function settingOf(text: string, { option, yes }: SingleOption): string {
  const meaning = meaningOf(text);
  const isUnclear = yes === undefined && (meaning === 'yes' || meaning === 'no');
  if (meaning === undefined || isUnclear || (/^\d$/.test(text) && option.values.has(text))) return text;
  const allows = meaning === 'allow' || meaning === (yes === 'block' ? 'no' : 'yes');
  if (option.what === 'bar') return allows ? 'allow' : 'block';
  return allows ? 'on' : 'off';
}

const listOf = { services: servicesColumn, boltOns: boltOnsColumn } as const;

/** The text of a `services` or `boltOns` cell with the entries of these columns, and what is wrong with them. */
export function withOptions(text: string, columns: readonly OptionColumn[], cellOf: (column: OptionColumn) => string) {
  const findings: CombinationFinding[] = [];
  const entries = text === '' ? [] : [text];
  const excluded: SingleOption[] = [];
  for (const column of columns) {
    const { text: cell, finding } = repaired(cellOf(column), column);
    if (finding !== undefined) findings.push({ column: column.column, ...finding });
    if (cell === '') continue;
    const { option } = column;
    if (option === undefined) entries.push(...listedIn(cell, column));
    else if (column.column === 'services') entries.push(`${option.name}=${settingOf(cell, { ...column, option })}`);
    else if (isYes(cell)) entries.push(option.name);
    else if (meaningOf(cell) !== undefined) excluded.push({ ...column, option });
    else findings.push({ column: 'boltOns', ...error('BOLT_ON_UNKNOWN', notYesOrNo(column.header, cell)) });
  }
  const listed = entries.flatMap((entry) => entry.split(';')).map((entry) => entry.trim());
  return { text: entries.join(';'), findings: [...findings, ...contradictions(excluded, listed)] };
}

const repaired = (text: string, { header: name, column }: OptionColumn): RepairedCell =>
  repairCell(text, { ...listOf[column], name }, {}) ?? { text };

/** The entries of a list; names of bars alone get what the person answered for all of them. */
const listedIn = (cell: string, { yes }: OptionColumn): string[] => {
  const entries = cell.split(';').map((entry) => entry.trim());
  return entries.map((entry) => (yes === undefined || entry === '' || entry.includes('=') ? entry : `${entry}=${yes}`));
};

const notYesOrNo = (header: string, cell: string): string =>
  `"${header}" is "${cell}", which is neither yes nor no. Write Y or N`;

/** Bolt-ons that one column excludes, and another one has. */
const contradictions = (excluded: readonly SingleOption[], listed: readonly string[]): CombinationFinding[] =>
  excluded.flatMap(({ header, option }) => {
    const isIt = (entry: string) =>
      nameKey(entry) === nameKey(option.name) || option.numbers.has(/^\d+$/.test(entry) ? Number(entry) : -1);
    const entry = listed.find(isIt);
    if (entry === undefined) return [];
    const message = `The column "${header}" excludes a bolt-on that the row also has: "${entry}". Keep one`;
    return [{ column: 'boltOns', ...error('BOLT_ON_CONTRADICTION', message) }];
  });

// The services, bars and bolt-ons of an account by their names, whatever the network or the tariff.

export interface CatalogueOption {
  /** The column that sets it. */
  readonly column: 'services' | 'boltOns';
  readonly what: 'service' | 'bar' | 'bolt-on';
  /** As an entry of the column names it: by its name, or a bolt-on by the number in the header. */
  readonly name: string;
  /** The numbers of the bolt-ons with this name. Each tariff may have one. */
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
