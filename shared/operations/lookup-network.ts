// The network whose lookups judge a row: a SIM's own network cannot be asked for cheaply, so the file says which it is.
import { error } from '#shared/domain/issue.ts';
import { isRefusal } from '#shared/porting/errors.ts';
import type { Catalogue } from './catalogue.ts';
import { choose, missed, type Option } from './choice.ts';
import { column } from './column.ts';
import type { Cells } from './operation.ts';
import { requiredCell, type ShapeReport } from './shape-report.ts';
import type { LookupNetwork } from './tariff-choice.ts';

export const networkColumn = column('network', {
  aliases: ['network number', 'network name'],
  required: true,
  repeats: true,
  help: 'The network of the SIM: its networkNumber or its exact name.',
  example: '101',
});

/**
 * Judges the column `network` (decision 1: lookups take the networkNumber). Names are those of the networks that can be
 * ported to; a number is taken where the service has tariffs for it.
 */
export async function chooseLookupNetwork(
  cells: Cells,
  catalogue: Catalogue,
  report: ShapeReport,
): Promise<LookupNetwork | undefined> {
  const text = requiredCell(cells, 'network', report);
  if (text === undefined) return undefined;
  const named = await namedNetworks(catalogue);
  const known = choose(text, named);
  if (known !== undefined) return { name: known.name, networkNumber: known.number };
  if (/^\d{1,9}$/.test(text) && (await hasTariffs(Number(text), catalogue))) {
    return { name: `network ${text}`, networkNumber: Number(text) };
  }
  report.add('network', error('NETWORK_UNKNOWN', missed('network', text, 'in this account', named)));
  return undefined;
}

async function namedNetworks(catalogue: Catalogue): Promise<Option[]> {
  const types = await catalogue.networks();
  const networks = types.flatMap((type) => type.targetNetworks);
  return [...new Map(networks.map(({ networkNumber: number, name }) => [number, { number, name }])).values()];
}

async function hasTariffs(networkNumber: number, catalogue: Catalogue): Promise<boolean> {
  try {
    return (await catalogue.tariffs(networkNumber)).length > 0;
  } catch (thrown) {
    if (isRefusal(thrown)) return false;
    throw thrown;
  }
}
