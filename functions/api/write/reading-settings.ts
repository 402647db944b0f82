// How a file is to be read: in a body of the API, and as the metadata of its object.
import type { BodyOf } from '#shared/api/contract.ts';
import { toUploadMetadata, type UploadSettings } from '#shared/csv/upload-settings.ts';
import { consoleUpload } from '#shared/domain/imports/approval.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { ApiProblem } from '../http/api-problem.ts';

type Settings = BodyOf<'replanImport'>;

/** @throws ApiProblem for a column that the operation does not have */
export function metadataOf(operation: string, settings: Settings): Record<string, string> {
  const { columnValues = {}, mapping = {}, headerRow, sheet, encoding, separator, dateOrder } = settings;
  const { tolerate, maxRowsPerPort, onInvalidPac, separateExpiringPacs } = settings;
  const columns = new Set(operationNamed(operation)?.columns.map(({ name }) => name));
  const named = [...Object.keys(columnValues), ...Object.values(mapping).filter((name) => name !== '')];
  const unknown = named.find((name) => !columns.has(name));
  if (unknown !== undefined) {
    throw new ApiProblem('unknown-column', `${operation} has no column "${unknown}". See /operations.`);
  }
  const metadata = toUploadMetadata({
    planOnly: true,
    defaults: columnValues,
    mapping,
    layout: { headerLine: headerRow, sheet, encoding, delimiter: separator },
    dateOrder,
    toleratedFailurePercentage: tolerate,
    ...{ maxRowsPerPort, onInvalidPac, separateExpiringPacs },
  });
  return { ...metadata, ...consoleUpload };
}

/** The settings of an upload as a body of the API. Metadata has the names of columns in lower case. */
export function settingsBody(operation: string, settings: UploadSettings): Settings {
  const { defaults, mapping, layout, dateOrder, toleratedFailurePercentage } = settings;
  const { maxRowsPerPort, onInvalidPac, separateExpiringPacs } = settings;
  const names = new Map(operationNamed(operation)?.columns.map(({ name }) => [name.toLowerCase(), name]));
  return {
    columnValues: Object.fromEntries(
      Object.entries(defaults).flatMap(([name, value]) => {
        const column = names.get(name.toLowerCase());
        return column === undefined ? [] : [[column, value]];
      }),
    ),
    mapping,
    headerRow: layout.headerLine,
    sheet: layout.sheet,
    encoding: layout.encoding,
    separator: layout.delimiter,
    dateOrder,
    tolerate: toleratedFailurePercentage,
    ...{ maxRowsPerPort, onInvalidPac, separateExpiringPacs },
  };
}
