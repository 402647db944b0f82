// The rules of Bar Service Config: each setting must be possible on every SIM of the request.
import type { BarServiceConfigBody } from '#shared/porting/contract.ts';
import type { FieldError } from '../problem.ts';
import { settingErrors } from '../service-settings.ts';
import { findSims, type JudgeContext, type Judgement, sameEffect } from './submit.ts';

export function judgeBarServiceConfig(context: JudgeContext, body: BarServiceConfigBody): Judgement {
  const { catalogue } = context.parts;
  const { found, errors } = findSims(context, body.serialNumbers, 'serialNumbers');
  const byMessage = new Map<string, FieldError>();
  for (const { sim, network } of found) {
    const tariff = network.tariffs.find(({ number }) => number === sim.tariffNumber);
    for (const error of settingErrors(body.services, catalogue.serviceGroups(network, tariff), 'services')) {
      byMessage.set(`${error.field} ${error.message}`, error);
    }
  }
  const services = Object.fromEntries(body.services.map(({ name, value }) => [name, value]));
  return { errors: [...errors, ...byMessage.values()], effects: sameEffect(found, { services }) };
}
