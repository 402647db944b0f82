// The requests that a simulator has received, for assertions as "createPort was called twice with this name".
import * as z from 'zod';
import { redactSecrets } from '#shared/row/redact.ts';

/** Older requests are forgotten. */
const mostEntries = 10_000;

export interface JournalEntry {
  /** The account's time, ISO 8601. */
  readonly at: string;
  readonly operation: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** The parsed JSON; null without a body, the text if it is not JSON. */
  readonly body: unknown;
  /** The status that was answered, whether or not the answer arrived. */
  readonly status: number;
  /** The kind of the fault that hit the request, or null. */
  readonly fault: string | null;
}

export const journalEntry = z.object({
  at: z.string(),
  operation: z.string(),
  method: z.string(),
  path: z.string(),
  body: z.unknown(),
  status: z.int(),
  fault: z.string().nullable(),
});

export const journalPattern = z.strictObject({
  operation: z.string().optional().meta({ description: 'An operationId of the OpenAPI document, or `token`.' }),
  method: z.string().optional(),
  path: z.string().optional(),
  status: z.int().optional(),
  fault: z.string().nullable().optional(),
  body: z.unknown().optional().meta({
    description:
      'Matches a body that has these fields, whatever else it has. An array matches if each of its elements does.',
  }),
});
export type JournalPattern = z.infer<typeof journalPattern>;

export interface Journal {
  add(accountId: number, entry: JournalEntry): void;
  /** The matching requests, oldest first, with every PAC and secret masked. */
  find(accountId: number, pattern: JournalPattern): JournalEntry[];
  clear(accountId: number): void;
}

function matches(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected)) {
    return Array.isArray(actual) && expected.every((each) => actual.some((other) => matches(each, other)));
  }
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, actual);
  if (typeof actual !== 'object' || actual === null) return false;
  return Object.entries(expected).every(
    ([name, value]) => Object.hasOwn(actual, name) && matches(value, (actual as Record<string, unknown>)[name]),
  );
}

export function createJournal(): Journal {
  const byAccount = new Map<number, JournalEntry[]>();
  return {
    add(accountId, entry) {
      const entries = byAccount.get(accountId) ?? [];
      entries.push(entry);
      if (entries.length > mostEntries) entries.shift();
      byAccount.set(accountId, entries);
    },
    find: (accountId, pattern) =>
      (byAccount.get(accountId) ?? [])
        .filter((entry) => matches(pattern, entry))
        .map((entry) => ({ ...entry, body: redactSecrets(entry.body) })),
    clear: (accountId) => void byAccount.delete(accountId),
  };
}
