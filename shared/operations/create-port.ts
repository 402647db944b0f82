// Create Port: numbers are ported or migrated in, one request per combination of networks, date, tariff, bolt-ons,
// services and provisioning order (decisions 8 to 26).
import { type Combination, combinationHash, groupName } from '#shared/domain/combination.ts';
import { error } from '#shared/domain/issue.ts';
import type { ServiceSetting, TargetNetwork, Tariff } from '#shared/porting/contract.ts';
import { type ConnectionDate, chooseDate } from './connection-date.ts';
import { createPortColumns } from './create-port-columns.ts';
import { judgeCreatePortRow, type RowFacts } from './create-port-row.ts';
import { type CreatePortHead, createPortSubmission } from './create-port-submission.ts';
import { chooseNetworks, type NetworkChoice } from './network-choice.ts';
import type { Cells, ImportContext, JudgedShape, Operation, Shape } from './operation.ts';
import { chooseOrder, type OrderChoice } from './provisioning-order.ts';
import { readServiceSettings } from './service-settings.ts';
import { createShapeReport, freeText, type ShapeReport } from './shape-report.ts';
import { chooseBoltOns, chooseTariff } from './tariff-choice.ts';
import { booleanCell } from './typed-cells.ts';

const maxGroupNameLength = 255;

export const createPort: Operation = {
  name: 'create-port',
  columns: createPortColumns,
  judgeShape,
  submission: createPortSubmission,
};

/** Canonical already: bolt-ons and services come sorted, each once. */
interface TariffChoice {
  readonly tariff: Tariff;
  readonly boltOns: readonly number[];
  readonly services: readonly ServiceSetting[];
}

async function judgeShape(cells: Cells, context: ImportContext): Promise<JudgedShape> {
  const report = createShapeReport();
  const networks = await chooseNetworks(cells, context.catalogue, report);
  const date = chooseDate(cells, networks.portType && networks.target, context.today, report);
  const combination = await chooseCombination(cells, networks.target, context, report);
  const order = await chooseOrder(cells, networks.target, context.catalogue, report);
  const esim = chooseEsim(cells, networks.target, report);
  const group = combination && nameGroup(cells('groupName'), combination, context, report);
  const facts: RowFacts = {
    portType: networks.portType?.portTypeName,
    connectionDate: date?.date,
    esim: esim === true,
  };
  return {
    shape: report.broken ? undefined : shapeOf(networks, date, combination, order, group),
    findings: report.findings,
    judgeRow: (rowCells, rowReport) => judgeCreatePortRow(rowCells, facts, rowReport, context),
  };
}

async function chooseCombination(
  cells: Cells,
  target: TargetNetwork | undefined,
  { catalogue }: ImportContext,
  report: ShapeReport,
): Promise<TariffChoice | undefined> {
  if (target === undefined) {
    if (cells('tariff') === '') report.add('tariff', error('CELL_REQUIRED', 'tariff is empty'));
    return undefined;
  }
  const tariff = await chooseTariff(cells, target, catalogue, report);
  const boltOns = tariff && (await chooseBoltOns(cells, tariff, target, catalogue, report));
  const text = cells('services');
  const offered = text === '' ? [] : await catalogue.services(target.networkNumber, tariff?.number);
  const services = readServiceSettings(text, offered, report);
  return tariff && boltOns && { tariff, boltOns, services };
}

function chooseEsim(cells: Cells, target: TargetNetwork | undefined, report: ShapeReport): boolean | undefined {
  const esim = booleanCell(cells, 'esim', report);
  if (esim === true && target?.allowEsim === false) {
    report.add('esim', error('ESIM_NOT_ALLOWED', `${target.name} does not take eSIMs`));
  }
  return esim;
}

/** The row's own group name, which may not stand for two combinations of one file, else a readable one (decision 15). */
function nameGroup(text: string, choice: TariffChoice, context: ImportContext, report: ShapeReport): string {
  const combination: Combination = { ...choice, tariff: choice.tariff.number };
  if (text === '') return groupName(combination, choice.tariff.name);
  const name = freeText('groupName', text, maxGroupNameLength, report) ?? text;
  if (!report.broken && !context.memory.standsFor(name, combinationHash(combination))) {
    const message = `the group "${name}" stands for another tariff, bolt-ons or services on an earlier line`;
    report.add('groupName', error('GROUP_NAME_CONFLICT', message));
  }
  return name;
}

function shapeOf(
  { portType, target, source }: NetworkChoice,
  date: ConnectionDate | undefined,
  choice: TariffChoice | undefined,
  order: OrderChoice | undefined,
  group: string | undefined,
): Shape | undefined {
  if (!portType || !target || !source || !date || !choice || !order || group === undefined) return undefined;
  const head: CreatePortHead = {
    portType: portType.portTypeName,
    targetNetworkId: target.id,
    networkNumber: target.networkNumber,
    sourceNetworkId: source.id,
    connectionDate: date.date,
    auto: date.auto,
    ...(date.why === undefined ? {} : { why: date.why }),
    groupName: group,
    tariffId: choice.tariff.number,
    boltOns: [...choice.boltOns],
    services: choice.services.length === 0 ? null : [...choice.services],
    ...order,
  };
  const label = [`${head.portType} to ${target.name}`, choice.tariff.name, date.date].join(', ');
  return { label, head: JSON.stringify(head), ...(date.why === undefined ? {} : { why: date.why }) };
}
