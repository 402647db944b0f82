// The JSON of a planned row in UTF-8, and the hash of what a plan sends. A row is written byte by byte: objects and
// texts for each would give the garbage collector work.
import { hash } from 'node:crypto';
import type { Shape, ValidatedRow } from '#shared/operations/operation.ts';
import type { OperationName } from '#shared/text/identity.ts';

const comma = 0x2c;
const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const tilde = 0x7e;

/** Bytes of UTF-8 for a UTF-16 unit, at most. */
const maxBytesPerUnit = 3;
const usualBytes = 512;

/** One row at a time; the next one is written in its place. */
export class RowJson {
  /** A comma, and behind it the row. */
  bytes: Buffer = Buffer.alloc(usualBytes, comma);
  view = viewOf(this.bytes);
  readonly start = 1;
  end = 1;
  /** Where its line number ends. */
  lineEnd = 1;
  /** Where its PAC is; empty where it has none. */
  pacStart = 1;
  pacEnd = 1;

  /** @param correctedRow the row of an earlier import that it corrects */
  write(line: number, { subject, wire }: ValidatedRow, correctedRow?: string): void {
    this.end = this.start;
    this.#add('{"line":');
    this.#add(String(line));
    this.lineEnd = this.end;
    this.pacStart = this.end;
    this.pacEnd = this.end;
    this.#add(',"subject":');
    this.#addText(subject);
    this.#add(',"wire":');
    this.#addWire(wire);
    if (correctedRow !== undefined) {
      this.#add(',"correctedRow":');
      this.#addText(correctedRow);
    }
    this.#add('}');
  }

  #addWire(wire: ValidatedRow['wire']): void {
    if (wire === null) {
      this.#add('null');
      return;
    }
    let opening = '{"';
    for (const name in wire) {
      const value = wire[name];
      if (value === undefined) continue;
      this.#add(opening);
      this.#add(name);
      this.#add('":');
      opening = ',"';
      const start = this.end;
      if (typeof value === 'string') this.#addText(value);
      else this.#add(String(value));
      if (name !== 'pac' || value === null) continue;
      this.pacStart = start;
      this.pacEnd = this.end;
    }
    this.#add(opening === '{"' ? '{}' : '}');
  }

  /** In quotes, as JSON.stringify does. */
  #addText(text: string): void {
    this.#reserve(text.length + 2);
    const { bytes } = this;
    let to = this.end;
    bytes[to++] = quote;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code < space || code > tilde || code === quote || code === backslash) {
        this.#addEscaped(text);
        return;
      }
      bytes[to++] = code;
    }
    bytes[to++] = quote;
    this.end = to;
  }

  #addEscaped(text: string): void {
    const escaped = JSON.stringify(text);
    this.#reserve(maxBytesPerUnit * escaped.length);
    this.end += this.bytes.write(escaped, this.end);
  }

  /** ASCII. */
  #add(text: string): void {
    this.#reserve(text.length);
    const { bytes } = this;
    let to = this.end;
    for (let at = 0; at < text.length; at += 1) bytes[to++] = text.charCodeAt(at);
    this.end = to;
  }

  #reserve(more: number): void {
    if (this.end + more <= this.bytes.length) return;
    const grown = Buffer.alloc(2 * (this.end + more));
    this.bytes.copy(grown, 0, 0, this.end);
    this.bytes = grown;
    this.view = viewOf(grown);
  }
}

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

/**
 * By which the same rows are recognised in another file or format: the sum of the hashes of all rows, without their
 * lines and PACs, whatever their order and however they are put into requests.
 */
export class ContentHash {
  #rows = 0;
  #high = 0;
  #low = 0;
  readonly #operation: OperationName;
  readonly #row: RowHash = { high: 0, low: 0 };

  constructor(operation: OperationName) {
    this.#operation = operation;
  }

  /** @param head of the row, hashed */
  add(head: HeadHash, { view, lineEnd, pacStart, pacEnd, end }: RowJson): void {
    const row = this.#row;
    row.high = head.high;
    row.low = head.low;
    addBytes(row, view, lineEnd, pacStart);
    addBytes(row, view, pacEnd, end);
    this.#rows += 1;
    this.#high = (this.#high + mix(row.high ^ row.low)) | 0;
    this.#low = (this.#low + mix(row.low ^ mix(row.high))) | 0;
  }

  get value(): string {
    return hash('sha256', `${this.#operation} ${this.#rows} ${this.#high} ${this.#low}`);
  }
}

/** 64 bits are much faster than sha256, and enough to distinguish files. */
interface RowHash {
  high: number;
  low: number;
}

export type HeadHash = Readonly<RowHash>;

export function hashHead({ head }: Shape): HeadHash {
  const bytes = Buffer.from(head);
  const hashed = { high: 0, low: 0 };
  addBytes(hashed, viewOf(bytes), 0, bytes.length);
  return hashed;
}

const wordBytes = 4;

/** The bytes from `start` to `end`. Each bit of the two numbers depends on all bytes. */
function addBytes(hashed: RowHash, bytes: DataView, start: number, end: number): void {
  let high = hashed.high ^ (end - start);
  let { low } = hashed;
  let at = start;
  for (; at + 2 * wordBytes <= end; at += 2 * wordBytes) {
    high = mix(high ^ low ^ bytes.getInt32(at));
    low = mix(low ^ high ^ bytes.getInt32(at + wordBytes));
  }
  for (; at < end; at += 1) {
    high = mix(high ^ low ^ bytes.getUint8(at));
    low = mix(low ^ high);
  }
  hashed.high = high;
  hashed.low = low;
}

function mix(word: number): number {
  const product = Math.imul(word, 0x9e3779b1);
  return product ^ (product >>> 15);
}
