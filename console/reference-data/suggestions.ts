// Values of the reference data that fit into a column: its lists name their columns as files do.
import type { Answer } from '../api/types.ts';

type ReferenceData = Answer<'getReferenceData'>;

/** Columns of a file whose list has another name for it. */
const namesInLists: Readonly<Record<string, string>> = { network: 'targetNetwork' };

export function suggestionsFor(column: string, reference: ReferenceData | undefined): string[] {
  const found = new Set<string>();
  for (const records of Object.values(reference?.lists ?? {})) {
    for (const record of records ?? []) {
      const value = record[column] ?? record[namesInLists[column] ?? column];
      if (value) found.add(value);
    }
  }
  return [...found].sort((one, other) => one.localeCompare(other));
}
