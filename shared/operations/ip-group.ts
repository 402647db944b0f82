// Public and static IP groups: some bolt-ons need one (spec, Provision). The service does not mark such bolt-ons, so they
// are known by their names.
import { error } from '#shared/domain/issue.ts';
import type { BoltOn, IpGroup } from '#shared/porting/contract.ts';
import type { Catalogue } from './catalogue.ts';
import { choose, missed } from './choice.ts';
import { column } from './column.ts';
import type { Cells } from './operation.ts';
import type { ShapeReport } from './shape-report.ts';
import type { LookupNetwork } from './tariff-choice.ts';

interface IpGroupKind {
  readonly column: 'publicIpGroupId' | 'staticIpGroupId';
  readonly name: string;
  readonly example: string;
  /** Bolt-ons that need a group of this kind. */
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
  column(name, {
    aliases: [`${kind} ip group`],
    repeats: true,
    help: `The ${kind} IP group, needed with a ${kind} IP bolt-on: its id or its exact name. Type-A networks only.`,
    example,
  }),
);

export type IpGroupIds = Partial<Record<IpGroupKind['column'], number | undefined>>;

/** The ids of the groups (decision 4); one that is neither given nor needed is absent, and so is one that was reported. */
export async function chooseIpGroups(
  cells: Cells,
  boltOns: readonly BoltOn[],
  network: LookupNetwork,
  catalogue: Catalogue,
  report: ShapeReport,
): Promise<IpGroupIds> {
  const ids: IpGroupIds = {};
  for (const kind of kinds) {
    const cause = boltOns.find(({ name }) => kind.boltOn.test(name));
    if (cells(kind.column) === '' && cause === undefined) continue;
    const groups = await kind.groups(catalogue, network.networkNumber);
    ids[kind.column] = chooseGroup(cells(kind.column), kind, cause, groups, network, report);
  }
  return ids;
}

function chooseGroup(
  text: string,
  kind: IpGroupKind,
  cause: BoltOn | undefined,
  groups: readonly IpGroup[],
  network: LookupNetwork,
  report: ShapeReport,
): number | undefined {
  const options = groups.map(({ id, name }) => ({ number: id, name }));
  if (text === '') {
    const known = options.map(({ number, name }) => `${name} (${number})`).join(', ') || `none on ${network.name}`;
    const message = `${cause?.name} needs a ${kind.name} IP group; there are ${known}`;
    report.add(kind.column, error('IP_GROUP_REQUIRED', message));
    return undefined;
  }
  const chosen = choose(text, options);
  if (chosen !== undefined) return chosen.number;
  const meant = groups.find(({ number }) => String(number) === text);
  const hint = meant === undefined ? '' : `; ${text} is the number of ${meant.name}, whose id is ${meant.id}`;
  const message = `${missed(`${kind.name} IP group`, text, `on ${network.name}`, options)}${hint}`;
  report.add(kind.column, error('IP_GROUP_UNKNOWN', message));
  return undefined;
}
