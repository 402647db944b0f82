// Create Port: ports or migrates numbers in, one request for each combination of networks, date, tariff, bolt-ons,
// services and provisioning order (decisions 8 to 26).

import { type Combination, combinationHash, groupName } from '#shared/domain/requests/combination.ts';
import type { ServiceSetting, TargetNetwork, Tariff } from '#shared/porting/contract.ts';
import { CellReader } from '../kit/cell-reader.ts';
import { type ConnectionDate, chooseDate } from '../kit/connection-date.ts';
import type { Cells, ImportContext, Operation, Shape, ValidatedShape } from '../kit/operation.ts';
import { readServiceSettings } from '../kit/service-settings.ts';
import { chooseBoltOns, chooseTariff } from '../kit/tariff-choice.ts';
import { createPortColumns } from './columns.ts';
import { chooseNetworks, type NetworkChoice } from './network-choice.ts';
import { chooseOrder, type OrderChoice } from './order.ts';
import { checkCreatePortRow, type RowFacts } from './row.ts';
import { type CreatePortHead, createPortSubmission } from './submission.ts';

const maxGroupNameLength = 255;

export const createPort: Operation = {
  name: 'create-port',
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
  const reader = new CellReader(cells);
  const { catalogue, today } = context;
  const networks = await chooseNetworks(catalogue, reader);
  const date = chooseDate(networks.portType && networks.target, today, reader);
  const combination = await chooseCombination(networks.target, context, reader);
  const order = await chooseOrder(networks.target, catalogue, reader);
  const esim = chooseEsim(networks.target, reader);
  const group = combination && chooseGroupName(combination, context, reader);
  const facts: RowFacts = {
    portType: networks.portType?.portTypeName,
    connectionDate: date?.date,
    esim: esim === true,
  };
  return {
    shape: reader.hasErrors ? undefined : shapeOf(networks, date, combination, order, group),
    findings: reader.findings,
    checkRow: (rowCells, rowReport) => checkCreatePortRow(rowCells, facts, rowReport, context),
  };
}

async function chooseCombination(
  target: TargetNetwork | undefined,
  { catalogue }: ImportContext,
  cells: CellReader,
): Promise<TariffChoice | undefined> {
  if (target === undefined) {
    cells.required('tariff');
    return undefined;
  }
  const tariff = await chooseTariff('tariff', target, catalogue, cells);
  const boltOns = tariff && (await chooseBoltOns(tariff, target, catalogue, cells));
  const hasServices = cells.text('services') !== '';
  const offered = hasServices ? await catalogue.services(target.networkNumber, tariff?.number) : [];
  const services = readServiceSettings(offered, cells);
  return tariff && boltOns && { tariff, boltOns, services };
}

function chooseEsim(target: TargetNetwork | undefined, cells: CellReader): boolean | undefined {
  const esim = cells.boolean('esim');
  if (esim === true && target?.allowEsim === false) {
    cells.error('esim', 'ESIM_NOT_ALLOWED', `${target.name} does not support eSIMs. Use a SIM card or another network`);
  }
  return esim;
}

/** The group name of the row, which may name one combination only in a file, or else a readable one (decision 15). */
function chooseGroupName(choice: TariffChoice, { uniqueness }: ImportContext, cells: CellReader): string {
  const combination: Combination = { ...choice, tariff: choice.tariff.number };
  const text = cells.text('groupName');
  if (text === '') return groupName(combination, choice.tariff.name);
  const name = cells.freeText('groupName', maxGroupNameLength) ?? text;
  if (!cells.hasErrors && !uniqueness.hasOneMeaning(name, combinationHash(combination))) {
    const message = `The group "${name}" has another tariff, bolt-ons or services on an earlier line. Use another name`;
    cells.error('groupName', 'GROUP_NAME_CONFLICT', message);
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
