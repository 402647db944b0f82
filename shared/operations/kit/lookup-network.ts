// The network whose lookups validate a row. The network of a SIM cannot be looked up, so the file names it.

import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { CellReader } from '#shared/operations/columns/cell-reader.ts';
import { isDecline } from '#shared/service/errors.ts';
import { candidatesOf } from './candidates.ts';
import { findOption, type Option, reportUnknown } from './choice.ts';
import { repeatingColumn } from './column.ts';

/** A network as the lookups know it; the name is for messages. */
export interface LookupNetwork {
  readonly name: string;
  readonly networkNumber: number;
}

export const networkColumn = repeatingColumn('network', {
  aliases: ['network number', 'network name'],
  required: true,
  help: 'The network of the SIM: its networkNumber or its exact name.',
  example: '101',
});

/**
 * Reads the column `network` (spec gap 1: lookups take the networkNumber). A name must be that of a network that
 * numbers can be ported to; a number is accepted if the service has tariffs for it. Returns the network, or what the
 * cell may mean where it names none, which was reported.
 */
export async function chooseLookupNetworks(catalogue: Catalogue, cells: CellReader): Promise<readonly LookupNetwork[]> {
  const text = cells.required('network') ?? '';
  const named = await namedNetworks(catalogue);
  const known = findOption(text, named);
  if (known !== undefined) return [lookupNetwork(known)];
  if (/^\d{1,9}$/.test(text) && (await hasTariffs(Number(text), catalogue))) {
    return [{ name: `network ${text}`, networkNumber: Number(text) }];
  }
  if (text !== '') reportUnknownNetwork(text, named, cells);
  return candidatesOf(text, named).map(lookupNetwork);
}

const lookupNetwork = ({ name, number: networkNumber }: Option): LookupNetwork => ({ name, networkNumber });

function reportUnknownNetwork(text: string, named: readonly Option[], cells: CellReader): void {
  const kind = { column: 'network', code: 'NETWORK_UNKNOWN', what: 'network', among: 'in this account' } as const;
  reportUnknown(text, named, kind, cells);
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
    if (isDecline(thrown)) return false;
    throw thrown;
  }
}
