// Counts lines as a text editor does: CRLF, LF and CR each end one, also mixed in one file.

const carriageReturn = 13;
const lineFeed = 10;

export interface TextEnd {
  /** The line on which the text ends. */
  readonly line: number;
  /** The text ends with CR: a following LF belongs to a line end that is already counted. */
  readonly afterReturn: boolean;
}

/** Where a text ends that begins on `line`. */
export const endOf = (bytes: Buffer, line: number): TextEnd => ({
  line: line + createLineCounter().count(bytes),
  afterReturn: bytes.at(-1) === carriageReturn,
});

/** Counts line ends over chunks, from the end of another text; a CRLF that is cut in two counts once. */
export function createLineCounter(previous?: TextEnd): { count(bytes: Buffer): number } {
  let afterReturn = previous?.afterReturn ?? false;
  return {
    count(bytes) {
      if (bytes.length === 0) return 0;
      let ends = 0;
      // `indexOf` searches natively, which is faster than a loop over the bytes.
      for (let at = bytes.indexOf(carriageReturn); at >= 0; at = bytes.indexOf(carriageReturn, at + 1)) ends++;
      for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
        if (at === 0 ? !afterReturn : bytes[at - 1] !== carriageReturn) ends++;
      }
      afterReturn = bytes.at(-1) === carriageReturn;
      return ends;
    },
  };
}

export function lineBreaksIn(text: string): number {
  if (!text.includes('\n') && !text.includes('\r')) return 0;
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
