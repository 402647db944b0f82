// Runs the whole pipeline on real processes with faults and kills, waits until every import has finished, and compares
// the results with the state of the service.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDice } from '../simulation/dice.ts';
import { type Difference, differencesOf } from './compare-evidence.ts';
import { connectToEmulator } from './emulator-client.ts';
import { openSoakEmulator, type SoakEmulator } from './emulator-process.ts';
import { gatherEvidence } from './evidence.ts';
import { speed } from './fault-plan.ts';
import { injectFaults } from './inject-faults.ts';
import { startSimulator } from './simulator-process.ts';
import type { SoakContext } from './soak-context.ts';
import { unfinishedImports, waitUntilFinished } from './wait-until-finished.ts';

export interface SoakOptions {
  readonly rows: number;
  /** How long files are uploaded, faults occur and processes are killed. */
  readonly faultsMs: number;
  readonly seed: number;
  readonly log: (line: string) => void;
}

export interface SoakReport {
  readonly seed: number;
  readonly seconds: number;
  readonly rows: number;
  readonly imports: number;
  readonly ports: number;
  readonly numbersPorted: number;
  readonly tickets: number;
  readonly kills: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** Requests of unknown outcome that sync cannot search for: submissions without a list. */
  readonly actionRequired: number;
  /** Imports that were stopped, and rows of them that were not sent. */
  readonly stopped: Readonly<Record<'imports' | 'undone' | 'forGood' | 'rowsNotSent', number>>;
  readonly redriven: number;
  readonly differences: readonly Difference[];
}

const compareMs = 90_000;

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const began = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'simporter-soak-'));
  const origin = Date.now();
  const simulator = await startSimulator({ folder, origin, speed });
  let emulator: SoakEmulator | undefined;
  try {
    emulator = await openSoakEmulator({
      directory: join(folder, 'emulator'),
      service: simulator.access,
      origin,
      speed,
    });
    const context: SoakContext = {
      emulator,
      simulator,
      dice: createDice(options.seed),
      log: options.log,
      client: connectToEmulator(emulator.state),
      uploads: [],
      kills: new Map(),
      faults: new Map(),
      stops: new Map(),
      undone: new Set(),
    };
    await injectFaults(context, options);
    const redriven = await waitUntilFinished(context);
    const report = await compare(context, redriven);
    return { ...report, seed: options.seed, seconds: Math.round((performance.now() - began) / 1_000) };
  } finally {
    await emulator?.kill();
    await simulator.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Report may still be writing the last results.csv, so a difference counts only if it remains. */
async function compare(context: SoakContext, redriven: number) {
  const { client, simulator, uploads, kills, faults, stops, undone } = context;
  for (const end = performance.now() + compareMs; ; await pause(3_000)) {
    const evidence = await gatherEvidence(client, uploads, await simulator.readState());
    const unfinished = unfinishedImports(evidence.items).map(
      ({ key, state }): Difference => ({ kind: 'lost', text: `${key} is still ${state}` }),
    );
    const differences = [...unfinished, ...differencesOf(evidence)];
    if (differences.length > 0 && performance.now() < end) continue;
    const { ports, submissions } = evidence.service;
    return {
      rows: uploads.reduce((sum, file) => sum + file.rows, 0),
      imports: evidence.imports.length,
      ports: ports.length,
      numbersPorted: ports.reduce((sum, port) => sum + port.rows.length, 0),
      tickets: submissions.length,
      kills: Object.fromEntries(kills),
      faults: Object.fromEntries(faults),
      actionRequired: evidence.imports.reduce((sum, { requests }) => sum + (requests['action-required'] ?? 0), 0),
      stopped: {
        imports: stops.size,
        undone: undone.size,
        forGood: [...stops.values()].filter((kind) => kind === 'for good').length,
        rowsNotSent: evidence.imports.reduce((sum, { outcomes }) => sum + (outcomes?.['not-sent'] ?? 0), 0),
      },
      redriven,
      differences,
    };
  }
}
