// Rows of the same kind have the same bytes in all their cells but the plain ones, and the same of those filled. Kinds are
// found by a hash of these bytes and compared byte by byte, so two kinds are never taken for one.
import { type CellSpans, flagBits, quotedFlag } from '#shared/csv/records.ts';

export interface RowKind<Lesson> {
  readonly filled: number;
  readonly bytes: DataView;
  /** Where in `bytes` each stretch of cells ends. */
  readonly ends: readonly number[];
  /** Undefined until something is known. */
  lesson: Lesson | undefined;
}

export interface RowKinds<Lesson> {
  /**
   * The kind of the record with its bounds at `at`; undefined the first time, when only its hash is remembered: a file
   * may have as many kinds as rows.
   * @param filled which of its plain cells are filled, one bit each
   */
  of(spans: CellSpans, at: number, filled: number): RowKind<Lesson> | undefined;
  clear(): void;
}

/** So many are remembered at a time. */
const maxKinds = 10_000;
const wordBytes = 4;

/** @param others the indexes of the cells that tell the kind */
export function createRowKinds<Lesson>(others: readonly number[]): RowKinds<Lesson> {
  const stretches = stretchesOf(others);
  const firsts = Int32Array.from(stretches, ([first]) => first);
  const lasts = Int32Array.from(stretches, ([, last]) => last);
  const known = new Map<number, RowKind<Lesson>>();
  /** Hashes of kinds of which one row was met. */
  const met = new Set<number>();
  let spans: CellSpans | undefined;
  let view: DataView = new DataView(new ArrayBuffer(0));
  // Of the record in hand: where each stretch begins and ends.
  const starts = new Int32Array(stretches.length);
  const ends = new Int32Array(stretches.length);

  const look = (next: CellSpans): void => {
    const { buffer, byteOffset, length } = next.bytes;
    spans = next;
    view = new DataView(buffer, byteOffset, length);
  };

  /** With their quotes, so that what stands between them can be read in one way only. */
  const findStretches = (bounds: Int32Array, at: number): void => {
    for (let place = 0; place < stretches.length; place += 1) {
      const first = at + 2 * (firsts[place] as number);
      const lastEnd = bounds[at + 2 * (lasts[place] as number) + 1] as number;
      starts[place] = (bounds[first] as number) - ((bounds[first + 1] as number) & quotedFlag);
      ends[place] = (lastEnd >> flagBits) + (lastEnd & quotedFlag);
    }
  };

  const hashOf = (filled: number): number => {
    let hash = filled;
    for (let place = 0; place < starts.length; place += 1) {
      const end = ends[place] as number;
      let at = starts[place] as number;
      for (; at + wordBytes <= end; at += wordBytes) hash = mixed(hash ^ view.getInt32(at));
      for (; at < end; at += 1) hash = mixed(hash ^ view.getUint8(at));
      hash = mixed(hash ^ (end - (starts[place] as number)));
    }
    return hash;
  };

  const isOfKind = (kind: RowKind<Lesson>, filled: number): boolean => {
    if (kind.filled !== filled) return false;
    let from = 0;
    for (let place = 0; place < starts.length; place += 1) {
      const end = kind.ends[place] as number;
      const start = starts[place] as number;
      if (end - from !== (ends[place] as number) - start || !sameBytes(kind.bytes, from, end, view, start))
        return false;
      from = end;
    }
    return true;
  };

  /** Whether a row with this hash was met before. */
  const wasMet = (hash: number): boolean => {
    if (met.delete(hash)) return true;
    if (met.size >= maxKinds) met.clear();
    met.add(hash);
    return false;
  };

  const remember = (hash: number, filled: number): RowKind<Lesson> => {
    if (known.size >= maxKinds) known.clear();
    const length = starts.reduce((sum, start, place) => sum + (ends[place] as number) - start, 0);
    const bytes = new Uint8Array(length);
    const kindEnds: number[] = [];
    let to = 0;
    for (let place = 0; place < starts.length; place += 1) {
      for (let at = starts[place] as number; at < (ends[place] as number); at += 1) bytes[to++] = view.getUint8(at);
      kindEnds.push(to);
    }
    const kind = { filled, bytes: new DataView(bytes.buffer), ends: kindEnds, lesson: undefined };
    known.set(hash, kind);
    return kind;
  };

  return {
    of: (next, at, filled) => {
      if (next !== spans) look(next);
      findStretches(next.bounds, at);
      const hash = hashOf(filled);
      const kind = known.get(hash);
      if (kind !== undefined && isOfKind(kind, filled)) return kind;
      return wasMet(hash) ? remember(hash, filled) : undefined;
    },
    clear: () => {
      known.clear();
      met.clear();
    },
  };
}

/** First and last of the indexes that stand side by side. */
function stretchesOf(indexes: readonly number[]): [number, number][] {
  const stretches: [number, number][] = [];
  for (const index of [...indexes].sort((one, other) => one - other)) {
    const last = stretches.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else stretches.push([index, index]);
  }
  return stretches;
}

function mixed(hash: number): number {
  const product = Math.imul(hash, 0x9e3779b1);
  return product ^ (product >>> 15);
}

function sameBytes(one: DataView, from: number, to: number, other: DataView, start: number): boolean {
  let at = from;
  const shift = start - from;
  for (; at + wordBytes <= to; at += wordBytes) if (one.getInt32(at) !== other.getInt32(at + shift)) return false;
  for (; at < to; at += 1) if (one.getUint8(at) !== other.getUint8(at + shift)) return false;
  return true;
}
