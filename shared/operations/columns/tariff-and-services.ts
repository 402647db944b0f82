// Reads the tariff, bolt-ons with their IP groups, services and order of a row.
import { wordsOf } from '#shared/files/header-words.ts';
import type { Catalogue } from '#shared/operations/catalogue.ts';
import { repeatingColumn } from '#shared/operations/operation.ts';
import { aliasesOf } from '#shared/outcome/service-comparison.ts';
import { didYouMean, nameKey } from '#shared/row/did-you-mean.ts';
import { error, type Finding, warning } from '#shared/row/issue.ts';
import type {
  BoltOn,
  IpGroup,
  ProvisioningOrder,
  Service,
  ServiceGroup,
  ServiceSetting,
  Tariff,
} from '#shared/service/contract.ts';
import { CallDeferred } from '#shared/service/errors.ts';
import type { RequestNumber } from '#shared/text/identity.ts';
import type { CellReader } from './cell-reader.ts';
import {
  candidatesOf,
  chooseOption,
  findNamed,
  findOption,
  listOptions,
  onceFor,
  reportUnknown,
  semicolonHint,
  unknownValue,
} from './named-items.ts';
import type { LookupNetwork } from './sim-row.ts';

// Tariff and bolt-ons of a row (spec gaps 4 and 23).

