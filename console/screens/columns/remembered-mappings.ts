// The mapping that a person chose, in this browser, for the next file with the same header.
import { type FileColumns, type Mapping, mappingOf } from './mapping.ts';

const storageKey = 'simporter.mappings';
const most = 50;

const keyOf = (operation: string, columns: FileColumns): string =>
  JSON.stringify([operation, ...columns.map(({ header }) => header)]);

function readAll(): [string, Mapping][] {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '[]');
  } catch {
    return [];
  }
}

/** Undefined where nothing was chosen, or the file was read like that already. */
export function rememberedMapping(operation: string, columns: FileColumns): Mapping | undefined {
  const known = readAll().find(([key]) => key === keyOf(operation, columns))?.[1];
  const isUsed = known === undefined || JSON.stringify(known) === JSON.stringify(mappingOf(columns));
  return isUsed ? undefined : known;
}

export function rememberMapping(operation: string, columns: FileColumns, mapping: Mapping): void {
  const key = keyOf(operation, columns);
  const others = readAll().filter(([other]) => other !== key);
  localStorage.setItem(storageKey, JSON.stringify([[key, mapping], ...others].slice(0, most)));
}
