// The whole pipeline on real processes while the service misbehaves and processes are killed; then calm, and the comparison of
// what was told with what the service holds.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDice } from '../simulation/dice.ts';
import { type Difference, differencesOf } from './compare.ts';
import { openSoakEngine, type SoakEngine } from './engine.ts';
import { gather } from './evidence.ts';
import { makeTrouble } from './mischief.ts';
import { openOutside } from './outside.ts';
import { openImports, settle } from './settle.ts';
import type { Stage } from './stage.ts';
import { viewOf } from './view.ts';

export interface SoakOptions {
  readonly rows: number;
  /** How long files are dropped, faults hit and processes die. */
  readonly troubleMs: number;
  readonly seed: number;
  readonly tell: (line: string) => void;
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
  /** Requests that only a person can judge: submissions without a list in which they could be looked for. */
  readonly leftToPeople: number;
  readonly redriven: number;
  readonly differences: readonly Difference[];
}

/** A day in half a minute. */
const speed = 2_880;
const comparePatienceMs = 90_000;

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const began = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'simporter-soak-'));
  const origin = Date.now();
  const outside = await openOutside({ folder, origin, speed });
  let engine: SoakEngine | undefined;
  try {
    engine = await openSoakEngine({ directory: join(folder, 'engine'), service: outside.access, origin, speed });
    const stage: Stage = {
      ...{ engine, outside, dice: createDice(options.seed), tell: options.tell, view: viewOf(engine.facts) },
      ...{ dropped: [], kills: new Map(), faults: new Map() },
    };
    await makeTrouble(stage, options);
    const redriven = await settle(stage);
    const report = await judge(stage, redriven);
    return { ...report, seed: options.seed, seconds: Math.round((performance.now() - began) / 1_000) };
  } finally {
    await engine?.kill();
    await outside.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The last news may still be on its way into the last results.csv: what differs must differ for a while. */
async function judge({ view, outside, dropped, kills, faults }: Stage, redriven: number) {
  for (const end = performance.now() + comparePatienceMs; ; await pause(3_000)) {
    const evidence = await gather(view, dropped, await outside.dump());
    const unsettled = openImports(evidence.items).map(
      ({ key, state }): Difference => ({ kind: 'lost', text: `${key} is still ${state}` }),
    );
    const differences = [...unsettled, ...differencesOf(evidence)];
    if (differences.length > 0 && performance.now() < end) continue;
    const { ports, submissions } = evidence.service;
    return {
      rows: dropped.reduce((sum, file) => sum + file.rows, 0),
      imports: evidence.imports.length,
      ports: ports.length,
      numbersPorted: ports.reduce((sum, port) => sum + port.rows.length, 0),
      tickets: submissions.length,
      kills: Object.fromEntries(kills),
      faults: Object.fromEntries(faults),
      leftToPeople: evidence.imports.reduce((sum, { requests }) => sum + (requests['needs-human'] ?? 0), 0),
      redriven,
      differences,
    };
  }
}
