// Declines a write about a line that several rows of the import have: it could be done to another number.
import { ApiProblem } from '../http/api-problem.ts';

/**
 * A file can be joined from the corrections of several imports, and then two of its rows may have the same line.
 * @throws ApiProblem
 */
export function checkLinesAreUnique(lines: readonly number[]): void {
  const line = findRepeated(lines);
  if (line === undefined) return;
  const detail = `Several rows have line ${line}, so it is not certain which one you mean.`;
  const advice = 'If the file has rows of several imports, import the rows of each import as a separate file.';
  throw new ApiProblem('line-not-unique', `${detail} ${advice}`, { changed: { line } });
}

function findRepeated(lines: readonly number[]): number | undefined {
  const seen = new Set<number>();
  for (const line of lines) {
    if (seen.has(line)) return line;
    seen.add(line);
  }
  return undefined;
}
