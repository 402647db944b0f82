// A number in any notation, a port, and everything that requires an action.
import type { AnswerOf } from '#shared/api/contract.ts';
import { parseMsisdn } from '#shared/domain/numbers/msisdn.ts';
import { readActionList } from '#shared/read-models/action-list.ts';
import { readNumberDetails } from '#shared/read-models/number-details.ts';
import { readOutage } from '#shared/read-models/outage.ts';
import { readPortDetails } from '#shared/read-models/port-details.ts';
import type { ReadDependencies } from '../dependencies.ts';
import { ApiProblem, notFound } from '../http/api-problem.ts';
import type { Call } from '../http/parse-call.ts';

export async function getNumber(
  { path }: Call<'getNumber'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'getNumber'>> {
  const parsed = parseMsisdn(path.msisdn, dependencies.resources);
  if (!parsed.ok) {
    const { message } = parsed.finding;
    throw new ApiProblem('invalid-request', `${message}.`, { errors: [{ field: 'msisdn', message }] });
  }
  const details = await readNumberDetails(dependencies, parsed.value);
  if (details === undefined) throw notFound(`No import has sent the number ${parsed.value}.`);
  return details;
}

export async function getPort({ path }: Call<'getPort'>, dependencies: ReadDependencies): Promise<AnswerOf<'getPort'>> {
  const port = await readPortDetails(dependencies, path.portId);
  if (port === undefined || port.item.account !== dependencies.resources.account) {
    throw notFound(`simporter created no port ${path.portId}.`);
  }
  return port.details;
}

const listedActions = 500;

export async function listActions(
  _call: Call<'listActions'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'listActions'>> {
  const [list, outage] = await Promise.all([
    readActionList(dependencies, dependencies.wall(), listedActions),
    readOutage(dependencies),
  ]);
  return {
    actions: list.entries.map((entry) => ({ ...entry })),
    isIncomplete: list.isIncomplete || list.more > 0,
    ...(outage && { outage }),
  };
}
