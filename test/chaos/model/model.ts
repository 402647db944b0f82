// The model: what users requested. It has no requests, leases or messages, only the numbers that may be ported.
import type { Dropped } from '../invariants.ts';
import type { Row } from '../scenario.ts';

/** A file in the model. */
export interface File {
  readonly key: string;
  readonly rows: readonly Row[];
  /** Nothing of it may be sent before it is approved. */
  isHeld: boolean;
  /** A day that cannot be booked yet. @default auto */
  readonly connectionDate?: string | undefined;
  /** Set by the simulation. */
  dropped?: Dropped & { readonly etag: string };
}

export interface Model {
  readonly files: File[];
  /** The number of executed commands. A sequence has more: some cannot run in the current state. */
  steps: number;
}

export const createModel = (): Model => ({ files: [], steps: 0 });

/** The files in S3 with their versions. */
export const droppedFiles = ({ files }: Model): Dropped[] =>
  files.flatMap(({ dropped, isHeld }) => (dropped === undefined ? [] : { ...dropped, isHeld }));