export const boltOnsColumn = repeatingColumn('boltOns', {
  aliases: ['bolt on', 'bolt on ids', 'bolt on numbers', 'add-ons'],
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
  namesItems: true,
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
  const isOne =
    hint === '' || findOption(text, options) !== undefined || cells.meaningOf('boltOns', text) !== undefined;
  const boltOn = isOne
    ? chooseOption(text, options, kind, cells)
    : cells.error('boltOns', 'BOLT_ON_UNKNOWN', `There is no bolt-on "${text}" ${kind.among}${hint}`);
  if (boltOn?.isLegacy === true) {
    cells.report('boltOns', warning('BOLT_ON_LEGACY', `${boltOn.name} is a legacy bolt-on and may be discontinued`));
  }
  return boltOn;
}

const isData = (boltOn: BoltOn): boolean => boltOn.isDataBoltOn === true;

// Public and static IP groups, which some bolt-ons need (spec, Provision). The service does not mark these bolt-ons,
// so they are recognised by their names.

interface IpGroupKind {
  readonly column: 'publicIpGroupId' | 'staticIpGroupId';
  readonly name: string;
  readonly example: string;
  /** Whether a bolt-on with these words needs a group of this kind. */
  readonly word: RegExp;
  readonly groups: (catalogue: Catalogue, networkNumber: number) => Promise<readonly IpGroup[]>;
}

const kinds: readonly IpGroupKind[] = [
  {
    column: 'publicIpGroupId',
    name: 'public',
    example: '31',
    word: /^public$/,
    groups: (catalogue, networkNumber) => catalogue.publicIpGroups(networkNumber),
  },
  {
    column: 'staticIpGroupId',
    name: 'static',
    example: '41',
    word: /^(?:static|fixed)$/,
    groups: (catalogue, networkNumber) => catalogue.staticIpGroups(networkNumber),
  },
];

export const ipGroupColumns = kinds.map(({ column: name, name: kind, example }) =>
  repeatingColumn(name, {
    aliases: [`${kind} ip group`],
    mayBeNamed: ['ip group', `${kind} ip`],
    namesItems: true,
    help: `The ${kind} IP group, required with a ${kind} IP bolt-on: its id or its exact name. Type-A networks only.`,
    example,
  }),
);

type IpGroupIds = Partial<Record<IpGroupKind['column'], number | undefined>>;

/** The ids of the groups (spec gap 4); a kind that is neither named nor needed is absent. */
export async function chooseIpGroups(
  boltOns: readonly BoltOn[],
  network: LookupNetwork,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<IpGroupIds> {
  const ids: IpGroupIds = {};
  const isGiven = ({ column: name }: IpGroupKind) => cells.text(name) !== '';
  for (const kind of kinds) {
    const boltOn = boltOns.find(({ name }) => {
      const needed = kindsOf(name);
      // The group of either kind is enough for a "Public static IP".
      return needed.includes(kind) && (needed.length === 1 || !needed.some(isGiven));
    });
    if (!isGiven(kind) && boltOn === undefined) continue;
    const groups = await kind.groups(catalogue, network.networkNumber);
    ids[kind.column] = chooseGroup(kind, boltOn, groups, network, cells);
  }
  return ids;
}

/** `Public IPv4`, `PublicIP` and `IP address (public)` need a public group. */
function kindsOf(boltOn: string): IpGroupKind[] {
  const words = wordsOf(boltOn).split(' ');
  const isOfIp = words.some((word) => /^ip(?:v?[46])?$/.test(word));
  return isOfIp ? kinds.filter((kind) => words.some((word) => kind.word.test(word))) : [];
}

function chooseGroup(
  { column: columnName, name: kind }: IpGroupKind,
  boltOn: BoltOn | undefined,
  groups: readonly IpGroup[],
  network: LookupNetwork,
  cells: CellReader,
): number | undefined {
  const options = groups.map(({ id, name }) => ({ number: id, name }));
  const isNamed = (one: string) => findOption(one, options) !== undefined;
  const text = cells.asNamed(columnName, cells.text(columnName), isNamed);
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

// The column `services`: `Roaming=on;Premium=block`. The values of the service mean opposite things for services and
// bars (`false` blocks a bar), so the file has words, and other options exactly as the service lists them (spec gap
// 24).

export const servicesColumn = repeatingColumn('services', {
  aliases: ['service', 'services and bars', 'service settings', 'bars'],
  mayBeNamed: [
    'barring',
    'call barring',
    'restriction',
    'call restriction',
    'feature',
    'network feature',
    'sim feature',
    'setting',
    'network setting',
    'blocked service',
    'enabled service',
  ],
  // For a column that lists bars by their names.
  alsoMappedTo: ['block', 'allow'],
  looksLike: /=|\b(?:calls?|roaming|voice ?mail|sms|mms|data|premium|international|[45]g)\b/i,
  namesItems: true,
  help: 'Services on or off, bars block or allow, separated by semicolons.',
  example: 'Roaming=on;Premium Rate Calls=block',
});

type Read = { readonly setting: ServiceSetting } | { readonly finding: Finding };

/** Reads the cell with the offered services. Returns settings sorted by name, each once (spec gap 16). */
export function readServiceSettings(groups: readonly ServiceGroup[], cells: CellReader): ServiceSetting[] {
  const offered = groups.flatMap((group) => group.services);
  const settings = new Map<string, ServiceSetting>();
  for (const part of cells.list('services')) {
    const read = readSetting(part, offered, cells);
    const finding = 'finding' in read ? read.finding : contradiction(settings.get(read.setting.name), read.setting);
    if (finding !== undefined) cells.report('services', finding);
    else if ('setting' in read) settings.set(read.setting.name, read.setting);
  }
  return [...settings.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function readSetting(part: string, offered: readonly Service[], cells: CellReader): Read {
  const equals = part.lastIndexOf('=');
  const name = part.slice(0, equals).trim();
  const written = part.slice(equals + 1).trim();
  if (equals < 1 || name === '' || written === '') {
    const message = `"${part}" is not in the format Name=value, for example Roaming=on;Premium=block`;
    return { finding: error('SERVICE_SHAPE', message) };
  }
  const find = (one: string) => findNamed(one, offered, (candidate) => [candidate.name]);
  const service = find(cells.asNamed('services', name, (one) => find(one) !== undefined));
  if (service === undefined) {
    const suggested = cells.mayNeedSuggestion('services', 'SERVICE_UNKNOWN') ? offered : [];
    const { code, message } = unknownService(name, offered, suggested, semicolonHint(part, 'services'));
    return { finding: unknownValue({ column: 'services', code }, name, message, cells) };
  }
  if (service.readOnly) {
    return { finding: error('SERVICE_READ_ONLY', `${service.name} is set by the network. Remove it from the cell`) };
  }
  const value = settingOf(written, service);
  if (value !== undefined) return { setting: { name: service.name, value } };
  const options = writableValues(service);
  const message = `${name} cannot be "${written}". Use one of ${options.join(', ')}${didYouMean(written, options)}`;
  return { finding: error('SERVICE_OPTION_UNKNOWN', message) };
}

/** `true` blocks nothing in a bar, and reads as if it did: a bar takes its words only. */
function settingOf(written: string, service: Service): string | undefined {
  const words = writableValues(service);
  const word = words.find((one) => one === written) ?? words.find((one) => one.toLowerCase() === written.toLowerCase());
  if (word === undefined) return service.type === 'Bar' ? undefined : yesOrNoOf(written, service);
  return aliasesOf(service.type).get(word) ?? word;
}

/** `true`, as the service itself writes that a service is on. */
const yesOrNoOf = (written: string, { availableOptions }: Service): string | undefined =>
  availableOptions.find((option) => option !== null && option === written.toLowerCase()) ?? undefined;

/** What a cell may contain for a service: the words that stand for an option, and options without a word. */
export const writableValues = onceFor(({ availableOptions, type }: Service): readonly string[] => {
  const options = availableOptions.filter((option) => option !== null);
  const aliases = [...aliasesOf(type)].filter(([, value]) => options.includes(value));
  const covered = new Set(aliases.map(([, value]) => value));
  return [...aliases.map(([word]) => word), ...options.filter((option) => !covered.has(option))];
});

/** @param suggested those of which the name may be a typo */
function unknownService(
  name: string,
  offered: readonly Service[],
  suggested: readonly Service[],
  commaHint: string,
): Finding {
  if (commaHint !== '') return error('SERVICE_UNKNOWN', `There is no service "${name}" for this tariff${commaHint}`);
  const names = offered.map((service) => service.name);
  const use = names.length === 0 ? ', which has no services' : `. Use one of ${names.join(', ')}`;
  const suggestion = didYouMean(
    name,
    suggested.map((service) => service.name),
  );
  return error('SERVICE_UNKNOWN', `There is no service "${name}" for this tariff${suggestion || use}`);
}

function contradiction(earlier: ServiceSetting | undefined, setting: ServiceSetting): Finding | undefined {
  if (earlier === undefined || earlier.value === setting.value) return undefined;
  return error('SERVICE_CONTRADICTION', `${setting.name} has two different values. Keep one`);
}

// Provisioning orders that exist already.

/** The number of an order with this name, if there is one: then it must not be created again. */
const orderNumberOf = (name: string, orders: readonly ProvisioningOrder[]): number | undefined =>
  findNamed(name, orders, (order) => [order.name, order.displayName])?.number;

/** When a request looks again whether another one has created its order. */
const waitMs = 5_000;

/**
 * The number of the order with this name, if it exists by now: another request may have created it. The orders are only
 * looked up again if another request has used the name of late.
 * @throws CallDeferred while that request may still create the order
 */
export async function findOrderNumber(
  name: string,
  networkNumber: number,
  request: RequestNumber,
  { provisioningOrders, isFirstUseOf }: Catalogue,
): Promise<number | undefined> {
  const kept = orderNumberOf(name, await provisioningOrders(networkNumber));
  if (kept !== undefined || (await isFirstUseOf(nameKey(name), networkNumber, request))) return kept;
  // Read before the orders: a call that is answered in between shows its order there.
  const isComing = await isFirstUseOf.isComing(nameKey(name), networkNumber);
  const number = orderNumberOf(name, await provisioningOrders(networkNumber, 'fresh'));
  if (number !== undefined || !isComing) return number;
  const why = `another request is creating the provisioning order "${name}"`;
  throw new CallDeferred(why, waitMs, { call: 'provisioning order' });
}

/** The number of the order that the cell of `column` names. */
export async function chooseExistingOrder(
  column: 'provisioningOrder' | 'provisioningOrderNumber',
  network: LookupNetwork,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<number | undefined> {
  const text = cells.text(column);
  const orders = await catalogue.provisioningOrders(network.networkNumber);
  const among = `on ${network.name}`;
  const kind = { column, code: 'PROVISIONING_ORDER_UNKNOWN', what: 'provisioning order', among } as const;
  const options = orders.map(({ number, name, displayName }) => ({ number, name, also: displayName }));
  return chooseOption(text, options, kind, cells)?.number;
}
