// What the parts of a soak share.
import type { Dice } from '../simulation/dice.ts';
import type { EmulatorClient } from './emulator-client.ts';
import type { SoakEmulator } from './emulator-process.ts';
import type { SoakFile } from './files.ts';
import type { SimulatorProcess } from './simulator-process.ts';

export interface SoakContext {
  readonly emulator: SoakEmulator;
  readonly simulator: SimulatorProcess;
  readonly dice: Dice;
  readonly log: (line: string) => void;
  readonly uploads: SoakFile[];
  readonly kills: Map<string, number>;
  readonly faults: Map<string, number>;
  /** Imports that were stopped, and how: the last time counts. */
  readonly stops: Map<string, 'until resumed' | 'for good'>;
  /** Imports whose ports were cancelled. */
  readonly undone: Set<string>;
  client: EmulatorClient;
}

export async function uploadFile({ client, uploads, log }: SoakContext, file: SoakFile): Promise<void> {
  await client.upload(file.key, file.text, file.metadata);
  uploads.push(file);
  log(`uploads ${file.key}: ${file.rows} rows`);
}
