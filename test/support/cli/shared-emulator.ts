// One emulator that several groups of command-line tests share, each with its own files and numbers.
import { afterAll, beforeAll } from 'vitest';
import { type CliEmulator, startCliEmulator } from './emulator.ts';

export let engine: CliEmulator;

/** @param speed calendar time divided by wall time */
export function useCommonEmulator(speed: number, options: Parameters<typeof startCliEmulator>[1] = {}): void {
  beforeAll(async () => {
    engine = await startCliEmulator(speed, options);
  });
  afterAll(() => engine?.stop());
}
