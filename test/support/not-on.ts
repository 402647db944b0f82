// Tests that cannot run on every system: each names the systems and the reason, and docs/contributing/other-systems.md
// lists them.
import { test } from 'vitest';

const platforms = { macOS: 'darwin', Windows: 'win32' } as const;

/** `test`, skipped on these systems. */
export const notOn = (systems: readonly (keyof typeof platforms)[], _reason: string) =>
  test.skipIf(systems.some((system) => platforms[system] === process.platform));
