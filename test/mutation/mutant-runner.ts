// Runs each test unchanged, then again for every living mutant that it reached: a mutant costs one test, and no process
// or import. Code that runs while a module loads cannot be switched afterwards. Such a mutant is active from the start,
// and every test runs once with it.
import { type RunnerTestCase, type RunnerTestSuite, TestRunner, type TestRunnerConfig } from 'vitest';

/** The switches that instrumented code reads, and its records. */
interface Switchboard {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: {
    /** Mutants that were reached outside of any test. */
    readonly static: Readonly<Record<string, number>>;
    readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The mutant of the whole run; empty if the tests try one after another. */
    readonly mutant: string;
  }
  interface TaskMeta {
    mutants?: {
      readonly covered: readonly string[];
      readonly killed: readonly string[];
      readonly loaded: readonly string[];
    };
  }
}

const board: Switchboard = {};
Reflect.set(globalThis, '__stryker__', board);

/** More than any run needs: a mutant that loops for ever while a module loads ends there. */
const mostHits = 10_000_000;
/** Longer than any test takes on a busy machine. */
const timeoutMs = 30_000;

export default class MutantRunner extends TestRunner {
  readonly #killed = new Set<string>();
  readonly #given: string;

  constructor(config: TestRunnerConfig) {
    super(config);
    this.#given = String(this.injectValue('mutant'));
    if (this.#given !== '') Object.assign(board, { activeMutant: this.#given, hitCount: 0, hitLimit: mostHits });
  }

  override onBeforeTryTask(...given: Parameters<TestRunner['onBeforeTryTask']>): void {
    super.onBeforeTryTask(...given);
    board.currentTestId = given[0].id;
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    await TestRunner.getTestFn(test)();
    board.currentTestId = undefined;
    if (this.#given !== '') return;
    const hits = board.mutantCoverage?.perTest[test.id] ?? {};
    const covered = Object.keys(hits);
    const before = this.#killed.size;
    const living = covered.filter((id) => !this.#killed.has(id));
    // A test that fails when it is repeated cannot detect a mutant.
    const isRepeatable = living.length > 0 && (await passes(test));
    for (const id of isRepeatable ? living : []) {
      Object.assign(board, { activeMutant: id, hitCount: 0, hitLimit: 10_000 + 100 * (hits[id] ?? 0) });
      if (!(await passes(test))) this.#killed.add(id);
      board.activeMutant = undefined;
    }
    test.meta.mutants = {
      covered: isRepeatable || living.length === 0 ? covered : [],
      killed: [...this.#killed].slice(before),
      loaded: [...Object.keys(board.mutantCoverage?.static ?? {}), ...(isRepeatable ? [] : living)],
    };
  }
}

/** Whether the test passes when it is repeated with its hooks. */
async function passes(test: RunnerTestCase): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('hangs')), timeoutMs);
  });
  try {
    await Promise.race([once(test), tooLong]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

async function once(test: RunnerTestCase): Promise<void> {
  const suites = suitesOf(test);
  try {
    for (const suite of suites) {
      for (const hook of TestRunner.getSuiteHooks(suite).beforeEach) await hook(test.context, suite);
    }
    await TestRunner.getTestFn(test)();
  } finally {
    for (const suite of suites.toReversed()) {
      for (const hook of TestRunner.getSuiteHooks(suite).afterEach) await hook(test.context, suite);
    }
  }
}

/** From the file to the innermost suite. */
function suitesOf(test: RunnerTestCase): RunnerTestSuite[] {
  const suites: RunnerTestSuite[] = [];
  for (let suite: RunnerTestSuite | undefined = test.suite ?? test.file; suite !== undefined; suite = suite.suite) {
    suites.unshift(suite);
  }
  return suites[0] === test.file ? suites : [test.file, ...suites];
}
