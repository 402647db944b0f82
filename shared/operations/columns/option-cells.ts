// The cells of a column that is one service or bolt-on (Y and N, on and off, a tick, or another option of a service),
// and of a further column of such entries.

import type { ImportItem } from '#shared/import/import.ts';
import type { CatalogueOption } from '#shared/operations/kit/catalogue-options.ts';
import { type RepairedCell, repairCell } from '#shared/operations/kit/repair-cell.ts';
import { boltOnsColumn } from '#shared/operations/kit/tariff-choice.ts';
import type { CombinationFinding } from '#shared/operations/operation.ts';
import { error } from '#shared/row/issue.ts';
import { noWords, yesWords } from './cell-reader.ts';
import { servicesColumn } from './tariff-and-services.ts';

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

/** Beside ticks it may mean no. */
export const isCross = (text: string): boolean => text.toLowerCase() === 'x';

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
  `"${header}" is "${cell}", which is no yes or no. Write Y or N`;

/** Bolt-ons that one column excludes, and another one has. */
const contradictions = (excluded: readonly SingleOption[], listed: readonly string[]): CombinationFinding[] =>
  excluded.flatMap(({ header, option }) => {
    const isIt = (entry: string) =>
      entry.toLowerCase() === option.name.toLowerCase() || option.numbers.has(/^\d+$/.test(entry) ? Number(entry) : -1);
    const entry = listed.find(isIt);
    if (entry === undefined) return [];
    const message = `The column "${header}" excludes a bolt-on that the row also has: "${entry}". Keep one`;
    return [{ column: 'boltOns', ...error('BOLT_ON_CONTRADICTION', message) }];
  });
