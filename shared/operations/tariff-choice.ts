// Tariff and bolt-ons of a row (decisions 4 and 23).
import { error, warning } from '#shared/domain/issue.ts';
import type { BoltOn, Tariff } from '#shared/porting/contract.ts';
import type { Catalogue } from './catalogue.ts';
import { choose, missed } from './choice.ts';
import type { Cells } from './operation.ts';
import { listCell, requiredCell, type ShapeReport } from './shape-report.ts';

/** A network as the lookups know it; its name is for messages. */
export interface LookupNetwork {
  readonly name: string;
  readonly networkNumber: number;
}

/** Judges the column of the tariff; a tariff that is being withdrawn is a warning. */
export async function chooseTariff(
  cells: Cells,
  network: LookupNetwork,
  catalogue: Catalogue,
  report: ShapeReport,
  column: 'tariff' | 'tariffNumber' = 'tariff',
): Promise<Tariff | undefined> {
  const text = requiredCell(cells, column, report);
  if (text === undefined) return undefined;
  const options = await catalogue.tariffs(network.networkNumber);
  const tariff = choose(text, options);
  if (tariff === undefined) {
    report.add(column, error('TARIFF_UNKNOWN', missed('tariff', text, `on ${network.name}`, options)));
  } else if (tariff.isLegacy === true) {
    report.add(column, warning('TARIFF_LEGACY', `${tariff.name} is a legacy tariff: it may be withdrawn`));
  }
  return tariff;
}

/** Judges the column `boltOns` for the tariff. Answers the numbers, sorted and each once (decision 16). */
export async function chooseBoltOns(
  cells: Cells,
  tariff: Tariff,
  network: LookupNetwork,
  catalogue: Catalogue,
  report: ShapeReport,
): Promise<number[]> {
  const texts = listCell(cells('boltOns'));
  if (texts.length > 0 && (await catalogue.isTypeB(network.networkNumber))) {
    const message = `${network.name} is a Type-B network, which has no bolt-ons: leave the cell empty`;
    report.add('boltOns', error('BOLT_ON_NOT_AVAILABLE', message));
    return [];
  }
  if (texts.length === 0 && tariff.requiresDataBoltOn !== true) return [];
  const options = await catalogue.boltOns(tariff.number);
  const chosen = texts
    .map((text) => chooseBoltOn(text, tariff, options, report))
    .filter((boltOn) => boltOn !== undefined);
  if (tariff.requiresDataBoltOn === true && chosen.length === texts.length && !chosen.some(isData)) {
    const message = `${tariff.name} needs a data bolt-on; there are ${dataBoltOns(options)}`;
    report.add('boltOns', error('TARIFF_NEEDS_DATA_BOLT_ON', message));
  }
  return [...new Set(chosen.map((boltOn) => boltOn.number))].sort((one, other) => one - other);
}

function chooseBoltOn(text: string, tariff: Tariff, options: readonly BoltOn[], report: ShapeReport) {
  const boltOn = choose(text, options);
  if (boltOn === undefined) {
    report.add('boltOns', error('BOLT_ON_UNKNOWN', missed('bolt-on', text, `for ${tariff.name}`, options)));
  } else if (boltOn.isLegacy === true) {
    report.add('boltOns', warning('BOLT_ON_LEGACY', `${boltOn.name} is a legacy bolt-on: it may be withdrawn`));
  }
  return boltOn;
}

const isData = (boltOn: BoltOn): boolean => boltOn.isDataBoltOn === true;

const dataBoltOns = (options: readonly BoltOn[]): string =>
  options
    .filter(isData)
    .map((boltOn) => `${boltOn.name} (${boltOn.number})`)
    .join(', ') || 'none for this tariff';
