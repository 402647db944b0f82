// The simple model: what people asked for. It knows nothing of requests, leases or messages, only which numbers may be ported.
import type { Dropped } from '../invariants.ts';
import type { Row } from '../scenario.ts';

/** A file as the model knows it. */
export interface File {
  readonly key: string;
  readonly rows: readonly Row[];
  /** Nothing of it may be sent until somebody approves it. */
  isHeld: boolean;
  /** Filled by the world. */
  dropped?: Dropped & { readonly etag: string };
}

export interface Model {
  readonly files: File[];
  /** What happened so far: a sequence has more, some of which cannot happen when their turn comes. */
  steps: number;
}

export const createModel = (): Model => ({ files: [], steps: 0 });

/** The files that S3 holds, each with the version that it was given. */
export const droppedFiles = ({ files }: Model): Dropped[] =>
  files.flatMap(({ dropped, isHeld }) => (dropped === undefined ? [] : { ...dropped, isHeld }));
