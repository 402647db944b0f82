// Differences between the service and its document: each kind is written once, and with its count at the end.
import { maskedPath } from './masked.ts';

export interface FoundDifference {
  readonly method: string;
  /** The path in the document, such as `/api/porting/{accountId}`. */
  readonly path: string;
  /** Null without an answer. */
  readonly status: number | null;
  /** JSON pointer into the body; empty for all of it. */
  readonly pointer: string;
  readonly expected: string;
}

interface Counted {
  readonly first: FoundDifference;
  count: number;
}

/** A kind is one place of the schema: the index in a list makes no difference. */
const kindOf = ({ pointer, ...rest }: FoundDifference): string =>
  JSON.stringify([rest, pointer.replace(/\/\d+(?=\/|$)/g, '/*')]);

const textOf = ({ method, path, status, pointer, expected }: FoundDifference): string =>
  `${method} ${path} ${status ?? 'no answer'}${pointer && ` ${pointer}`}: expected ${expected}`;

export function createDifferenceReport(format: 'text' | 'json', write: (line: string) => void) {
  const kinds = new Map<string, Counted>();
  let answers = 0;
  const line = (text: string, value: object): void => write(format === 'json' ? JSON.stringify(value) : text);
  const add = (found: FoundDifference): void => {
    const kind = kindOf(found);
    const known = kinds.get(kind);
    if (known) {
      known.count += 1;
      return;
    }
    const first = { ...found, path: maskedPath(found.path) };
    kinds.set(kind, { first, count: 1 });
    line(`difference: ${textOf(first)}`, first);
  };
  return {
    /** What one answer lacks; nothing if it is as described. */
    add(found: readonly FoundDifference[]): void {
      answers += 1;
      found.forEach(add);
    },
    /** Writes the kinds with their counts. */
    finish(): void {
      for (const { first, count } of kinds.values()) line(`${count} x ${textOf(first)}`, { ...first, count });
      line(`${answers} calls, ${kinds.size} kinds of difference`, { calls: answers, kinds: kinds.size });
    },
  };
}

export type DifferenceReport = ReturnType<typeof createDifferenceReport>;
