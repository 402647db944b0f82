// Detects by its first bytes whether a file is text, and in which encoding.
import { FileError } from './file-error.ts';

export const encodingNames = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type EncodingName = (typeof encodingNames)[number];

export interface Encoding {
  readonly name: EncodingName;
  /** Length of the byte order mark in bytes. */
  readonly markLength: number;
}

/** This many bytes are enough to decide. */
export const headLength = 1024;

const saveAs = 'Save the table as .xlsx or as "CSV UTF-8"';
/** A workbook with a password is stored in the container of the old format. */
const oldOrEncryptedWorkbook =
  'an old Excel workbook (.xls) or one with a password. Save it as .xlsx without a password, or as "CSV UTF-8"';

const otherFormats: readonly (readonly [readonly number[], string])[] = [
  [[0x1f, 0x8b], 'a gzip archive: unpack it first'],
  [[0x50, 0x4b, 0x03, 0x04], 'a zip archive: unpack it first'],
  [[0x50, 0x4b, 0x05, 0x06], `an empty zip archive. ${saveAs}`],
  [[0xd0, 0xcf, 0x11, 0xe0], oldOrEncryptedWorkbook],
  [[0x25, 0x50, 0x44, 0x46], `a PDF document. ${saveAs}`],
  [[0x42, 0x5a, 0x68], 'a bzip2 archive: unpack it first'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'a Zstandard archive: unpack it first'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'an xz archive: unpack it first'],
  [[0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], 'a 7-Zip archive: unpack it first'],
  [[0x50, 0x41, 0x52, 0x31], `a Parquet file. ${saveAs}`],
  [[0x89, 0x50, 0x4e, 0x47], `an image. ${saveAs}`],
  [[0xff, 0xd8, 0xff], `an image. ${saveAs}`],
];

/** The UTF-8 byte order mark, decoded as Windows-1252 and saved again. */
const savedMark = [0xc3, 0xaf, 0xc2, 0xbb, 0xc2, 0xbf];

const byteOrderMarks: readonly (readonly [readonly number[], Encoding['name']])[] = [
  [[0xef, 0xbb, 0xbf, ...savedMark], 'utf-8'],
  [savedMark, 'utf-8'],
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

const utf32Marks = [
  [0xff, 0xfe, 0x00, 0x00],
  [0x00, 0x00, 0xfe, 0xff],
];

/**
 * The encoding of the byte order mark, or UTF-8 without one.
 * @param given the encoding that the user named: the bytes must not contradict it, or codes in them look like others
 * @throws FileError when this is not a CSV file, or not of this encoding
 */
export function detectEncoding(head: Uint8Array, given?: EncodingName): Encoding {
  const matches = ([bytes]: readonly [readonly number[], unknown]) => startsWith(head, bytes);
  const otherFormat = otherFormats.find(matches);
  if (otherFormat !== undefined) throw new FileError('FILE_NOT_CSV', `this is not a CSV file but ${otherFormat[1]}`);
  if (utf32Marks.some((bytes) => startsWith(head, bytes))) {
    throw new FileError('FILE_ENCODING', 'the file is UTF-32: save it as UTF-8', 1);
  }
  const mark = byteOrderMarks.find(matches);
  if (mark !== undefined && given !== undefined && mark[1] !== given) throw contradiction(mark[1], given);
  if (mark !== undefined) return { name: mark[1], markLength: mark[0].length };
  if (given?.startsWith('utf-16')) {
    const found = utf16Of(head);
    if (found !== given) throw contradiction(found ?? 'not UTF-16', given);
    return { name: given, markLength: 0 };
  }
  rejectBinary(head);
  if (given !== undefined) return { name: given, markLength: 0 };
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(Buffer.from(head.subarray(0, 64)).toString('latin1'))) {
    throw new FileError('FILE_NOT_CSV', `this is not a CSV file but a web page or an XML document. ${saveAs}`);
  }
  return { name: 'utf-8', markLength: 0 };
}

export const contradiction = (found: string, given: EncodingName): FileError =>
  new FileError('FILE_ENCODING', `the file is ${found}, and the encoding that you named is ${given}: leave it out`, 1);

/** undefined: too few NUL bytes are beside each other's letters. */
function utf16Of(head: Uint8Array): EncodingName | undefined {
  const [even, odd] = countNuls(head);
  if (even + odd <= head.length / 10 || Math.max(even, odd) <= 4 * Math.min(even, odd)) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function countNuls(head: Uint8Array): [even: number, odd: number] {
  const nuls: [number, number] = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) nuls[index % 2 === 0 ? 0 : 1] += 1;
  return nuls;
}

/** Text has no NUL bytes; UTF-16 has one beside each Latin letter. The check of its cell reports a single NUL. */
function rejectBinary(head: Uint8Array): void {
  const [even, odd] = countNuls(head);
  if (even + odd < 4 || even + odd <= head.length / 10) return;
  if (utf16Of(head) !== undefined)
    throw new FileError('FILE_ENCODING', 'the file is UTF-16 without a byte order mark: save it as UTF-8', 1);
  throw new FileError('FILE_NOT_CSV', `this is not a CSV file but binary data. ${saveAs}`);
}

const startsWith = (head: Uint8Array, bytes: readonly number[]): boolean =>
  bytes.every((byte, index) => head[index] === byte);
