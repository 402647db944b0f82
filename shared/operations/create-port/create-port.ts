// Create Port: ports or migrates numbers in, one request for each combination of networks, date, tariff, bolt-ons,
// services and provisioning order (spec gaps 8 to 26).
import type { Catalogue } from '#shared/operations/catalogue.ts';
import { CellReader } from '#shared/operations/columns/cell-reader.ts';
import { type ConnectionDate, chooseDate, daysOf } from '#shared/operations/columns/connection-date.ts';
import {
  candidatesOf,
  checkCandidates,
  chooseOption,
  findOption,
  type Option,
  onceFor,
  reportUnknown,
} from '#shared/operations/columns/named-items.ts';
import type { LookupNetwork } from '#shared/operations/columns/sim-row.ts';
import {
  chooseBoltOns,
  chooseExistingOrder,
  chooseTariffs,
  readServiceSettings,
} from '#shared/operations/columns/tariff-and-services.ts';
import type { Cells, ImportContext, Operation, Report, Shape, ValidatedShape } from '#shared/operations/operation.ts';
import { type CalendarDate, parseCalendarDate } from '#shared/row/calendar-date.ts';
import { closest, nameKey } from '#shared/row/did-you-mean.ts';
import { error } from '#shared/row/issue.ts';
import type {
  PortingNetworkType,
  ServiceSetting,
  SourceNetwork,
  TargetNetwork,
  Tariff,
} from '#shared/service/contract.ts';
import { shortId } from '#shared/text/identity.ts';
import { oneLine, truncate } from '#shared/text/wording.ts';
import { type CreatePortRowWire, checkCreatePortRow, createPortColumns, expiresSoon, type RowFacts } from './row.ts';
import { type CreatePortHead, createPortSubmission } from './submission.ts';

const maxGroupNameLength = 255;

/** Cells of a column such as `SIM type`. */
const simKinds = {
  esim: true,
  'e-sim': true,
  psim: false,
  sim: false,
  'sim card': false,
  physical: false,
  plastic: false,
};

const byId = <Network extends { id: number; name: string }>(network: Network) => ({
  number: network.id,
  name: network.name,
  network,
});
const targetOptions = onceFor((networks: readonly TargetNetwork[]) => networks.map(byId));
const sourceOptions = onceFor((networks: readonly SourceNetwork[]) => networks.map(byId));

const distinct = <Item extends Option>(options: readonly Item[]): Item[] => [
  ...new Map(options.map((option) => [option.number, option])).values(),
];

/** The canonical text of a combination, which is hashed and compared. */
const combinationText = ({ tariff, boltOns, services }: Combination): string =>
  JSON.stringify({ tariff, boltOns, services: services.map(({ name, value }) => [name, value]) });

export const combinationHash = (combination: Combination): string => shortId([combinationText(combination)], 10);

// Characters (spec, Limits).
const longestOrderName = 255;
const longestGroupName = 255;

export const createPort: Operation = {
  name: 'create-port',
  purpose: 'port numbers from other networks to yours, or migrate them',
  columns: createPortColumns,
  checkShape,
  submission: createPortSubmission,
};

/** Canonical: bolt-ons and services are sorted, each once. */
interface TariffChoice {
  readonly tariff: Tariff;
  readonly boltOns: readonly number[];
  readonly services: readonly ServiceSetting[];
}

