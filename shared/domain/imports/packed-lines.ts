// Line numbers in a short, readable form: `2-5,8,11-40`.

/** Packs line numbers in their order; only consecutive numbers are joined. */
export function packLines(lines: readonly number[]): string {
  const runs: string[] = [];
  let first = 0;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as number;
    if (lines[index + 1] === line + 1) continue;
    const start = lines[first] as number;
    runs.push(start === line ? String(line) : `${start}-${line}`);
    first = index + 1;
  }
  return runs.join(',');
}

/**
 * The line numbers that `packLines` packed, in their order.
 * @throws Error for any other text
 */
export function unpackLines(packed: string): number[] {
  if (packed === '') return [];
  return packed.split(',').flatMap((run) => {
    const [, start, end = start] = /^(\d+)(?:-(\d+))?$/.exec(run) ?? [];
    if (start === undefined) throw new Error(`expected line numbers such as 2-5,8, got ${JSON.stringify(run)}`);
    return Array.from({ length: Number(end) - Number(start) + 1 }, (_, step) => Number(start) + step);
  });
}
