// What a parser of one cell answers: a value, perhaps with a remark, or the finding that refuses it.
import type { Finding } from './issue.ts';

export interface Accepted<T> {
  readonly ok: true;
  readonly value: T;
  /** A warning or a notice; never an error. */
  readonly finding?: Finding;
}

export interface Refused {
  readonly ok: false;
  readonly finding: Finding;
}

export type Parsed<T> = Accepted<T> | Refused;

export const accepted = <T>(value: T, finding?: Finding): Accepted<T> =>
  finding === undefined ? { ok: true, value } : { ok: true, value, finding };

export const refused = (finding: Finding): Refused => ({ ok: false, finding });
