// The rules of the legacy Bar / Unbar: the options depend on the SIM's network.
import type { BarBody } from '#shared/porting/contract.ts';
import type { FieldError } from '../problem.ts';
import { type Effect, findSims, type JudgeContext, type Judgement, sameEffect } from './submit.ts';

export function judgeBar(context: JudgeContext, body: BarBody): Judgement {
  const errors: FieldError[] = [];
  const effects: Effect[] = [];
  for (const [index, { serialNumbers, commandOptions }] of body.commands.entries()) {
    const { type: _, ...flags } = commandOptions;
    const chosen = Object.entries(flags).flatMap(([flag, isChosen]) => (isChosen ? flag : []));
    const { found, errors: missing } = findSims(context, serialNumbers, `commands[${index}].serialNumbers`);
    errors.push(...missing);
    for (const network of new Set(found.map((each) => each.network))) {
      const unknown = chosen.filter((flag) => !network.bars.includes(flag));
      const message = `is not available on ${network.name}`;
      errors.push(...unknown.map((flag) => ({ field: `commands[${index}].commandOptions.${flag}`, message })));
    }
    effects.push(...sameEffect(found, body.type === 'bar' ? { barred: chosen } : { unbarred: chosen }));
  }
  return { errors, effects };
}
