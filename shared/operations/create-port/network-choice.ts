// Port type, target network and source network of a row. A network may be offered for several port types with
// different days and holidays, and source networks belong to their target: so each is looked up within the one before
// (spec gap 6).

import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { CellReader } from '#shared/operations/columns/cell-reader.ts';
import { closest } from '#shared/row/did-you-mean.ts';
import type { PortingNetworkType, SourceNetwork, TargetNetwork } from '#shared/service/contract.ts';
import { candidatesOf } from '../kit/candidates.ts';
import { chooseOption, findOption, nameKey, type Option, reportUnknown } from '../kit/choice.ts';

/** Reads the columns `portType` and `targetNetwork` (spec gaps 1 and 6). */
export async function chooseNetworks(catalogue: Catalogue, cells: CellReader) {
  const types = await catalogue.networks();
  const portType = choosePortType(types, cells);
  if (portType !== undefined) return { portTypes: [portType], targets: chooseTargets([portType], [portType], cells) };
  // There are few port types, so a similar name is meant. Networks have similar names.
  const near = closest(
    cells.text('portType'),
    types.map(({ portTypeName }) => portTypeName),
  );
  const portTypes = near.length === 0 ? types : types.filter(({ portTypeName }) => near.includes(portTypeName));
  return { portTypes, targets: chooseTargets(types, portTypes, cells) };
}

function choosePortType(types: readonly PortingNetworkType[], cells: CellReader) {
  const text = cells.required('portType');
  const options = types.map((type) => ({ number: type.portType, name: type.portTypeName, type }));
  const kind = { column: 'portType', code: 'PORT_TYPE_UNKNOWN', what: 'port type', among: 'in this account' } as const;
  if (text === undefined) return undefined;
  // The names differ in more than their case, so it does not matter.
  const named = options.find(({ name }) => nameKey(name) === nameKey(text));
  return (named ?? chooseOption(text, options, kind, cells))?.type;
}

/** A network may be offered for several port types; where the type is known, it is offered once. */
function chooseTargets(
  types: readonly PortingNetworkType[],
  likelyTypes: readonly PortingNetworkType[],
  cells: CellReader,
): TargetNetwork[] {
  const text = cells.required('targetNetwork') ?? '';
  const options = types.flatMap((type) => type.targetNetworks.map(byId));
  const chosen = findOption(text, options);
  if (chosen === undefined) {
    if (text !== '') reportUnknownTarget(text, types, options, cells);
    return candidatesOf(text, distinct(options)).map(({ network }) => network);
  }
  const likely = likelyTypes
    .flatMap((type) => type.targetNetworks.map(byId))
    .filter(({ number }) => number === chosen.number);
  return (likely.length === 0 ? [chosen] : likely).map(({ network }) => network);
}

type NetworkOption = Option & { readonly network: TargetNetwork };

function reportUnknownTarget(
  text: string,
  types: readonly PortingNetworkType[],
  options: readonly NetworkOption[],
  cells: CellReader,
): void {
  const only = types.length === 1 ? types[0] : undefined;
  const among = only === undefined ? 'in this account' : `for ${only.portTypeName}`;
  const kind = { column: 'targetNetwork', code: 'TARGET_NETWORK_UNKNOWN', what: 'target network', among } as const;
  reportUnknown(text, distinct(options), kind, cells, numberHint(text, options));
}

/** Reads the column `sourceNetwork`. */
export function chooseSource(target: TargetNetwork, cells: CellReader): SourceNetwork | undefined {
  const text = cells.required('sourceNetwork');
  if (text === undefined) return undefined;
  const among = `for ${target.name}`;
  const kind = { column: 'sourceNetwork', code: 'SOURCE_NETWORK_UNKNOWN', what: 'source network', among } as const;
  return chooseOption(text, target.sourceNetworks.map(byId), kind, cells)?.network;
}

const byId = <Network extends { id: number; name: string }>(network: Network) => ({
  number: network.id,
  name: network.name,
  network,
});

const distinct = <Item extends Option>(options: readonly Item[]): Item[] => [
  ...new Map(options.map((option) => [option.number, option])).values(),
];

/** A network has two numbers, which are easily confused: the id for Create Port and the networkNumber for lookups. */
function numberHint(text: string, options: readonly { network: TargetNetwork }[]): string {
  const meant = options.find(({ network }) => String(network.networkNumber) === text)?.network;
  return meant === undefined ? '' : `. ${text} is the networkNumber of ${meant.name}: use its id ${meant.id}`;
}
