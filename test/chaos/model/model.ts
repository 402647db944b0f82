// The model: what users requested. It has no requests, leases or messages, only the numbers that may be ported.

import { type Dropped, importOf } from '../outcome.ts';
import type { Row } from '../scenario.ts';

/** A file in the model. */
export interface File {
  readonly key: string;
  readonly rows: readonly Row[];
  /** Nothing of it may be sent before it is approved. */
  readonly isHeld: boolean;
  /** The plan that the person has seen. @default - they see the present one */
  seen?: string | undefined;
  /** The plans that people approved. */
  readonly approved: Set<string>;
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

/** The files in S3 with their versions. A file waits until an approval has taken effect. */
export const droppedFiles = ({ files }: Model, items: Parameters<typeof importOf>[1]['items']): Dropped[] =>
  files.flatMap(({ dropped, isHeld, approved }) => {
    if (dropped === undefined) return [];
    const isApproved = importOf(dropped, { items })?.approvedAt !== undefined;
    return { ...dropped, isHeld: isHeld && !isApproved, ...(isHeld && { approved }) };
  });
