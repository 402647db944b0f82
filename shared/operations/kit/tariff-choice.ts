// Tariff and bolt-ons of a row (spec gaps 4 and 23).

import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { CellReader } from '#shared/operations/columns/cell-reader.ts';
import { warning } from '#shared/row/issue.ts';
import type { BoltOn, Tariff } from '#shared/service/contract.ts';
import { candidatesOf } from './candidates.ts';
import { chooseOption, findOption, listOptions, semicolonHint } from './choice.ts';
import { repeatingColumn } from './column.ts';
import type { LookupNetwork } from './lookup-network.ts';

export const boltOnsColumn = repeatingColumn('boltOns', {
  aliases: ['bolt on', 'bolt on ids', 'bolt on numbers', 'add-ons'],
  asksForSimilar: true,
  mayBeNamed: [
    'extra',
    'option',
    'data bundle',
    'data pack',
    'data allowance',
    'bundle',
    'pack',
    'vas',
    'value added service',
    'roaming bundle',
    'roaming pack',
    'travel pack',
    'addition',
    'product option',
  ],
  looksLike: /^[^=]+$/,
  help: 'Bolt-ons by number or exact name, separated by semicolons. Type-A networks only.',
  example: '101;102',
});

/**
 * Reads the column of the tariff; a legacy tariff is a warning. Returns the tariff, or what the cell may mean where it
 * names none, which was reported.
 */
export async function chooseTariffs(
  column: 'tariff' | 'tariffNumber',
  network: LookupNetwork,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<readonly Tariff[]> {
  const text = cells.required(column);
  const options = await catalogue.tariffs(network.networkNumber);
  if (text === undefined) return candidatesOf('', options);
  const kind = { column, code: 'TARIFF_UNKNOWN', what: 'tariff', among: `on ${network.name}` } as const;
  const tariff = chooseOption(text, options, kind, cells);
  if (tariff?.isLegacy === true) {
    cells.report(column, warning('TARIFF_LEGACY', `${tariff.name} is a legacy tariff and may be discontinued`));
  }
  return tariff === undefined ? candidatesOf(text, options) : [tariff];
}

/** Reads the column `boltOns` for the tariff. Returns the numbers, sorted and each once (spec gap 16). */
export async function chooseBoltOns(
  tariff: Tariff,
  network: LookupNetwork,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<number[]> {
  const texts = cells.list('boltOns');
  if (texts.length === 0 && tariff.requiresDataBoltOn !== true) return [];
  const { boltOns, family } = await catalogue.capabilities(network.networkNumber);
  if (texts.length > 0 && !boltOns) {
    const message = `${network.name} has no bolt-ons (Type-${family} network). Leave the cell empty`;
    cells.error('boltOns', 'BOLT_ON_NOT_AVAILABLE', message);
    return [];
  }
  const options = await catalogue.boltOns(tariff.number);
  const chosen = texts
    .map((text) => chooseBoltOn(text, tariff, options, cells))
    .filter((boltOn) => boltOn !== undefined);
  if (tariff.requiresDataBoltOn === true && chosen.length === texts.length && !chosen.some(isData)) {
    const dataBoltOns = options.filter(isData);
    const way = dataBoltOns.length === 0 ? ', but it has none' : `. Use ${listOptions(dataBoltOns)}`;
    cells.error('boltOns', 'TARIFF_NEEDS_DATA_BOLT_ON', `${tariff.name} needs a data bolt-on${way}`);
  }
  return [...new Set(chosen.map((boltOn) => boltOn.number))].sort((one, other) => one - other);
}

function chooseBoltOn(text: string, tariff: Tariff, options: readonly BoltOn[], cells: CellReader) {
  const kind = { column: 'boltOns', code: 'BOLT_ON_UNKNOWN', what: 'bolt-on', among: `for ${tariff.name}` } as const;
  const hint = semicolonHint(text, 'bolt-ons');
  const boltOn =
    hint === '' || findOption(text, options) !== undefined
      ? chooseOption(text, options, kind, cells)
      : cells.error('boltOns', 'BOLT_ON_UNKNOWN', `There is no bolt-on "${text}" ${kind.among}${hint}`);
  if (boltOn?.isLegacy === true) {
    cells.report('boltOns', warning('BOLT_ON_LEGACY', `${boltOn.name} is a legacy bolt-on and may be discontinued`));
  }
  return boltOn;
}

const isData = (boltOn: BoltOn): boolean => boltOn.isDataBoltOn === true;