async function checkShape(cells: Cells, context: ImportContext): Promise<ValidatedShape> {
  const reader = new CellReader(cells, context.meanings);
  const { portTypes, targets } = await chooseNetworks(context.catalogue, reader);
  const choice = await checkCandidates(targets, reader, (target, on) => chooseOnTarget(target, context, on));
  const group = chooseGroupName(choice?.combination, reader);
  const facts: RowFacts = {
    portTypes: portTypes.map(({ portTypeName }) => portTypeName),
    connectionDate: choice?.date?.date ?? givenDate(reader),
    sendOn: choice?.date?.sendOn,
    esim: choice?.esim === true,
  };
  const isLimited = context.dailyCapacity !== undefined;
  const shapeOn = (date: ConnectionDate | undefined) =>
    shapeOf(portTypes[0], choice && { ...choice, date }, group.name, isLimited);
  const shape = reader.hasErrors ? undefined : shapeOn(choice?.date);
  return {
    shape,
    findings: reader.findings,
    checkRow: (rowCells, rowReport) => {
      const row = checkCreatePortRow(rowCells, facts, rowReport, context);
      if (row === undefined || shape === undefined || choice?.date === undefined) return row;
      if (!checkGroup(group, rowReport, context)) return undefined;
      const { target, date } = choice;
      const booked = bookDay(row.wire, { target, date, report: rowReport }, context);
      if (booked === undefined || booked.date === date.date) return booked && row;
      return { ...row, isAtRisk: expiresSoon(row.wire, booked.date), shape: shapeOn(booked) ?? shape };
    },
  };
}

interface Booking {
  readonly target: TargetNetwork;
  readonly date: ConnectionDate;
  readonly report: Report;
}

/** The day of a valid row: another one than that of its combination where that has no room. */
function bookDay(
  { pacExpiry }: CreatePortRowWire,
  { target, date, report }: Booking,
  { dailyCapacity, today }: ImportContext,
): ConnectionDate | undefined {
  if (dailyCapacity === undefined) return date;
  if (!date.auto) {
    dailyCapacity.add(date.date);
    return date;
  }
  const days = daysOf(target, today);
  const booked = dailyCapacity.book(days, pacExpiry);
  if (booked !== undefined) return { date: booked.day, auto: true, why: booked.why ?? date.why };
  const last = days.at(-1);
  const advice = 'Allow more numbers a day, or move the row up in the file';
  if (pacExpiry !== undefined && last !== undefined && pacExpiry < last) {
    const message = `No day until ${pacExpiry}, when the PAC expires, has room. ${advice}`;
    report('pacExpiry', error('PAC_EXPIRES_BEFORE_DATE', message));
  } else {
    const message = `No day until ${last}, the last that can be booked, has room. ${advice}`;
    report('connectionDate', error('DATE_NONE_AVAILABLE', message));
  }
  return undefined;
}

/** The date of the cell, also where it cannot be booked. */
function givenDate(cells: CellReader): CalendarDate | undefined {
  const parsed = parseCalendarDate(cells.text('connectionDate'));
  return parsed.ok ? parsed.value : undefined;
}

/** What depends on the target network; a part that is missing was reported. */
interface TargetChoice {
  readonly target: TargetNetwork;
  readonly source: SourceNetwork | undefined;
  readonly date: ConnectionDate | undefined;
  readonly combination: TariffChoice | undefined;
  readonly order: OrderChoice | undefined;
  readonly esim: boolean | undefined;
}

async function chooseOnTarget(target: TargetNetwork, context: ImportContext, cells: CellReader): Promise<TargetChoice> {
  return {
    target,
    source: chooseSource(target, cells),
    date: chooseDate(target, context.today, cells),
    combination: await chooseCombination(target, context, cells),
    order: await chooseOrder(target, context.catalogue, cells),
    esim: chooseEsim(target, cells),
  };
}

async function chooseCombination(
  target: TargetNetwork,
  { catalogue }: ImportContext,
  cells: CellReader,
): Promise<TariffChoice | undefined> {
  const tariffs = await chooseTariffs('tariff', target, catalogue, cells);
  return checkCandidates(tariffs, cells, async (tariff, on) => {
    const boltOns = await chooseBoltOns(tariff, target, catalogue, on);
    const hasServices = on.text('services') !== '';
    const offered = hasServices ? await catalogue.services(target.networkNumber, tariff.number) : [];
    return { tariff, boltOns, services: readServiceSettings(offered, on) };
  });
}

