// The operations on SIMs on hire, each with its rules: services and bars, bundles, text messages.

import { dateInZone, oneMonthBefore, parseCalendarDate } from '#shared/row/calendar-date.ts';
import type {
  BarBody,
  BarServiceConfigBody,
  ConfigureBundleControlBody,
  CreateBundleBody,
  SendSmsBody,
} from '#shared/service/contract.ts';
import type { Network } from '../catalogue/catalogue.ts';
import type { FieldError } from '../http/problem.ts';
import { serialOutcome } from '../ports/check-pac.ts';
import { settingErrors } from '../sims/sims.ts';
import type { SimChange } from '../store/store.ts';
import { type Effect, findSims, type SubmissionCheck, sameEffect, type ValidationContext } from './submit.ts';

function changeOf(type: BarBody['type'], flags: readonly string[], { bars }: Network): SimChange {
  const names = flags.flatMap((flag) => bars[flag] ?? []);
  const services = Object.fromEntries(names.map((name) => [name, type === 'bar' ? 'false' : 'true']));
  return type === 'bar' ? { services, barred: flags } : { services, unbarred: flags };
}

export function checkBar(context: ValidationContext, body: BarBody): SubmissionCheck {
  const errors: FieldError[] = [];
  const effects: Effect[] = [];
  for (const [index, { serialNumbers, commandOptions }] of body.commands.entries()) {
    const { type: _, ...flags } = commandOptions;
    const chosen = Object.entries(flags).flatMap(([flag, isChosen]) => (isChosen ? flag : []));
    const { found, errors: missing } = findSims(context, serialNumbers, `commands[${index}].serialNumbers`);
    errors.push(...missing);
    for (const [network, sims] of Map.groupBy(found, (each) => each.network)) {
      const unknown = chosen.filter((flag) => !(flag in network.bars));
      const message = `is not available on ${network.name}`;
      errors.push(...unknown.map((flag) => ({ field: `commands[${index}].commandOptions.${flag}`, message })));
      effects.push(...sameEffect(sims, changeOf(body.type, chosen, network)));
    }
  }
  return { errors, effects };
}

export function checkBarServiceConfig(context: ValidationContext, body: BarServiceConfigBody): SubmissionCheck {
  const { catalogue } = context;
  const { found, errors } = findSims(context, body.serialNumbers, 'serialNumbers');
  const byMessage = new Map<string, FieldError>();
  for (const { sim, network } of found) {
    const tariff = network.tariffs.find(({ number }) => number === sim.tariffNumber);
    for (const error of settingErrors(body.services, catalogue.serviceGroups(network, tariff))) {
      byMessage.set(`${error.field} ${error.message}`, error);
    }
  }
  const services = Object.fromEntries(body.services.map(({ name, value }) => [name, value]));
  const set = found.filter(({ sim }) => serialOutcome(sim.serialNumber) !== 'settings-lost');
  return { errors: [...errors, ...byMessage.values()], effects: sameEffect(set, { services }) };
}

// The rules of eSIM Create Bundle and of Configure Bundle Control.

const isDay = (wireDate: string): boolean => parseCalendarDate(wireDate.slice(0, 10)).ok;
const options = (values: readonly (string | number)[]): string => values.join(', ');

function checkTemplate(network: Network, { provisioningTemplateId }: BundleOptions, field: string): FieldError[] {
  if (network.provisioningTemplates.some(({ id }) => id === provisioningTemplateId)) return [];
  const message = `${network.name} has no provisioning template ${provisioningTemplateId}`;
  return [{ field: `${field}.provisioningTemplateId`, message }];
}

type BundleOptions = CreateBundleBody['commands'][number]['commandOptions'];

function checkSize(network: Network, sizeMb: number, field: string): FieldError[] {
  const sizes = network.bundleSizes.map(({ size }) => size);
  if (sizes.includes(sizeMb)) return [];
  return [{ field, message: `${network.name} has no bundles of ${sizeMb} MB; it has: ${options(sizes)}` }];
}

export function checkCreateBundle(context: ValidationContext, body: CreateBundleBody): SubmissionCheck {
  const errors: FieldError[] = [];
  const effects: Effect[] = [];
  for (const [index, { serialNumbers, commandOptions }] of body.commands.entries()) {
    const field = `commands[${index}].commandOptions`;
    const { found, errors: missing } = findSims(context, serialNumbers, `commands[${index}].serialNumbers`);
    errors.push(...missing);
    if (!isDay(commandOptions.startDate)) {
      errors.push({ field: `${field}.startDate`, message: 'is not a date' });
    }
    for (const network of new Set(found.map((each) => each.network))) {
      errors.push(...checkTemplate(network, commandOptions, field));
      errors.push(...checkSize(network, commandOptions.bundleSizeMb, `${field}.bundleSizeMb`));
    }
    const { type: _, ...bundle } = commandOptions;
    effects.push(...sameEffect(found, { bundle }));
  }
  return { errors, effects };
}

