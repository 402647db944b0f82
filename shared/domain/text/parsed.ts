// The result of parsing one cell: a value, perhaps with a finding, or the finding that makes the cell invalid.
import type { Finding } from '#shared/row/issue.ts';

export interface Valid<T> {
  readonly ok: true;
  readonly value: T;
  /** A warning or a notice; never an error. */
  readonly finding?: Finding;
}

export interface Invalid {
  readonly ok: false;
  readonly finding: Finding;
}

export type Parsed<T> = Valid<T> | Invalid;

export const valid = <T>(value: T, finding?: Finding): Valid<T> =>
  finding === undefined ? { ok: true, value } : { ok: true, value, finding };

export const invalid = (finding: Finding): Invalid => ({ ok: false, finding });
