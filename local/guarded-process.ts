// Programs that end with the emulator, even when it gets a `kill -9`. A shell runs between the two and reads from a
// pipe whose other end only the emulator holds. When that end closes, for whatever reason, the shell ends the program.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export interface GuardedProcess {
  readonly child: ChildProcess;
  /** Resolves with the exit code when the program has ended. */
  readonly exited: Promise<number | null>;
  /** Asks the program to end (SIGTERM), and kills it after `graceMs`. */
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

/** The name of a guard in a list of processes. */
export const guardName = 'aws-emulator-guard';

/** Starts `command`; stdout and stderr are pipes on `child`. It needs a POSIX shell. */
export const startGuarded = (
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): GuardedProcess => {
  const child = spawn('/bin/sh', ['-c', guard, guardName, command, ...args], {
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    // In its own session: Ctrl-C in the terminal is for the emulator, which then ends the program.
    detached: true,
  });
  // Writing fails where the program has ended already.
  child.stdin.on('error', () => undefined);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    child,
    exited,
    stop: async (graceMs = 3_000) => {
      child.stdin.write('stop\n');
      const grace = new AbortController();
      await Promise.race([
        exited,
        delay(graceMs, undefined, { signal: grace.signal, ref: false }).catch(() => undefined),
      ]);
      grace.abort();
      child.stdin.destroy();
      await exited;
    },
  };
};

const isGuard = (pid: number): boolean => {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(guardName);
  } catch {
    return false;
  }
};

/**
 * Waits until the guards of an emulator that was killed have ended their programs, and kills those that are still there
 * after `patienceMs`. A process id that belongs to another program by now is left alone.
 */
export const endLeftoverProcesses = async (guards: readonly number[], patienceMs = 3_000): Promise<void> => {
  const deadline = performance.now() + patienceMs;
  let remaining = guards.filter(isGuard);
  while (remaining.length > 0 && performance.now() < deadline) {
    await delay(50);
    remaining = remaining.filter(isGuard);
  }
  // A guard leads its own process group, so its program ends with it.
  for (const pid of remaining) process.kill(-pid, 'SIGKILL');
};
