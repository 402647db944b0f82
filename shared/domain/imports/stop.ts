// Whether a person has stopped an import: what was not sent then stays so until the import is resumed, or for good.
import type { ImportItem } from '../../items/import.ts';
import type { StopKind } from '../../items/import-stop.ts';
import type { RequestError, RequestItem } from '../../items/request.ts';

/** after-first: requests wait that are not among the first. */
export type ActiveStop = Exclude<StopKind, 'none'> | 'after-first';

export type Stoppable = Pick<ImportItem, 'stop' | 'behindFirst'>;

interface ShownStop {
  readonly kind: ActiveStop;
  readonly by: string;
  readonly because?: string | undefined;
  readonly at: string;
}

/** undefined: all of its requests are sent. The command of a person comes before what the upload asked for. */
export function activeStop({ stop, behindFirst }: Stoppable): ShownStop | undefined {
  if (stop !== undefined && stop.kind !== 'none') return { ...stop, kind: stop.kind };
  const waiting = waitingBehindFirst({ behindFirst });
  if (waiting === undefined) return undefined;
  const because = 'only the first rows were sent';
  return { kind: 'after-first', by: 'simporter', because, at: waiting.since };
}

export const stopOf = (item: Stoppable): ActiveStop | undefined => activeStop(item)?.kind;

/** While rows wait until those that are sent first are answered and a person resumes the import. */
const waitingBehindFirst = ({ behindFirst }: Stoppable): Stoppable['behindFirst'] =>
  behindFirst?.isResumed ? undefined : behindFirst;

const areFirstAnswered = ({ progress }: Pick<ImportItem, 'progress'>): boolean =>
  progress !== undefined && (progress.unansweredFirstRows ?? 0) === 0;

/**
 * What a resume sends. `first`: a person stopped the import before its first rows were answered, and these go on.
 * `too-early`: the first rows are being sent, and only the others would be left to resume.
 */
export function resumedRows(item: Stoppable & Pick<ImportItem, 'progress'>): 'all' | 'rest' | 'first' | 'too-early' {
  if (waitingBehindFirst(item) === undefined) return 'all';
  if (areFirstAnswered(item)) return 'rest';
  return stopOf(item) === 'after-first' ? 'too-early' : 'first';
}

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
  return stopOf(item) === undefined ? 'This import is not stopped' : undefined;
}
