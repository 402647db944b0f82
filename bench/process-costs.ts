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

interface Stat {
  readonly parent: number;
  readonly cpuMs: number;
}

/** By process id; those that end while they are read are left out. Of the processes of others only the parent is read. */
export function processCosts(root = process.pid): ReadonlyMap<number, ProcessCost> {
  const stats = new Map(pids().map((pid) => [pid, readStat(pid)]));
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isBelow(stats.get(pid)?.parent));
  const costs = new Map<number, ProcessCost>();
  for (const [pid, stat] of stats) {
    const cost = stat && isBelow(pid) ? readCost(pid, stat) : undefined;
    if (cost !== undefined) costs.set(pid, cost);
  }
  return costs;
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** undefined: it has ended, or belongs to somebody else, and then it is none of ours. */
function read(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function readStat(pid: number): Stat | undefined {
  // The program's name stands in brackets and may hold spaces: what counts begins behind the last of them.
  const fields = read(pid, 'stat')?.split(') ').at(-1)?.split(' ');
  if (fields === undefined) return undefined;
  const [, parent, , , , , , , , , , user, system] = fields;
  return { parent: Number(parent), cpuMs: (Number(user) + Number(system)) * tickMs };
}

function readCost(pid: number, { cpuMs }: Stat): ProcessCost | undefined {
  const [command, environment, status] = [read(pid, 'cmdline'), read(pid, 'environ'), read(pid, 'status')];
  if (command === undefined || environment === undefined || status === undefined) return undefined;
  const peakKb = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
  return {
    command: command.replaceAll('\0', ' ').trim(),
    functionName: /(?:^|\0)AWS_LAMBDA_FUNCTION_NAME=([^\0]+)/.exec(environment)?.[1],
    cpuMs,
    peakRssMb: Math.round(Number(peakKb ?? 0) / 1024),
  };
}
