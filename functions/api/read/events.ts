// What changed: small enough to be polled every few seconds, and answered 304 while nothing did.
import type { AnswerOf } from '#shared/api/contract.ts';
import { fileNameOf } from '#shared/read-models/file-name.ts';
import { readOutage } from '#shared/read-models/outage.ts';
import type { ReadDependencies } from '../dependencies.ts';
import type { Call } from '../http/parse-call.ts';

const watchedImports = 50;

export async function getEvents(
  _call: Call<'getEvents'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'getEvents'>> {
  const { imports, resources } = dependencies;
  const [items, outage] = await Promise.all([
    imports.list(resources.account, { limit: watchedImports }),
    readOutage(dependencies),
  ]);
  const newest = items.toSorted((one, other) => (one.changedAt > other.changedAt ? -1 : 1));
  return {
    imports: newest.map(({ importId, key, state, changedAt, actionRequired }) => ({
      ...{ importId, file: fileNameOf(key), state, changedAt, actionRequired },
    })),
    actionRequired: items.reduce((sum, item) => sum + item.actionRequired, 0),
    ...(outage && { outage }),
  };
}
