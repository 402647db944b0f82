// Reads of the API that stay up to date. One small poll finds out whether anything changed; only then do the screens
// read again.
import {
  type InfiniteData,
  QueryClient,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { EndpointName } from '#functions/api/contract.ts';
import { useNotices } from '../app/notices.tsx';
import { type Answer, isTemporary } from './answers.ts';
import { type CallInput, call } from './call.ts';

/** A change is visible within 5 seconds: this poll, and the read that follows. */
const pollMs = 2_000;
const retryMs = 3_000;

/** Events are of the newest imports only: what is on the screen is also read again without one. */
const unreportedMs = 60_000;

export const refetchMs = (error: unknown, everyMs: number | false = unreportedMs): number | false =>
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

interface ReadOptions<Data> {
  readonly enabled?: boolean;
  readonly everyMs?: Interval;
  /** What stays on the screen until the answer to a changed input is here. */
  readonly whileLoading?: (previous: Data | undefined) => Data | undefined;
}

/** Reads a route. Identical reads are shared. */
export const useRead = <Name extends EndpointName>(
  name: Name,
  input: Omit<CallInput<Name>, 'signal'>,
  options: ReadOptions<Answer<Name>> = {},
): UseQueryResult<Answer<Name>> =>
  useQuery<Answer<Name>>({
    queryKey: [name, input],
    queryFn: async ({ signal }) => (await call(name, { ...input, signal } as CallInput<Name>)) as Answer<Name>,
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
    ...(options.whileLoading && { placeholderData: options.whileLoading as never }),
    refetchInterval: ({ state }) =>
      refetchMs(state.error, typeof options.everyMs === 'function' ? options.everyMs(state) : options.everyMs),
  });

/** Routes that answer in pages. */
type PagedName = {
  [Name in EndpointName]: Answer<Name> extends { readonly nextCursor: string | null } ? Name : never;
}[EndpointName];

const nextCursorOf = (page: unknown): string | null => (page as { readonly nextCursor: string | null }).nextCursor;

async function readPage<Name extends PagedName>(name: Name, input: CallInput<Name>, cursor: string) {
  const query = { ...(input.query as object | undefined), ...(cursor && { cursor }) };
  return (await call(name, { ...input, query } as CallInput<Name>)) as Answer<Name>;
}

/** Reads a route to its end, or as far as it is asked. */
export async function* readPages<Name extends PagedName>(name: Name, input: CallInput<Name>) {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Answer<Name> = await readPage(name, input, cursor);
    yield page;
    cursor = nextCursorOf(page);
  }
}

interface PagesOptions<Page> {
  /** @default - the route and its input */
  readonly key?: readonly unknown[];
  readonly everyMs?: (first: Page | undefined) => number | false;
  /** Rows that never change while they are on the screen. */
  readonly isFixed?: boolean;
}

/** Reads a route page by page: the first one, and the next with `fetchNextPage`. */
export const usePages = <Name extends PagedName>(
  name: Name,
  input: Omit<CallInput<Name>, 'signal'>,
  { key = [name, input], everyMs, isFixed = false }: PagesOptions<Answer<Name>> = {},
) =>
  useInfiniteQuery<Answer<Name>, Error, InfiniteData<Answer<Name>, string>, readonly unknown[], string>({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => readPage(name, { ...input, signal } as CallInput<Name>, pageParam),
    initialPageParam: '',
    getNextPageParam: nextCursorOf,
    ...(everyMs && { refetchInterval: ({ state }) => everyMs(state.data?.pages[0]) }),
    ...(isFixed && { staleTime: Number.POSITIVE_INFINITY }),
  });

/** Reads what shows imports again when the events changed. Mounted once, by the shell. */
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

/** What no import and no command changes: the person, and what the service offers. It is read again each minute. */
const unrelated: ReadonlySet<unknown> = new Set<EndpointName>(['getMe', 'listOperations', 'getReferenceData']);
const isOfImports = (name: unknown): boolean => name !== 'getEvents' && !unrelated.has(name) && !isOfFile(name);

/** Everything that shows imports, but the events themselves. */
async function refresh(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ predicate: ({ queryKey: [name] }) => isOfImports(name) }),
    client.invalidateQueries({ predicate: ({ queryKey: [name] }) => isOfFile(name), refetchType: 'none' }),
  ]);
}

interface Options<Name extends EndpointName> {
  /** The heading of the notice when the command fails. */
  readonly failed: string;
  readonly onSuccess?: (answer: Answer<Name>) => void;
  readonly onError?: (error: Error) => void;
  /** The dialog that confirms the command shows why it failed, and keeps what was typed. @default a notice */
  readonly isInDialog?: true;
}

export interface CommandProblem {
  readonly header: string;
  readonly error: Error;
}

interface Command<Name extends EndpointName> {
  readonly run: (input: Omit<CallInput<Name>, 'signal'>) => void;
  readonly isRunning: boolean;
  readonly problem: CommandProblem | undefined;
}

/** Writes of the API. Afterwards, successful or not, everything on the screen is read again. */
export function useCommand<Name extends EndpointName>(
  name: Name,
  { failed, onSuccess, onError, isInDialog }: Options<Name>,
): Command<Name> {
  const client = useQueryClient();
  const { notifyError } = useNotices();
  const mutation = useMutation({
    mutationFn: async (input: Omit<CallInput<Name>, 'signal'>) =>
      (await call(name, input as CallInput<Name>)) as Answer<Name>,
    onSuccess: (answer) => onSuccess?.(answer),
    onError: (error) => {
      if (!isInDialog) notifyError(failed, error);
      onError?.(error);
    },
    // A failure is shown at once, a success together with what it changed.
    onSettled: (_answer, error) => {
      const refreshed = refresh(client);
      return error === null ? refreshed : undefined;
    },
  });
  const problem = mutation.error === null ? undefined : { header: failed, error: mutation.error };
  return { run: mutation.mutate, isRunning: mutation.isPending, problem };
}

const delayMs = 300;

/** A value that follows another one when it has not changed for a moment: a search is not sent for every key. */
export function useDelayed<Value>(value: Value): Value {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), delayMs);
    return () => clearTimeout(timer);
  }, [value]);
  return delayed;
}
