// The rules of Bar Service Config: each setting must be possible on every SIM of the request.
import type { BarServiceConfigBody } from '#shared/porting/submission-contract.ts';
import type { FieldError } from '../http/problem.ts';
import { serialOutcome } from '../ports/magic-values.ts';
import { settingErrors } from '../sims/service-settings.ts';
import { findSims, type SubmissionCheck, sameEffect, type ValidationContext } from './submit.ts';

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
