// Names in the header of a file, and the column that each of them is; '' is the user's own column.
import type { Answer, ImportDetails } from '../../api/types.ts';

export type Mapping = Readonly<Record<string, string>>;
export type FileColumns = Answer<'previewImport'>['columns'];
export type OperationColumns = Answer<'listOperations'>['operations'][number]['columns'];

export const mappingOf = (columns: FileColumns): Mapping =>
  Object.fromEntries(
    columns.map(({ header, name, option }) => [header, option === null ? (name ?? '') : `${name}:${option}`]),
  );

/** The saved choices for columns of the file. */
export const withSaved = (detected: Mapping, saved: Mapping = {}): Mapping =>
  Object.fromEntries(Object.entries(detected).map(([header, name]) => [header, saved[header] ?? name]));

/** The columns that have a value of `name`. */
export const headersOf = (mapping: Mapping, name: string): string[] =>
  Object.keys(mapping).filter((header) => mapping[header] === name || mapping[header]?.startsWith(`${name}:`));

/** Several columns may have entries of a list, and several may be bars. */
const repeated: readonly string[] = ['services', 'boltOns', 'block', 'allow'];

/** The column that was `name` before becomes the user's own. */
export const withColumn = (mapping: Mapping, header: string, name: string): Mapping => ({
  ...Object.fromEntries(
    Object.entries(mapping).map(([other, is]) => [other, is === name && !repeated.includes(name) ? '' : is]),
  ),
  [header]: name,
});

/** What a person changed. */
export const changesOf = (mapping: Mapping, detected: Mapping): Mapping =>
  Object.fromEntries(Object.entries(mapping).filter(([header, name]) => detected[header] !== name));

/** Leaving a column unchanged also answers the question about it. */
export function answersOf(mapping: Mapping, issues: ImportDetails['issues']): Mapping {
  const asked = new Set(issues.flatMap(({ code, column }) => (code === 'HEADER_NEAR_MISS' ? (column ?? []) : [])));
  const hasTwins = issues.some(({ code }) => code === 'HEADER_DUPLICATE_COLUMN');
  return Object.fromEntries(
    Object.entries(mapping).filter(([header, name]) => asked.has(header) || (hasTwins && name === '')),
  );
}
