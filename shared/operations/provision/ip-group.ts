// Public and static IP groups, which some bolt-ons need (spec, Provision). The service does not mark these bolt-ons,
// so they are recognised by their names.

import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { CellReader } from '#shared/operations/columns/cell-reader.ts';
import type { BoltOn, IpGroup } from '#shared/service/contract.ts';
import { findOption, listOptions, reportUnknown } from '../kit/choice.ts';
import { repeatingColumn } from '../kit/column.ts';
import type { LookupNetwork } from '../kit/lookup-network.ts';

interface IpGroupKind {
  readonly column: 'publicIpGroupId' | 'staticIpGroupId';
  readonly name: string;
  readonly example: string;
  /** Matches the bolt-ons that need a group of this kind. */
  readonly boltOn: RegExp;
  readonly groups: (catalogue: Catalogue, networkNumber: number) => Promise<readonly IpGroup[]>;
}

const kinds: readonly IpGroupKind[] = [
  {
    column: 'publicIpGroupId',
    name: 'public',
    example: '31',
    boltOn: /\bpublic\s*ip\b/i,
    groups: (catalogue, networkNumber) => catalogue.publicIpGroups(networkNumber),
  },
  {
    column: 'staticIpGroupId',
    name: 'static',
    example: '41',
    boltOn: /\bstatic\s*ip\b/i,
    groups: (catalogue, networkNumber) => catalogue.staticIpGroups(networkNumber),
  },
];

export const ipGroupColumns = kinds.map(({ column: name, name: kind, example }) =>
  repeatingColumn(name, {
    aliases: [`${kind} ip group`],
    help: `The ${kind} IP group, required with a ${kind} IP bolt-on: its id or its exact name. Type-A networks only.`,
    example,
  }),
);

export type IpGroupIds = Partial<Record<IpGroupKind['column'], number | undefined>>;

/** The ids of the groups (spec gap 4); a kind that is neither named nor needed is absent. */
export async function chooseIpGroups(
  boltOns: readonly BoltOn[],
  network: LookupNetwork,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<IpGroupIds> {
  const ids: IpGroupIds = {};
  for (const kind of kinds) {
    const boltOn = boltOns.find(({ name }) => kind.boltOn.test(name));
    if (cells.text(kind.column) === '' && boltOn === undefined) continue;
    const groups = await kind.groups(catalogue, network.networkNumber);
    ids[kind.column] = chooseGroup(kind, boltOn, groups, network, cells);
  }
  return ids;
}

function chooseGroup(
  { column: columnName, name: kind }: IpGroupKind,
  boltOn: BoltOn | undefined,
  groups: readonly IpGroup[],
  network: LookupNetwork,
  cells: CellReader,
): number | undefined {
  const text = cells.text(columnName);
  const options = groups.map(({ id, name }) => ({ number: id, name }));
  if (text === '') {
    const way = options.length === 0 ? `, but ${network.name} has none` : `. Use ${listOptions(options)}`;
    return cells.error(columnName, 'IP_GROUP_REQUIRED', `${boltOn?.name} needs a ${kind} IP group${way}`);
  }
  const chosen = findOption(text, options);
  if (chosen !== undefined) return chosen.number;
  const meant = groups.find(({ number }) => String(number) === text);
  const hint = meant === undefined ? '' : `. ${text} is the number of ${meant.name}: use its id ${meant.id}`;
  const what = { what: `${kind} IP group`, among: `on ${network.name}` };
  return reportUnknown(text, options, { column: columnName, code: 'IP_GROUP_UNKNOWN', ...what }, cells, hint);
}
