// Checks request bodies against the contract: an invalid body is never sent.
import type * as z from 'zod/mini';
import { type CallName, nameOfCall } from './classify-response.ts';
import { Rejected } from './errors.ts';

/** The body with exactly the fields of the contract. @throws Rejected without a status: nothing was sent */
export function checkedBody(name: CallName, schema: z.ZodMiniType, body: unknown): unknown {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const fieldErrors = result.error.issues.map(({ path, message }) => ({ field: path.map(String).join('.'), message }));
  const [first] = fieldErrors;
  const message = `not sent: the field ${first?.field} is invalid: ${first?.message}`;
  throw new Rejected({ message, fieldErrors, msisdns: [] }, { call: nameOfCall(name), cause: result.error });
}
