// What a soak works with while it runs.
import type { Dice } from '../simulation/dice.ts';
import type { SoakEngine } from './engine.ts';
import type { SoakFile } from './files.ts';
import type { Outside } from './outside.ts';
import type { View } from './view.ts';

export interface Stage {
  readonly engine: SoakEngine;
  readonly outside: Outside;
  readonly dice: Dice;
  readonly tell: (line: string) => void;
  readonly dropped: SoakFile[];
  readonly kills: Map<string, number>;
  readonly faults: Map<string, number>;
  view: View;
}

export async function drop({ view, dropped, tell }: Stage, file: SoakFile): Promise<void> {
  await view.drop(file.key, file.text);
  dropped.push(file);
  tell(`dropped ${file.key}: ${file.rows} rows`);
}
