// Windows-1252, in which spreadsheet programs save "CSV" on Windows.

/** Five bytes have no character. */
const undefinedBytes = /[\x81\x8d\x8f\x90\x9d]/;
/** Two or more bytes that are one character of UTF-8: in Windows-1252 they would be garbage such as "Ã©". */
const utf8Sequence = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

/** undefined: a byte has no character in Windows-1252. */
export function decodeWindows1252(bytes: Buffer): string | undefined {
  if (undefinedBytes.test(bytes.toString('latin1'))) return undefined;
  return new TextDecoder('windows-1252').decode(bytes);
}

/** Behind the end of a file, the rest of a character of UTF-8 may be missing. */
const cutSequence = /[\xc2-\xf4][\x80-\xbf]*$/;

/** undefined: the bytes may be something else. @param place where in the file the bytes are */
export function decodeWindows1252ForCertain(bytes: Buffer, place: 'end' | 'before the end'): string | undefined {
  const text = bytes.toString('latin1');
  const mayBeUtf8 = utf8Sequence.test(text) || (place === 'end' && cutSequence.test(text));
  return mayBeUtf8 ? undefined : decodeWindows1252(bytes);
}
