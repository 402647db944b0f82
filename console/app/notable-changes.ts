// What has happened between two answers about the newest imports.
import type { Answer } from '../api/types.ts';

type Events = Answer<'getEvents'>;
type Watched = Events['imports'][number];

export interface Notable {
  readonly importId: string;
  readonly file: string;
  readonly kind: 'finished' | 'rejected' | 'action';
}

const ends = ['finished', 'rejected'] as const;

export function notableChanges(before: Events, now: Events): Notable[] {
  const earlier = new Map(before.imports.map((item) => [item.importId, item]));
  const [{ changedAt: latest = '' } = {}] = before.imports;
  return now.imports.flatMap((item) => {
    const was = earlier.get(item.importId) ?? (item.changedAt > latest ? unseen : item);
    const kind = kindOf(was, item);
    return kind === undefined ? [] : [{ importId: item.importId, file: item.file, kind }];
  });
}

/** A new import may have ended before the next answer. */
const unseen = { state: 'planning', actionRequired: 0 } as const;

function kindOf(
  was: Pick<Watched, 'state' | 'actionRequired'>,
  { state, actionRequired }: Watched,
): Notable['kind'] | undefined {
  if (actionRequired > was.actionRequired) return 'action';
  return state === was.state ? undefined : ends.find((end) => end === state);
}
