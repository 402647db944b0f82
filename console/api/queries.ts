// Reads of the API that stay up to date. One small poll finds out whether anything changed; only then do the screens
// read again.
import { QueryClient, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { EndpointName } from '#functions/api/contract.ts';
import { type CallInput, call } from './call.ts';
import { isTemporary } from './errors.ts';
import type { Answer } from './types.ts';

/** A change is visible within 5 seconds: this poll, and the read that follows. */
const pollMs = 2_000;
const retryMs = 3_000;

/** Events are of the newest imports only: what is on the screen is also read again without one. */
const unreportedMs = 60_000;

const refetchMs = (error: unknown, everyMs: number | false = unreportedMs): number | false =>
  isTemporary(error) ? Math.min(retryMs, everyMs || retryMs) : everyMs;

/** Thousands of rows of a file, which stay as they are while they are on the screen: read again when it is opened. */
export const rowsOfFile = 'rowsOfFile';
const isOfFile = (name: unknown): boolean => name === rowsOfFile;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 1_000,
        // An answer that failed temporarily is read again until it succeeds: nobody has to reload the page.
        refetchInterval: ({ queryKey: [name], state }) => refetchMs(state.error, isOfFile(name) ? false : undefined),
        // The browser's own guess is wrong for an API on this machine.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });

/** Milliseconds between two reads. */
export type Interval =
  | number
  | ((state: { readonly error: Error | null; readonly errorUpdateCount: number }) => number);

/** Reads a route. Identical reads are shared. */
export const useRead = <Name extends EndpointName>(
  name: Name,
  input: Omit<CallInput<Name>, 'signal'>,
  options: { readonly enabled?: boolean; readonly everyMs?: Interval; readonly inBackground?: boolean } = {},
): UseQueryResult<Answer<Name>> =>
  useQuery({
    queryKey: [name, input],
    queryFn: async ({ signal }) => (await call(name, { ...input, signal } as CallInput<Name>)) as Answer<Name>,
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
    refetchInterval: ({ state }) =>
      refetchMs(state.error, typeof options.everyMs === 'function' ? options.everyMs(state) : options.everyMs),
    refetchIntervalInBackground: options.inBackground ?? false,
  });

/** Reads what shows imports again when the events changed. Mounted once, by the shell. */
export function useEvents(options: { readonly inBackground: boolean }): UseQueryResult<Answer<'getEvents'>> {
  const client = useQueryClient();
  const events = useRead('getEvents', {}, { everyMs: pollMs, ...options });
  const previous = useRef(events.data);
  const failed = useRef(false);
  useEffect(() => {
    const hasChanged = previous.current !== undefined && events.data !== previous.current;
    const hasRecovered = failed.current && !events.isError;
    previous.current = events.data;
    failed.current = events.isError;
    if (hasChanged || hasRecovered) void refresh(client);
  }, [client, events.data, events.isError]);
  return events;
}

/** What no import and no command changes: the person, and what the service offers. It is read again each minute. */
const unrelated: ReadonlySet<unknown> = new Set<EndpointName>(['getMe', 'listOperations', 'getReferenceData']);
const isOfImports = (name: unknown): boolean => name !== 'getEvents' && !unrelated.has(name) && !isOfFile(name);

/** Everything that shows imports, but the events themselves. */
export async function refresh(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ predicate: ({ queryKey: [name] }) => isOfImports(name) }),
    client.invalidateQueries({ predicate: ({ queryKey: [name] }) => isOfFile(name), refetchType: 'none' }),
  ]);
}
