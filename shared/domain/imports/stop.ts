// Whether a person has stopped an import: what was not sent then stays so until the import is resumed, or for good.
import type { ImportItem } from '#shared/import/import.ts';
import type { RequestError, RequestItem } from '#shared/request/request.ts';
import type { RequestedBy, StopKind } from '../../items/import-stop.ts';

export type ActiveStop = Exclude<StopKind, 'none'>;

export type Stoppable = Pick<ImportItem, 'stop'>;

/** undefined: all of its requests are sent. */
export function activeStop({
  stop,
}: Stoppable): (RequestedBy & { readonly at: string; readonly kind: ActiveStop }) | undefined {
  return stop === undefined || stop.kind === 'none' ? undefined : { ...stop, kind: stop.kind };
}

export const stopOf = (item: Stoppable): ActiveStop | undefined => activeStop(item)?.kind;

/** The `error` of a request that was not sent because its import was stopped. */
export const stoppedError: RequestError = {
  kind: 'stopped',
  message: 'The import was stopped before the row was sent',
};

/** Not sent, because a person stopped the import. */
export const isStopped = ({ error }: Pick<RequestItem, 'error'>): boolean => error?.kind === stoppedError.kind;

/** Why a person cannot stop or resume the import; undefined where they can. */
export function findStopProblem(item: ImportItem, kind: StopKind): string | undefined {
  const { state, planOnly, approvedAt, stop } = item;
  if (state === 'rejected') return 'Nothing of this import is sent: it was rejected';
  if (state === 'finished') return 'Every request of this import has ended';
  if (state === 'planned' && planOnly && approvedAt === undefined)
    return 'Nothing of this import is sent before its approval';
  if (stop?.kind === 'for-good') return 'What this import had not sent was ended for good: import the rows again';
  if (kind !== 'none') return stop?.kind === kind ? 'This import is stopped already' : undefined;
  return stopOf(item) === undefined && state !== 'stopped' ? 'This import is not stopped' : undefined;
}
