// Lines as an editor counts them: CRLF, LF and CR end one each, mixed as they come.

const carriageReturn = 13;
const lineFeed = 10;

/** Counts line ends over chunks; a CRLF cut in two between them counts once. */
export function createLineCounter(): { count(bytes: Buffer): number } {
  let afterReturn = false;
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
