// Strict in what is sent: a body that breaks the contract is refused here, before the service could half understand it.
import type * as z from 'zod/mini';
import { Rejected } from './errors.ts';
import { type CallName, nameOfCall } from './judge.ts';

/** The body as the contract describes it, without other fields. @throws Rejected, without a status: nothing was sent. */
export function checkedBody(name: CallName, schema: z.ZodMiniType, body: unknown): unknown {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const fieldErrors = result.error.issues.map(({ path, message }) => ({ field: path.map(String).join('.'), message }));
  const [first] = fieldErrors;
  const message = `not sent, as ${first?.field} is not as described: ${first?.message}`;
  throw new Rejected({ message, fieldErrors, msisdns: [] }, { call: nameOfCall(name), cause: result.error });
}
