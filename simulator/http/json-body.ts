// Reads a JSON body that every store can keep: whole Unicode text, and no deeper than any request has to be.
import { malformedRequest, Problem } from './problem.ts';

const maxDepth = 100;

type Path = readonly (string | number)[];

const problem = (message: string): Problem => malformedRequest([{ path: [], message }], 'body');

/** Half of a surrogate pair, as `"\ud83d"`, is valid JSON but not text: a database rejects it. */
function checkText(text: string, path: Path): void {
  if (text.isWellFormed()) return;
  throw malformedRequest([{ path, message: 'has half of a surrogate pair, which is not Unicode text' }], 'body');
}

/** A loop and not a recursion: a body may be nested deeper than the stack. */
function checkValues(body: unknown): void {
  const left: { readonly value: unknown; readonly path: Path }[] = [{ value: body, path: [] }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') checkText(value, path);
    if (typeof value !== 'object' || value === null) continue;
    if (path.length >= maxDepth) throw problem(`expected at most ${maxDepth} levels`);
    for (const [key, inner] of Object.entries(value)) {
      checkText(key, path);
      left.push({ value: inner, path: [...path, Array.isArray(value) ? Number(key) : key] });
    }
  }
}

/** What happens to bytes that are not UTF-8. */
type InvalidUtf8 = 'reject' | 'replace';

function decode(bytes: ArrayBuffer, invalid: InvalidUtf8): string {
  try {
    return new TextDecoder('utf-8', { fatal: invalid === 'reject' }).decode(bytes);
  } catch {
    throw problem('expected UTF-8');
  }
}

/** @throws Problem 400 for what is not JSON, not Unicode, or not UTF-8 where that is rejected */
export function readJsonBody(bytes: ArrayBuffer, invalid: InvalidUtf8): unknown {
  const text = decode(bytes, invalid);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Problem(400, 'The body is not JSON.', { errors: [{ field: 'body', message: 'expected JSON' }] });
  }
  checkValues(body);
  return body;
}
