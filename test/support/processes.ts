// Processes of this machine, on Linux and macOS.
import { execFileSync } from 'node:child_process';

interface Row {
  readonly pid: number;
  readonly parent: number;
  /** `Z` is one that has ended, and whose parent has not noticed. */
  readonly state: string;
  readonly command: string;
}

const rows = (): readonly Row[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,state=,args='], { encoding: 'utf8', maxBuffer: 16 * 1024 ** 2 })
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .map((found) => ({
      pid: Number(found?.[1]),
      parent: Number(found?.[2]),
      state: found?.[3] ?? '',
      command: found?.[4] ?? '',
    }));

export const isRunning = (pid: number): boolean => rows().some((row) => row.pid === pid && !row.state.startsWith('Z'));

/** Every process below `ancestor`, whatever its process group, whose command line contains `words`. */
export function descendants(ancestor: number, words = ''): number[] {
  const all = rows();
  const below = (pid: number): Row[] =>
    all.filter(({ parent }) => parent === pid).flatMap((row) => [row, ...below(row.pid)]);
  return below(ancestor)
    .filter(({ command, state }) => command.includes(words) && !state.startsWith('Z'))
    .map(({ pid }) => pid);
}
