// The first rows of an uploaded file, how it was read, and which column is which. It reads only the beginning of a CSV.
import type { AnswerOf } from '#shared/api/contract.ts';
import { ownColumns } from '#shared/csv/correction-columns.ts';
import { createHeaderTest, mapHeader } from '#shared/csv/map-header.ts';
import { peekBatch } from '#shared/csv/peek-batch.ts';
import type { CsvContents } from '#shared/csv/record-batch.ts';
import { readUploadSettings } from '#shared/csv/upload-settings.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { redactText } from '#shared/domain/text/redact.ts';
import type { Operation } from '#shared/operations/kit/operation.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { openUpload } from '#shared/workbook/open-upload.ts';
import type { WriteDependencies } from '../dependencies.ts';
import { ApiProblem } from '../http/api-problem.ts';
import type { Call } from '../http/parse-call.ts';
import { findImport } from '../read/find-import.ts';
import { settingsBody } from './reading-settings.ts';

const shownRows = 20;
type Preview = AnswerOf<'previewImport'>;

export async function previewImport(
  { path, query }: Call<'previewImport'>,
  dependencies: WriteDependencies,
): Promise<Preview> {
  const item = await findImport(dependencies, path.importId);
  const operation = operationNamed(item.operation ?? '');
  const { bucket, key, versionId, etag } = item;
  const head = await dependencies.files.head({ bucket, key, versionId, etag });
  if (head === undefined) throw new ApiProblem('file-expired', 'The file has expired. Upload it again.');
  const settings = readUploadSettings(head.metadata);
  const isHeader = operation && createHeaderTest(operation.columns, settings.mapping);
  const layout = {
    ...settings.layout,
    ...(query.sheet !== undefined && { sheet: query.sheet, headerLine: undefined }),
    ...(query.headerRow !== undefined && { headerLine: query.headerRow }),
  };
  const opened = await openUpload(await dependencies.files.read({ bucket, key, versionId, etag }), {
    ...layout,
    isHeader,
  });
  const given = settingsBody(item.operation ?? '', settings);
  if (!opened.ok) return unreadable(item, opened.issue.message, given);
  try {
    return await describe(item, opened.value, { operation, given, encoding: layout.encoding });
  } finally {
    await opened.value.close();
  }
}

const unreadable = ({ importId, operation }: ImportItem, problem: string, settings: Preview['settings']): Preview => ({
  ...{ importId, operation, separator: null, encoding: null, sheet: null, headerRow: 1, columns: [], missing: [] },
  ...{ sheets: [], rows: [], problem: redactText(problem), settings },
});

interface Reading {
  readonly operation: Operation | undefined;
  readonly given: Preview['settings'];
  readonly encoding: string | undefined;
}

async function describe(
  { importId, operation: name }: ImportItem,
  csv: CsvContents,
  { operation, given, encoding }: Reading,
): Promise<Preview> {
  const { first } = await peekBatch(csv.batches);
  const { mapping = {}, columnValues = {} } = given;
  const places = ownColumns(csv.header);
  const own = places.map((place) => csv.header[place] ?? '');
  const { indexes, defaults } = mapHeader(own, operation?.columns ?? [], { line: csv.headerLine, mapping });
  const names = new Map([...indexes].map(([column, index]) => [index, column]));
  const secret = indexes.get('pac');
  const lines = first?.lines.slice(0, shownRows) ?? [];
  return {
    ...{ importId, operation: name, encoding: encoding ?? null, problem: null },
    separator: csv.sheet === undefined ? csv.delimiter : null,
    sheet: csv.sheet ?? null,
    sheets: [...(csv.sheets ?? [])],
    settings: given,
    headerRow: csv.headerLine,
    columns: own.map((header, index) => ({
      header,
      name: names.get(index) ?? null,
      secret: index === secret,
    })),
    missing: (operation?.columns ?? []).flatMap((column) =>
      column.required && !indexes.has(column.name) && !defaults.has(column.name) && !columnValues[column.name]
        ? [column.name]
        : [],
    ),
    rows: lines.map((_, row) =>
      places.map((place, index) => shown(first?.cellsOf(row)[place] ?? '', index === secret)),
    ),
  };
}

/** A PAC in a column that is not mapped yet is masked by its form. */
const shown = (cell: string, isSecret: boolean): string => (isSecret && cell.trim() !== '' ? '***' : redactText(cell));
