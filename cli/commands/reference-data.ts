// simporter reference-data [LIST]: what the account offers, from networks to companies, to copy names from.
import type { ReferenceRecord, ReferenceTableName, ReferenceTables } from '#shared/results/reference-data.ts';
import { closest } from '#shared/row/did-you-mean.ts';
import { count, counted } from '#shared/text/wording.ts';
import type { CliContext } from '../context/cli-context.ts';
import { notFoundError } from '../context/cli-error.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { parseCount } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import { readOrWriteReferenceTables } from '../target/reference-tables.ts';
import type { Session } from '../target/target.ts';
import { withTarget } from '../target/with-target.ts';

interface ListView {
  readonly table: ReferenceTableName;
  readonly columns: readonly TableColumn[];
}

const column = (header: string): TableColumn => ({ header });
const secondary = (header: string): TableColumn => ({ header, secondary: true });

/** The columns for a person; `--json` answers all. */
const lists: Readonly<Record<string, ListView>> = {
  networks: {
    table: 'networks',
    columns: [
      ...['targetNetwork', 'portType', 'networkNumber', 'esim', 'earliestDate'].map(column),
      ...['latestDate', 'family'].map(secondary),
    ],
  },
  'source-networks': {
    table: 'source-networks',
    columns: ['sourceNetwork', 'targetNetwork', 'portType'].map(column),
  },
  holidays: { table: 'holidays', columns: ['date', 'targetNetwork', 'portType'].map(column) },
  tariffs: {
    table: 'tariffs',
    columns: [
      ...['tariff', 'tariffNumber', 'network'].map(column),
      ...['isLegacy', 'requiresDataBoltOn'].map(secondary),
    ],
  },
  'bolt-ons': {
    table: 'bolt-ons',
    columns: [...['boltOn', 'boltOnNumber', 'tariff'].map(column), ...['network', 'isDataBoltOn'].map(secondary)],
  },
  services: {
    table: 'services',
    columns: [...['service', 'type', 'network'].map(column), { header: 'write', wraps: true }],
  },
  orders: {
    table: 'provisioning-orders',
    columns: [
      ...['provisioningOrder', 'provisioningOrderNumber', 'network'].map(column),
      secondary('isNetworkAccountDefault'),
    ],
  },
  'ip-groups': {
    table: 'ip-groups',
    columns: [
      ...['ipGroup', 'ipGroupId', 'kind', 'network', 'availableAddresses'].map(column),
      ...['firstAddress', 'lastAddress'].map(secondary),
    ],
  },
  'bundle-sizes': { table: 'bundle-sizes', columns: ['bundleSize', 'bundleSizeMb', 'network'].map(column) },
  'provisioning-templates': {
    table: 'provisioning-templates',
    columns: [
      ...['provisioningTemplate', 'provisioningTemplateId', 'network'].map(column),
      ...['templateName', 'isVisible', 'isPremium'].map(secondary),
    ],
  },
  companies: { table: 'companies', columns: ['company', 'companyId'].map(column) },
};

interface ReferenceDataOptions {
  readonly network?: string;
  readonly search?: string;
  readonly limit: string;
}

export const configure: ConfigureCommand = (command, { run }) =>
  command
    .argument('[list]', `which list: ${Object.keys(lists).join(', ')}`)
    .option('--network <name>', 'only of this network: its name or its number')
    .option('--search <text>', 'only entries that contain this text')
    .option('--limit <count>', 'how many entries to show', '50')
    .action(run<[string | undefined, ReferenceDataOptions]>(showReferenceData));

function showReferenceData(
  context: CliContext,
  list: string | undefined,
  options: ReferenceDataOptions,
): Promise<ExitCode> {
  const limit = parseCount('--limit', options.limit);
  if (list !== undefined && !Object.hasOwn(lists, list)) throw unknownName('list', list, Object.keys(lists));
  return withTarget(context, async (session) => {
    const tables = await readOrWriteReferenceTables(session.target);
    if (options.network !== undefined) checkNetwork(options.network, tables);
    const found = Object.fromEntries(
      Object.entries(lists).map(([name, { table }]) => [name, tables[table].filter(matches(options))]),
    );
    if (list === undefined) await showLists(session, found);
    else await showList(session, list, found[list] ?? [], limit);
    return exitCodes.done;
  });
}

const namesOf = ({ network, targetNetwork, networkNumber, targetNetworkId }: ReferenceRecord): string[] =>
  [network, targetNetwork, networkNumber, targetNetworkId].filter((name) => name !== undefined);

/** @throws CliError (usage) for a network that no list contains */
function checkNetwork(text: string, { networks, tariffs }: ReferenceTables): void {
  const names = [...networks, ...tariffs].flatMap(namesOf);
  if (names.some((name) => isSame(name, text))) return;
  const known = networks.flatMap(({ targetNetwork }) => targetNetwork ?? []);
  throw unknownName('network', text, known);
}

function unknownName(what: 'list' | 'network', text: string, known: readonly string[]): Error {
  const near = closest(text, known);
  const all = what === 'list' ? nextCommand('referenceData') : nextCommand('referenceData', 'networks');
  return notFoundError(
    `There is no ${what} "${text}".`,
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `To see them: ${all}`,
  );
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.trim().toLowerCase();

const matches =
  ({ network, search = '' }: ReferenceDataOptions) =>
  (record: ReferenceRecord): boolean =>
    (network === undefined || namesOf(record).some((name) => isSame(name, network))) &&
    Object.values(record).some((value) => value.toLowerCase().includes(search.toLowerCase()));

type FoundLists = Readonly<Record<string, readonly ReferenceRecord[]>>;

async function showLists(session: Session, found: FoundLists): Promise<void> {
  const { json, terminal } = session;
  if (json) return printJson(session, { lists: found });
  const cells = Object.entries(found).map(([name, entries]) => [name, count(entries.length)]);
  await terminal.lines(formatTable([column('list'), { header: 'entries', align: 'right' }], cells, terminal));
  terminal.note(`\nTo see a list: ${nextCommand('referenceData', 'tariffs', '--search', 'unlimited')}`);
}

async function showList(
  session: Session,
  list: string,
  entries: readonly ReferenceRecord[],
  limit: number,
): Promise<void> {
  const { json, terminal } = session;
  if (json) return printJson(session, { lists: { [list]: entries } });
  if (entries.length === 0) {
    terminal.note(`No entry of ${list} fits.`);
    return;
  }
  const { columns } = lists[list] as ListView;
  const cells = entries.slice(0, limit).map((entry) => columns.map(({ header }) => entry[header] ?? ''));
  await terminal.lines(formatTable(columns, cells, terminal));
  const more = entries.length - cells.length;
  if (more > 0) terminal.note(`and ${counted(more, 'more entry', 'more entries')}: --search TEXT or --limit COUNT`);
}
