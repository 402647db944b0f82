// Mutants that live because they change nothing that anybody can see, each with the reason. One that is not found any more,
// or is killed by now, is a complaint.

export interface Equivalent {
  readonly file: string;
  /** The code that the mutant changes, in one line. */
  readonly code: string;
  readonly replacement: string;
  readonly because: string;
}

export const equivalents: readonly Equivalent[] = [];