function chooseEsim(target: TargetNetwork, cells: CellReader): boolean | undefined {
  const esim = cells.boolean('esim', simKinds);
  if (esim === true && !target.allowEsim) {
    cells.error('esim', 'ESIM_NOT_ALLOWED', `${target.name} does not support eSIMs. Use a SIM card or another network`);
  }
  return esim;
}

interface GroupName {
  readonly name: string;
  /** What the name in the row means: the combination, as a hash. */
  readonly meaning?: string;
}

/** The group name of the row, which may name one combination only in a file, or else a readable one (spec gap 15). */
function chooseGroupName(choice: TariffChoice | undefined, cells: CellReader): GroupName {
  const name = cells.freeText('groupName', maxGroupNameLength) ?? '';
  if (choice === undefined) return { name };
  const combination: Combination = { ...choice, tariff: choice.tariff.number };
  return name === ''
    ? { name: groupName(combination, choice.tariff.name) }
    : { name, meaning: combinationHash(combination) };
}

/** Only of a valid row: an invalid one gives a name no meaning. */
function checkGroup({ name, meaning }: GroupName, report: Report, { uniqueness }: ImportContext): boolean {
  if (meaning === undefined || uniqueness.hasOneMeaning(name, meaning)) return true;
  const message = `The group "${name}" has another tariff, bolt-ons or services on an earlier line. Use another name`;
  report('groupName', error('GROUP_NAME_CONFLICT', message));
  return false;
}

function shapeOf(
  portType: PortingNetworkType | undefined,
  onTarget: TargetChoice | undefined,
  group: string,
  isLimited: boolean,
): Shape | undefined {
  if (portType === undefined || onTarget === undefined) return undefined;
  const { target, source, date, combination: choice, order } = onTarget;
  if (!source || !date || !choice || !order) return undefined;
  const head: CreatePortHead = {
    portType: portType.portTypeName,
    targetNetworkId: target.id,
    networkNumber: target.networkNumber,
    sourceNetworkId: source.id,
    connectionDate: date.date,
    auto: date.auto,
    ...(isLimited && { place: date.date }),
    ...(date.why === undefined ? {} : { why: date.why }),
    groupName: group,
    tariffId: choice.tariff.number,
    boltOns: [...choice.boltOns],
    services: choice.services.length === 0 ? null : [...choice.services],
    ...order,
  };
  const label = [`${head.portType} to ${target.name}`, choice.tariff.name, date.date].join(', ');
  return { label, head: JSON.stringify(head), day: date.date, ...(date.why === undefined ? {} : { why: date.why }) };
}

/** The provisioning order: an existing one, or a new one by name; exactly one of the two (spec gap 17). */
interface OrderChoice {
  readonly provisioningOrder: number | null;
  readonly provisioningOrderName: string | null;
}

