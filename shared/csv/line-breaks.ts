// Lines as an editor counts them: CRLF, LF and CR end one each, mixed as they come.

const carriageReturn = 13;
const lineFeed = 10;

/** Where some text ends. */
export interface TextEnd {
  /** The line on which it ends. */
  readonly line: number;
  /** A line feed that follows belongs to a line end that was counted. */
  readonly afterReturn: boolean;
}

/** Where these bytes end, which begin on `line`. */
export const textEnd = (bytes: Buffer, line: number): TextEnd => ({
  line: line + createLineCounter().count(bytes),
  afterReturn: bytes.at(-1) === carriageReturn,
});

/** Counts line ends over chunks; a CRLF cut in two between them counts once. */
export function createLineCounter(afterReturn = false): { count(bytes: Buffer): number } {
  return {
    /** Line ends in these bytes, a LF that completes the last chunk's CR left out. */
    count(bytes) {
      if (bytes.length === 0) return 0;
      // Hops of the native search: every byte of every file passes here.
      let ends = 0;
      for (let at = bytes.indexOf(carriageReturn); at >= 0; at = bytes.indexOf(carriageReturn, at + 1)) ends++;
      for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
        if (at === 0 ? !afterReturn : bytes[at - 1] !== carriageReturn) ends++;
      }
      afterReturn = bytes.at(-1) === carriageReturn;
      return ends;
    },
  };
}

/** Line breaks inside a text. */
export function lineBreaksIn(text: string): number {
  if (!text.includes('\n') && !text.includes('\r')) return 0;
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
