// Port type, target and source network of a row. The same network may stand under several port types with other days and
// holidays, and sources belong to their target: so each is looked for within the one before (decision 6).
import { error } from '#shared/domain/issue.ts';
import type { PortingNetworkType, SourceNetwork, TargetNetwork } from '#shared/porting/contract.ts';
import type { Catalogue } from './catalogue.ts';
import { choose, missed, type Option } from './choice.ts';
import type { Cells } from './operation.ts';
import { requiredCell, type ShapeReport } from './shape-report.ts';

/** What could be found; a part that is missing has been reported. */
export interface NetworkChoice {
  readonly portType?: PortingNetworkType;
  readonly target?: TargetNetwork;
  readonly source?: SourceNetwork;
}

/** Judges the columns `portType`, `targetNetwork` and `sourceNetwork` (decisions 1 and 6). */
export async function chooseNetworks(cells: Cells, catalogue: Catalogue, report: ShapeReport): Promise<NetworkChoice> {
  const types = await catalogue.networks();
  const portType = choosePortType(requiredCell(cells, 'portType', report), types, report);
  const reachable = portType === undefined ? types : [portType];
  const target = chooseTarget(requiredCell(cells, 'targetNetwork', report), reachable, report);
  const source = chooseSource(requiredCell(cells, 'sourceNetwork', report), target, report);
  return { portType, target, source };
}

function choosePortType(text: string | undefined, types: readonly PortingNetworkType[], report: ShapeReport) {
  if (text === undefined) return undefined;
  const options = types.map((type) => ({ number: type.portType, name: type.portTypeName, type }));
  const chosen = choose(text, options);
  if (chosen === undefined) {
    report.add('portType', error('PORT_TYPE_UNKNOWN', missed('port type', text, 'in this account', options)));
  }
  return chosen?.type;
}

function chooseTarget(text: string | undefined, types: readonly PortingNetworkType[], report: ShapeReport) {
  if (text === undefined) return undefined;
  const options = types.flatMap((type) => type.targetNetworks.map(byId));
  const chosen = choose(text, options);
  if (chosen !== undefined) return chosen.network;
  const only = types.length === 1 ? types[0] : undefined;
  const among = only === undefined ? 'in this account' : `for ${only.portTypeName}`;
  const message = `${missed('target network', text, among, distinct(options))}${numberHint(text, options)}`;
  report.add('targetNetwork', error('TARGET_NETWORK_UNKNOWN', message));
  return undefined;
}

function chooseSource(text: string | undefined, target: TargetNetwork | undefined, report: ShapeReport) {
  if (text === undefined || target === undefined) return undefined;
  const options = target.sourceNetworks.map(byId);
  const chosen = choose(text, options);
  if (chosen === undefined) {
    const message = missed('source network', text, `for ${target.name}`, options);
    report.add('sourceNetwork', error('SOURCE_NETWORK_UNKNOWN', message));
  }
  return chosen?.network;
}

const byId = <Network extends { id: number; name: string }>(network: Network) => ({
  number: network.id,
  name: network.name,
  network,
});

const distinct = <Chosen extends Option>(options: readonly Chosen[]): Chosen[] => [
  ...new Map(options.map((option) => [option.number, option])).values(),
];

/** People mix the two numbers of a network up: the spec has an id for Create Port and a networkNumber for the lookups. */
function numberHint(text: string, options: readonly { network: TargetNetwork }[]): string {
  const meant = options.find(({ network }) => String(network.networkNumber) === text)?.network;
  return meant === undefined ? '' : `; ${text} is the networkNumber of ${meant.name}, whose id is ${meant.id}`;
}
