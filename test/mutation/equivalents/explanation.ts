// Why mutants of a file change nothing that anybody can see.

export interface Explanation {
  readonly file: string;
  readonly because: string;
  readonly mutants: readonly {
    /** The code that the mutant changes, in one line. */
    readonly code: string;
    /** A part of the line with the code, if the file has the same code elsewhere. */
    readonly on?: string;
    /** How often the file has that part, or the code. @default 1 */
    readonly times?: number;
    readonly replacement: string;
  }[];
}

/** What Stryker writes into an empty array. */
export const initially = '["Stryker was here"]';
/** What Stryker writes into an empty text. */
export const text = '"Stryker was here!"';