function checkDates({ startDate, endDate }: ConfigureBundleControlBody, now: number): FieldError[] {
  const start = startDate.slice(0, 10);
  const earliest = oneMonthBefore(dateInZone(now, 'UTC'));
  const errors: FieldError[] = [];
  if (!isDay(start)) errors.push({ field: 'startDate', message: 'is not a date' });
  else if (start < earliest) {
    errors.push({ field: 'startDate', message: `must be no more than one month before today: ${earliest} or later` });
  }
  if (endDate && !isDay(endDate)) errors.push({ field: 'endDate', message: 'is not a date' });
  else if (endDate && endDate < startDate) errors.push({ field: 'endDate', message: 'must not be before startDate' });
  return errors;
}

function checkControl(network: Network, body: ConfigureBundleControlBody): FieldError[] {
  const control = network.bundleControl;
  if (control === undefined) {
    return [{ field: 'serialNumbers', message: `bundle control is not available on ${network.name}` }];
  }
  const errors: FieldError[] = [];
  const expectOneOf = (
    field: 'zone' | 'bundleControlPeriod' | 'bundleControlEndAction',
    values: readonly string[],
  ): void => {
    if (!values.includes(body[field]))
      errors.push({ field, message: `on ${network.name} must be one of: ${options(values)}` });
  };
  expectOneOf('zone', control.zones);
  expectOneOf('bundleControlPeriod', control.periods);
  expectOneOf('bundleControlEndAction', control.endActions);
  if (!control.zoneAllowances && (body.roamingBucketVolumes?.length ?? 0) > 0) {
    errors.push({ field: 'roamingBucketVolumes', message: `${network.name} does not allow allowances per zone` });
  }
  return errors;
}

export function checkBundleControl(context: ValidationContext, body: ConfigureBundleControlBody): SubmissionCheck {
  const { found, errors } = findSims(context, body.serialNumbers, 'serialNumbers');
  const networks = [...new Set(found.map(({ network }) => network))];
  const { serialNumbers: _, ...bundle } = body;
  return {
    errors: [
      ...errors,
      ...checkDates(body, context.now),
      ...networks.flatMap((network) => checkControl(network, body)),
    ],
    effects: sameEffect(found, { bundle }),
  };
}

// The rules of Send SMS: SIMs on hire, all on one network that sends SMS, and binary fields in hex.

const isHex = (text: string): boolean => /^([0-9A-Fa-f]{2})*$/.test(text);
const binaryFields = ['protocolId', 'dataCodingScheme', 'userDataHeader'] as const;

function checkBinary(body: SendSmsBody): FieldError[] {
  if (!body.binary) return [];
  const errors: FieldError[] = [];
  if (!isHex(body.message)) errors.push({ field: 'message', message: 'must be hex text when binary is true' });
  if (!isHex(body.userDataHeader ?? '')) errors.push({ field: 'userDataHeader', message: 'must be hex text' });
  return errors;
}

export function checkSendSms(context: ValidationContext, body: SendSmsBody): SubmissionCheck {
  const { found, errors: missing } = findSims(context, body.serialNumbers, 'serialNumbers');
  const errors: FieldError[] = [...missing, ...checkBinary(body)];
  const notOnHire = found.find(({ sim }) => sim.status !== 'on-hire');
  if (notOnHire) {
    const message = `SIM ${notOnHire.sim.serialNumber} is not on hire`;
    errors.push({ field: 'serialNumbers', message, conflict: true });
  }
  const networks = new Set(found.map(({ network }) => network));
  if (networks.size > 1) errors.push({ field: 'serialNumbers', message: 'must all be on the same network' });
  for (const network of networks) {
    if (network.sms === 'none') errors.push({ field: 'serialNumbers', message: `${network.name} does not send SMS` });
    if (network.sms !== 'text') continue;
    const given = binaryFields.filter((field) => body[field] !== undefined && body[field] !== null);
    errors.push(...given.map((field) => ({ field, message: `is not supported on ${network.name}` })));
  }
  return { errors, effects: [] };
}
