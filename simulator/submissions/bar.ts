// The rules of BarServiceConfig and of the legacy Bar / Unbar. The flags of the legacy calls depend on the network of
// the SIM. Each switches a service, if the network has one for it. `false` disables a service and enables a bar, so a
// barred flag sets `false` in both cases.
import type { BarBody, BarServiceConfigBody } from '#shared/service/contract.ts';
import type { Network } from '../catalogue/catalogue.ts';
import type { FieldError } from '../http/problem.ts';
import { serialOutcome } from '../ports/magic-values.ts';
import { settingErrors } from '../sims/service-settings.ts';
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
