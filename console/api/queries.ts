// Reads of the API that stay up to date. One small poll finds out whether anything changed; only then do the screens
// read again.
import { QueryClient, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { RouteName } from '#shared/api/route-table.ts';
import { type CallInput, call } from './call.ts';
import { ApiUnavailable, Problem } from './errors.ts';
import type { Answer } from './types.ts';

/** A change is visible within 5 seconds: this poll, and the read that follows. */
const pollMs = 2_000;
const retryMs = 3_000;

const isTemporary = (error: unknown): boolean =>
  error instanceof ApiUnavailable || (error instanceof Problem && (error.status === 429 || error.status >= 500));

const refetchMs = (error: unknown, everyMs?: number): number | false =>
  isTemporary(error) ? Math.min(retryMs, everyMs ?? retryMs) : (everyMs ?? false);

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 1_000,
        // An answer that failed temporarily is read again until it succeeds: nobody has to reload the page.
        refetchInterval: ({ state }) => refetchMs(state.error),
        // The browser's own guess is wrong for an API on this machine.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });

/** Reads a route. Identical reads are shared. */
export const useRead = <Name extends RouteName>(
  name: Name,
  input: Omit<CallInput<Name>, 'signal'>,
  options: { readonly enabled?: boolean; readonly everyMs?: number } = {},
): UseQueryResult<Answer<Name>> =>
  useQuery({
    queryKey: [name, input],
    queryFn: async ({ signal }) => (await call(name, { ...input, signal } as CallInput<Name>)) as Answer<Name>,
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
    refetchInterval: ({ state }) => refetchMs(state.error, options.everyMs),
  });

/** Reads everything on the screen again when the events changed. Mounted once, by the shell. */
export function useEvents(): UseQueryResult<Answer<'getEvents'>> {
  const client = useQueryClient();
  const events = useRead('getEvents', {}, { everyMs: pollMs });
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

/** Everything but the events themselves. */
const refresh = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== 'getEvents' });
