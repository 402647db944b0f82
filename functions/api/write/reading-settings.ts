// How a file is to be read, as the metadata of its object.
import type { BodyOf } from '#shared/api/contract.ts';
import { toUploadMetadata } from '#shared/csv/upload-settings.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { ApiProblem } from '../http/api-problem.ts';

type Settings = BodyOf<'replanImport'>;

/** @throws ApiProblem for a column that the operation does not have */
export function metadataOf(operation: string, settings: Settings): Record<string, string> {
  const { columnValues = {}, mapping = {}, headerRow, sheet, encoding, separator, dateOrder, tolerate } = settings;
  const columns = new Set(operationNamed(operation)?.columns.map(({ name }) => name));
  const named = [...Object.keys(columnValues), ...Object.values(mapping).filter((name) => name !== '')];
  const unknown = named.find((name) => !columns.has(name));
  if (unknown !== undefined) {
    throw new ApiProblem('unknown-column', `${operation} has no column "${unknown}". See /operations.`);
  }
  return toUploadMetadata({
    planOnly: true,
    defaults: columnValues,
    mapping,
    layout: { headerLine: headerRow, sheet, encoding, delimiter: separator },
    dateOrder,
    toleratedFailurePercentage: tolerate,
  });
}
