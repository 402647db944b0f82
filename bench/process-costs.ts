// What this process and each below it have cost so far: CPU time and most memory, from /proc. Where there is no such folder
// (it is Linux's) nothing is known of any process.
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessCost {
  readonly command: string;
  /** The Lambda function that the process runs; undefined for any other process. */
  readonly functionName: string | undefined;
  readonly cpuMs: number;
  readonly peakRssMb: number;
}

/** The kernel counts CPU time in hundredths of a second. */
const tickMs = 10;

interface Read {
  readonly parent: number;
  readonly cost: ProcessCost;
}

/** By process id; those that end while they are read are left out. */
export function processCosts(root = process.pid): ReadonlyMap<number, ProcessCost> {
  const all = new Map<number, Read>();
  for (const pid of pids()) {
    const read = readProcess(pid);
    if (read !== undefined) all.set(pid, read);
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isBelow(all.get(pid)?.parent));
  return new Map([...all].filter(([pid]) => isBelow(pid)).map(([pid, { cost }]) => [pid, cost]));
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function readProcess(pid: number): Read | undefined {
  try {
    const read = (file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8');
    // The program's name stands in brackets and may hold spaces: what counts begins behind the last of them.
    const [, parent, , , , , , , , , , user, system] = (read('stat').split(') ').at(-1) ?? '').split(' ');
    const peakKb = /^VmHWM:\s+(\d+) kB/m.exec(read('status'))?.[1];
    const cost = {
      command: read('cmdline').replaceAll('\0', ' ').trim(),
      functionName: /(?:^|\0)AWS_LAMBDA_FUNCTION_NAME=([^\0]+)/.exec(read('environ'))?.[1],
      cpuMs: (Number(user) + Number(system)) * tickMs,
      peakRssMb: Math.round(Number(peakKb ?? 0) / 1024),
    };
    return { parent: Number(parent), cost };
  } catch {
    // It has ended, or belongs to somebody else: then it is none of ours.
    return undefined;
  }
}
