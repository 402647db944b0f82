// Everything of an account at one moment, to be restored later or in another simulator. Its content is not for reading.
import * as z from 'zod';
import { malformedRequest } from '../http/problem.ts';
import { storedPort } from '../ports/stored-port.ts';
import type { AccountData, Owner, SimEvent, Submission } from '../store/store.ts';

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const accountData = z.object({
  ports: z.array(storedPort),
  simEvents: z.array(z.custom<SimEvent>(isObject)),
  provisioningOrders: z.array(
    z.object({ accountId: z.int(), networkNumber: z.int(), number: z.int(), name: z.string() }),
  ),
  submissions: z.array(z.custom<Submission>(isObject)),
  claims: z.array(z.object({ number: z.string(), owner: z.custom<Owner>(isObject) })),
});

export const snapshotBody = z.object({
  accountId: z.int(),
  now: z.iso.datetime(),
  data: z.looseObject({}).meta({ description: 'Opaque. It contains PACs.' }),
});

/** @throws Problem 400 for data that is not from a snapshot of the account */
export function parseAccountData(data: unknown, accountId: number): AccountData {
  const parsed = accountData.safeParse(data);
  if (parsed.success) {
    const { ports, simEvents, provisioningOrders, submissions } = parsed.data;
    const isForeign = (each: { readonly accountId: number }): boolean => each.accountId !== accountId;
    if (![...ports, ...simEvents, ...provisioningOrders, ...submissions].some(isForeign)) return parsed.data;
    throw malformedRequest([{ path: ['data'], message: 'has the data of another account' }], 'body');
  }
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: ['data', ...path], message }));
  throw malformedRequest(issues, 'body');
}
