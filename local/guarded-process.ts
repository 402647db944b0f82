// Programs that must not outlive the engine, not even a `kill -9` of it: a shell stands between the two and reads from
// a pipe whose other end only the engine holds. When that end closes, for whatever reason, the shell ends the program.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export interface GuardedProcess {
  readonly child: ChildProcess;
  /** Resolves with the exit code when the program is over. */
  readonly exited: Promise<number | null>;
  /** Asks the program to end (SIGTERM) and, after `graceMs`, makes it. */
  stop(graceMs?: number): Promise<void>;
}

// The program's own stdin is closed. `exec 3<&0` keeps the pipe, which a background job would otherwise lose.
const guard = `exec 3<&0
"$@" </dev/null 3<&- &
program=$!
{ read -r order <&3 && kill -TERM $program && read -r order <&3; kill -KILL $program; } >/dev/null 2>&1 &
guardian=$!
exec 3<&-
wait $program
status=$?
kill $guardian
exit $status`;

/** What a guard is called in a list of processes. */
export const guardName = 'simporter-guard';

/** Starts `command`; stdout and stderr are pipes on `child`. POSIX only (a shell is needed). */
export const startGuarded = (
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): GuardedProcess => {
  const child = spawn('/bin/sh', ['-c', guard, guardName, command, ...args], {
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A session of its own: Ctrl-C in the terminal is for the engine, which ends the program in its own time.
    detached: true,
  });
  // A program that is gone already makes the order to stop fail; there is nothing left to do then.
  child.stdin.on('error', () => undefined);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    child,
    exited,
    stop: async (graceMs = 3_000) => {
      child.stdin.write('stop\n');
      const giveUp = new AbortController();
      await Promise.race([
        exited,
        delay(graceMs, undefined, { signal: giveUp.signal, ref: false }).catch(() => undefined),
      ]);
      giveUp.abort();
      child.stdin.destroy();
      await exited;
    },
  };
};

const leftoverPatienceMs = 3_000;

/**
 * Waits until the guards of an engine that was killed have ended their programs, and ends those that are stuck. Numbers
 * that belong to other processes by now are left alone.
 */
export const endLeftovers = async (guards: readonly number[], patienceMs = leftoverPatienceMs): Promise<void> => {
  const isGuard = (pid: number): boolean => {
    try {
      return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(guardName);
    } catch {
      return false;
    }
  };
  const deadline = performance.now() + patienceMs;
  let left = guards.filter(isGuard);
  while (left.length > 0 && performance.now() < deadline) {
    await delay(50);
    left = left.filter(isGuard);
  }
  // A guard leads a process group of its own: its program ends with it.
  for (const pid of left) process.kill(-pid, 'SIGKILL');
};
