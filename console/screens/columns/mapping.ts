// Names in the header of a file, and the column that each of them is; '' is the user's own column.
import type { Answer } from '../../api/types.ts';

export type Mapping = Readonly<Record<string, string>>;
export type FileColumns = Answer<'previewImport'>['columns'];
export type OperationColumns = Answer<'listOperations'>['operations'][number]['columns'];

/** A column without a name cannot be chosen. */
export const mappingOf = (columns: FileColumns): Mapping =>
  Object.fromEntries(columns.flatMap(({ header, name }) => (header === '' ? [] : [[header, name ?? '']])));

/** The column that was `name` before becomes the user's own. */
export const withColumn = (mapping: Mapping, header: string, name: string): Mapping => ({
  ...Object.fromEntries(Object.entries(mapping).map(([other, is]) => [other, is === name ? '' : is])),
  [header]: name,
});

/** What a person changed. The settings of an upload have room for a few names only. */
export const changesOf = (mapping: Mapping, detected: Mapping): Mapping =>
  Object.fromEntries(Object.entries(mapping).filter(([header, name]) => detected[header] !== name));
