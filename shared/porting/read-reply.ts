// Parses the text of a 2xx answer.
import * as z from 'zod/mini';
import { truncate } from '#shared/domain/text/truncate.ts';
import { type Reply, unreadable } from './classify-response.ts';
import { submissionTicket } from './submission-contract.ts';

/** @throws ContractBroken (GET) or Ambiguous when the text is not JSON of `schema`. */
export function parsed<Schema extends z.ZodMiniType>(reply: Reply, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(jsonIn(reply));
  if (result.success) return result.data;
  throw unreadable(reply, `it breaks the contract: ${truncate(z.prettifyError(result.error), 500)}`, result.error);
}

function jsonIn(reply: Reply): unknown {
  try {
    return JSON.parse(reply.answer.text);
  } catch {
    // The message of JSON.parse quotes the text, which may hold a PAC.
    throw unreadable(reply, 'it is not JSON');
  }
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of a created port: a guid with or without quotes. @throws Ambiguous for anything else (spec gap 26) */
export function portIdIn(reply: Reply): string {
  const text = reply.answer.text.trim();
  const id = text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
  if (!guid.test(id)) throw unreadable(reply, 'it has no port id');
  return id;
}

/** The ticket of a submission. @throws Ambiguous where there is none (spec gap 34) */
export const ticketIn = (reply: Reply): string => parsed(reply, submissionTicket).ticketNumber;
