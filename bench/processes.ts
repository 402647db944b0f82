// CPU time, memory and open files of this process and its descendants, from /proc, by what they do. Other systems than
// Linux have no such folder; the result is empty there.
import { readdirSync, readFileSync } from 'node:fs';

interface ProcessCost {
  readonly command: string;
  /** The Lambda function that the process runs, if any. */
  readonly functionName: string | undefined;
  readonly cpuMs: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
  /** Open files, sockets and pipes. */
  readonly handles: number;
}

/** The kernel counts CPU time in hundredths of a second. */
const tickMs = 10;

interface Stat {
  readonly parent: number;
  readonly cpuMs: number;
}

/** By process id. Processes that end during the reading are left out. */
function processCosts(): ReadonlyMap<number, ProcessCost> {
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
  const megabytes = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024);
  return {
    command: command.replaceAll('\0', ' ').trim(),
    functionName: /(?:^|\0)AWS_LAMBDA_FUNCTION_NAME=([^\0]+)/.exec(environment)?.[1],
    cpuMs,
    rssMb: megabytes('VmRSS'),
    peakRssMb: megabytes('VmHWM'),
    handles: countHandles(pid),
  };
}

function countHandles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

export interface StageCost {
  readonly processes: number;
  readonly cpuMs: number;
  /** Of the largest process. */
  readonly peakRssMb: number;
}
export type Stages = Readonly<Record<string, StageCost>>;

/** Reading the figures of every process costs CPU time itself. */
const sampleEveryMs = 1_000;

/** The process of the emulator contains S3, SQS, the pollers of Lambda and this program. */
function stageOf({ command, functionName }: ProcessCost): string {
  if (functionName !== undefined) return /-(\w+)Function$/.exec(functionName)?.[1]?.toLowerCase() ?? functionName;
  if (command.includes('dynoxide')) return 'table';
  return command.includes('simulator') ? 'service' : 'emulator';
}

/** What the processes of one stage hold at one moment. */
export interface StageSize {
  readonly stage: string;
  readonly processes: number;
  /** Of the largest process. */
  readonly rssMb: number;
  readonly peakRssMb: number;
  readonly handles: number;
}

/** The descendants of this process, without itself. */
export function stageSizes(): StageSize[] {
  const others = [...processCosts()].filter(([pid, { peakRssMb }]) => pid !== process.pid && peakRssMb > shellMb);
  const byStage = Map.groupBy(others, ([, cost]) => stageOf(cost));
  return [...byStage].map(([stage, processes]) => {
    const most = (name: 'rssMb' | 'peakRssMb' | 'handles') => Math.max(...processes.map(([, cost]) => cost[name]));
    return {
      stage,
      processes: processes.length,
      rssMb: most('rssMb'),
      peakRssMb: most('peakRssMb'),
      handles: most('handles'),
    };
  });
}

/** Keeps the last sample of every process: some end before the run does. */
export function createProcessSampler() {
  const atFirst = processCosts();
  const latest = new Map(atFirst);
  let readAt = 0;
  const sample = (): void => {
    if (performance.now() - readAt < sampleEveryMs) return;
    sampleNow();
  };
  const sampleNow = (): void => {
    readAt = performance.now();
    for (const [pid, cost] of processCosts()) latest.set(pid, cost);
  };
  const stages = (): Stages => {
    sampleNow();
    const byStage = Map.groupBy(latest, ([, cost]) => stageOf(cost));
    const costs = [...byStage].map(([stage, processes]): [string, StageCost] => {
      const cpuMs = processes.reduce((sum, [pid, cost]) => sum + cost.cpuMs - (atFirst.get(pid)?.cpuMs ?? 0), 0);
      return [
        stage,
        {
          processes: processes.filter(([, { peakRssMb }]) => peakRssMb > shellMb).length,
          cpuMs,
          peakRssMb: Math.max(...processes.map(([, { peakRssMb }]) => peakRssMb)),
        },
      ];
    });
    return Object.fromEntries(costs.sort(([one], [other]) => one.localeCompare(other)));
  };
  return { sample, stages };
}

/** Shells that supervise programs are smaller than the programs. */
const shellMb = 10;
