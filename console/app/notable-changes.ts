// What has happened between two answers about the imports that changed last.
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
  return now.imports.flatMap((item) => {
    const kind = kindOf(earlier.get(item.importId), item);
    return kind === undefined ? [] : [{ importId: item.importId, file: item.file, kind }];
  });
}

function kindOf(was: Watched | undefined, { state, actionRequired }: Watched): Notable['kind'] | undefined {
  // Every import begins in another state: one that was not in the list before is an old one.
  if (was === undefined) return undefined;
  if (actionRequired > was.actionRequired) return 'action';
  return state === was.state ? undefined : ends.find((end) => end === state);
}
