// The cells of a column that is one service or bolt-on: Y and N, on and off, a tick, or another option of a service.
import { error } from '#shared/domain/imports/issue.ts';
import type { CatalogueOption } from './catalogue-options.ts';
import type { CombinationFinding } from './operation.ts';
import { repairCell } from './repair-cell.ts';
import { servicesColumn } from './service-settings.ts';
import { boltOnsColumn } from './tariff-choice.ts';

/** What yes does with a bar, or with a service in a column such as `Roaming bar`. */
export type BarSense = 'block' | 'allow';

export interface OptionColumn {
  readonly index: number;
  /** As in the file. */
  readonly header: string;
  readonly option: CatalogueOption;
  /** undefined: it is not clear. */
  readonly yes: 'on' | BarSense | undefined;
}

const words: Readonly<Record<string, readonly string[]>> = {
  yes: ['y', 'yes', 'true', '1', 'x', '\u2713', '\u2714', '\u2611', 'tick', 'ticked', 'on', 'enabled'],
  no: ['n', 'no', 'false', '0', '\u2717', '\u2718', '\u2610', 'off', 'disabled'],
  allow: ['allow', 'allowed'],
  block: ['block', 'blocked', 'barred'],
};
const meanings = new Map(Object.entries(words).flatMap(([meaning, each]) => each.map((word) => [word, meaning])));

/** `yes`, `no`, `allow` or `block`; undefined for another text. */
export const meaningOf = (text: string): string | undefined => meanings.get(text.toLowerCase());

/** How an entry of `services` states the cell; the column rejects what is none of its values. */
function settingOf(text: string, { option, yes }: OptionColumn): string {
  const meaning = meaningOf(text);
  const isUnclear = yes === undefined && (meaning === 'yes' || meaning === 'no');
  if (meaning === undefined || isUnclear || (/^\d$/.test(text) && option.values.has(text))) return text;
  const allows = meaning === 'allow' || meaning === (yes === 'block' ? 'no' : 'yes');
  if (option.what === 'bar') return allows ? 'allow' : 'block';
  return allows ? 'on' : 'off';
}

const listOf = { services: servicesColumn, boltOns: boltOnsColumn } as const;

/** The text of a `services` or `boltOns` cell with the entries of these columns, and what is wrong with them. */
export function withOptions(text: string, columns: readonly OptionColumn[], cellOf: (index: number) => string) {
  const findings: CombinationFinding[] = [];
  const entries = text === '' ? [] : [text];
  const excluded: OptionColumn[] = [];
  for (const column of columns) {
    const { header, option } = column;
    const written = cellOf(column.index);
    const repaired = repairCell(written, { ...listOf[option.column], name: header }, undefined);
    const cell = repaired?.text ?? written;
    if (repaired?.finding !== undefined) findings.push({ column: option.column, ...repaired.finding });
    if (cell === '') continue;
    const meaning = meaningOf(cell);
    if (option.column === 'services') entries.push(`${option.name}=${settingOf(cell, column)}`);
    else if (meaning === 'yes' || meaning === 'allow') entries.push(option.name);
    else if (meaning !== undefined) excluded.push(column);
    else findings.push({ column: 'boltOns', ...error('BOLT_ON_UNKNOWN', notYesOrNo(header, cell)) });
  }
  const listed = entries.flatMap((entry) => entry.split(';')).map((entry) => entry.trim());
  return { text: entries.join(';'), findings: [...findings, ...contradictions(excluded, listed)] };
}

const notYesOrNo = (header: string, cell: string): string =>
  `"${header}" is "${cell}", which is no yes or no. Write Y or N`;

/** Bolt-ons that one column excludes, and another one has. */
const contradictions = (excluded: readonly OptionColumn[], listed: readonly string[]): CombinationFinding[] =>
  excluded.flatMap(({ header, option }) => {
    const isIt = (entry: string) =>
      entry.toLowerCase() === option.name.toLowerCase() || option.numbers.has(/^\d+$/.test(entry) ? Number(entry) : -1);
    const entry = listed.find(isIt);
    if (entry === undefined) return [];
    const message = `The column "${header}" excludes a bolt-on that the row also has: "${entry}". Keep one`;
    return [{ column: 'boltOns', ...error('BOLT_ON_CONTRADICTION', message) }];
  });
