// Who is signed in, and where.
import type { AnswerOf } from '#shared/api/contract.ts';
import { roles } from '#shared/api/route-table.ts';
import { readOutage } from '#shared/read-models/outage.ts';
import type { ReadDependencies } from '../dependencies.ts';
import { hasRole } from '../http/caller.ts';
import type { Call } from '../http/parse-call.ts';

/** With the roles that others include. */
export const getMe = async ({ caller }: Call<'getMe'>): Promise<AnswerOf<'getMe'>> => ({
  id: caller.id,
  name: caller.name,
  roles: roles.filter((role) => hasRole(caller, role)),
});

export async function getEnvironment(
  _call: Call<'getEnvironment'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'getEnvironment'>> {
  const outage = await readOutage(dependencies);
  return { ...dependencies.settings, ...(outage && { outage }) };
}
