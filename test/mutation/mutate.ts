// Runs every mutant of a file against the tests of that file.
import type { RunnerTestCase, RunnerTestSuite } from 'vitest';
import { createVitest, type Vitest } from 'vitest/node';
import base from '../../vitest.config.ts';
import { type Instrumented, instrument, type Mutant } from './instrument.ts';
import type { Target } from './targets.ts';

const here = new URL('.', import.meta.url).pathname;
const root = new URL('../../', import.meta.url).pathname;

export interface Mutated {
  readonly killed: readonly Mutant[];
  readonly alive: readonly Mutant[];
}

interface Noticed {
  readonly killed: ReadonlySet<string>;
  /** Mutants of code that runs while a module loads. */
  readonly loaded: ReadonlySet<string>;
}

/** @throws Error when a test fails without a mutant */
export async function mutate({ file, tests }: Target): Promise<Mutated> {
  const instrumented = await instrument(file);
  const vitest = await vitestFor(instrumented, tests);
  try {
    const noticed = await tryOneByOne(vitest, file);
    const killed = new Set(noticed.killed);
    for (const { id } of instrumented.mutants) {
      if (!killed.has(id) && noticed.loaded.has(id) && (await isNoticedFromTheStart(vitest, id))) killed.add(id);
    }
    return {
      killed: instrumented.mutants.filter(({ id }) => killed.has(id)),
      alive: instrumented.mutants.filter(({ id }) => !killed.has(id)),
    };
  } finally {
    await vitest.close();
  }
}

function vitestFor({ path, code }: Instrumented, tests: readonly string[]): Promise<Vitest> {
  const { env = {} } = base.test ?? {};
  const twins = [{ find: /^.*\/support\/results-services\.ts$/, replacement: `${here}twin-services.ts` }];
  const plugin = {
    name: 'mutants',
    enforce: 'pre' as const,
    load: (id: string) => (id.replace(/\?.*$/, '') === path ? { code, map: null } : undefined),
  };
  return createVitest(
    'test',
    {
      root,
      config: false,
      include: [...tests],
      runner: `${here}mutant-runner.ts`,
      // The file itself is loaded before any test: code that loads it later would run its constants once, unmutated.
      setupFiles: [`${here}no-shrinking.ts`, `${root}test/support/zod-messages.ts`, path],
      pool: 'threads',
      maxWorkers: 1,
      watch: false,
      // A module that is cached on disk has no mutants.
      fsModuleCache: false,
      reporters: [{}],
      onConsoleLog: () => false,
      // One test runs once for every mutant.
      testTimeout: 3_600_000,
      hookTimeout: 180_000,
      env,
    },
    { plugins: [plugin], resolve: { alias: twins } },
  );
}

async function tryOneByOne(vitest: Vitest, file: string): Promise<Noticed> {
  await run(vitest, '');
  // An error that a mutant throws after its test is not a failure.
  vitest.state.errorsSet.clear();
  const complaint = complaintOf(vitest);
  if (complaint !== undefined) throw new Error(`the tests of ${file} fail without any mutant: ${complaint}`);
  const noted = testsOf(vitest).flatMap(({ meta }) => meta.mutants ?? []);
  return {
    killed: new Set(noted.flatMap(({ killed }) => killed)),
    loaded: new Set(noted.flatMap(({ loaded }) => loaded)),
  };
}

async function isNoticedFromTheStart(vitest: Vitest, mutant: string): Promise<boolean> {
  for (const { config } of vitest.projects) config.bail = 1;
  vitest.config.bail = 1;
  await run(vitest, mutant);
  return complaintOf(vitest) !== undefined;
}

async function run(vitest: Vitest, mutant: string): Promise<void> {
  vitest.state.filesMap.clear();
  vitest.state.errorsSet.clear();
  vitest.provide('mutant', mutant);
  await vitest.start();
}

function complaintOf(vitest: Vitest): string | undefined {
  const failed = [...vitest.state.getFiles(), ...testsOf(vitest)].find(({ result }) => result?.state === 'fail');
  if (failed !== undefined) return `${failed.name}: ${failed.result?.errors?.[0]?.message}`;
  if (vitest.state.errorsSet.size > 0) return 'an error outside of any test';
  return testsOf(vitest).length === 0 ? 'there are none' : undefined;
}

const testsOf = (vitest: Vitest) => vitest.state.getFiles().flatMap(testsIn);

const testsIn = (suite: RunnerTestSuite): RunnerTestCase[] =>
  suite.tasks.flatMap((task) => (task.type === 'suite' ? testsIn(task) : task));