/** Reads `provisioningOrder` and `provisioningOrderName`. */
async function chooseOrder(
  network: LookupNetwork,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<OrderChoice | undefined> {
  const hasExisting = cells.text('provisioningOrder') !== '';
  const name =
    cells.text('provisioningOrderName') === '' ? undefined : cells.freeText('provisioningOrderName', longestOrderName);
  if (!hasExisting) {
    if (name !== undefined) return { provisioningOrder: null, provisioningOrderName: name };
    return cells.hasErrorAt('provisioningOrderName') ? undefined : reportMissing(network, catalogue, cells);
  }
  if (cells.text('provisioningOrderName') !== '') {
    const message = 'Enter provisioningOrder (an existing one) or provisioningOrderName (a new one), not both';
    cells.error('provisioningOrder', 'PROVISIONING_ORDER_BOTH', message);
  }
  const capabilities = await catalogue.capabilities(network.networkNumber);
  if (!capabilities.provisioningOrders) {
    const reason = `${network.name} has no provisioning orders (Type-${capabilities.family} network)`;
    const message = `${reason}. Use provisioningOrderName`;
    return cells.error('provisioningOrder', 'PROVISIONING_ORDER_NOT_AVAILABLE', message);
  }
  const number = await chooseExistingOrder('provisioningOrder', network, catalogue, cells);
  return number === undefined ? undefined : { provisioningOrder: number, provisioningOrderName: null };
}

async function reportMissing(network: LookupNetwork, catalogue: Catalogue, cells: CellReader): Promise<undefined> {
  const { provisioningOrders } = await catalogue.capabilities(network.networkNumber);
  const [column, ways] = provisioningOrders
    ? ['provisioningOrder', 'provisioningOrder (an existing one) or provisioningOrderName (a new one)']
    : ['provisioningOrderName', 'provisioningOrderName'];
  return cells.error(column, 'PROVISIONING_ORDER_REQUIRED', `Every SIM needs a provisioning order. Enter ${ways}`);
}

// Port type, target network and source network of a row. A network may be offered for several port types with
// different days and holidays, and source networks belong to their target: so each is looked up within the one before
// (spec gap 6).

/** Reads the columns `portType` and `targetNetwork` (spec gaps 1 and 6). */
async function chooseNetworks(catalogue: Catalogue, cells: CellReader) {
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
  const key = nameKey(text);
  const named = options.find(({ name }) => name === text) ?? options.find(({ name }) => nameKey(name) === key);
  return (named ?? chooseOption(text, options, kind, cells))?.type;
}

/** A network may be offered for several port types; where the type is known, it is offered once. */
function chooseTargets(
  types: readonly PortingNetworkType[],
  likelyTypes: readonly PortingNetworkType[],
  cells: CellReader,
): TargetNetwork[] {
  const namedIn = (some: readonly PortingNetworkType[], name: string) =>
    some.flatMap(({ targetNetworks }) => findOption(name, targetOptions(targetNetworks)) ?? []);
  const isNamed = (one: string) => namedIn(types, one).length > 0;
  const text = cells.asNamed('targetNetwork', cells.required('targetNetwork') ?? '', isNamed);
  const chosenIn = (some: readonly PortingNetworkType[]) => namedIn(some, text);
  const [chosen] = chosenIn(types);
  if (chosen === undefined) {
    const options = types.flatMap((type) => targetOptions(type.targetNetworks));
    if (text !== '') reportUnknownTarget(text, types, options, cells);
    return candidatesOf(text, distinct(options)).map(({ network }) => network);
  }
  const likely = chosenIn(likelyTypes);
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
function chooseSource(target: TargetNetwork, cells: CellReader): SourceNetwork | undefined {
  const text = cells.required('sourceNetwork');
  if (text === undefined) return undefined;
  const among = `for ${target.name}`;
  const kind = { column: 'sourceNetwork', code: 'SOURCE_NETWORK_UNKNOWN', what: 'source network', among } as const;
  return chooseOption(text, sourceOptions(target.sourceNetworks), kind, cells)?.network;
}

/** A network has two numbers, which are easily confused: the id for Create Port and the networkNumber for lookups. */
function numberHint(text: string, options: readonly { network: TargetNetwork }[]): string {
  const meant = options.find(({ network }) => String(network.networkNumber) === text)?.network;
  return meant === undefined ? '' : `. ${text} is the networkNumber of ${meant.name}: use its id ${meant.id}`;
}

// Tariff + bolt-ons + services: what the rows of a group have in common (spec gaps 14 to 16).

/** Canonical: bolt-ons and services are sorted, each once, so combinations with the same meaning are equal. */
export interface Combination {
  readonly tariff: number;
  readonly boltOns: readonly number[];
  readonly services: readonly { readonly name: string; readonly value: string }[];
}

/** A group name unique to the combination: readable, with a hash; at most 255 characters (spec, Create Port Row). */
export function groupName(combination: Combination, readablePrefix: string): string {
  const hash = combinationHash(combination);
  const prefix = truncate(oneLine(readablePrefix), longestGroupName - hash.length - 1).trimEnd();
  return prefix === '' ? hash : `${prefix} ${hash}`;
}
