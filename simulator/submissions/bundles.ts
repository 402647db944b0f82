// The rules of eSIM Create Bundle and of Configure Bundle Control.

import { dateInZone, oneMonthBefore, parseCalendarDate } from '#shared/row/calendar-date.ts';
import type { ConfigureBundleControlBody, CreateBundleBody } from '#shared/service/contract.ts';
import type { Network } from '../catalogue/catalogue.ts';
import type { FieldError } from '../http/problem.ts';
import { type Effect, findSims, type SubmissionCheck, sameEffect, type ValidationContext } from './submit.ts';

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
