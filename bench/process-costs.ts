// CPU time and peak memory of this process and its descendants, from /proc. Other systems than Linux have no such
// folder; the result is empty there.
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessCost {
  readonly command: string;
  /** The Lambda function that the process runs, if any. */
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

/** By process id. Processes that end during the reading are left out. */
export function processCosts(): ReadonlyMap<number, ProcessCost> {
  const stats = new Map(pids().map((pid) => [pid, readStat(pid)]));
  const isDescendant = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || isDescendant(stats.get(pid)?.parent));
  const costs = new Map<number, ProcessCost>();
  for (const [pid, stat] of stats) {
    const cost = stat && isDescendant(pid) ? readCost(pid, stat) : undefined;
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

/** Undefined if the process has ended or belongs to another user. */
function read(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function readStat(pid: number): Stat | undefined {
  // The name of the program is in parentheses and may contain spaces.
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
