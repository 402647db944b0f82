// The rows of results.csv as Parquet. Memory does not grow with the rows: each group of rows is written before the next
// one is read.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { outcomeColumns } from '#shared/files/added-columns.ts';
import { writtenText } from '#shared/files/csv/csv-row.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import type { RecordBatch } from '#shared/files/csv/record-batch.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import type { Files, ObjectHead } from '#shared/store/files.ts';
import { analyticsKey, csvEtagName, isObjectGone, resultsKey } from '#shared/store/object-keys.ts';
import { accountNumber } from '#shared/text/identity.ts';
import { type AnalyticsColumn, analyticsColumns } from './analytics-table.ts';
import { stateBeside } from './progress.ts';
import { columnsForPeople, layoutForPeople, outcomeCell } from './results-csv.ts';

type Value = string | number | bigint | undefined;

const schemaOf = ({ name, type }: AnalyticsColumn) => {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  if (type === 'string') return { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
  return { ...optional, type: type === 'int' ? 'INT32' : 'INT64' } as const;
};

const schema = [{ name: 'root', num_children: analyticsColumns.length }, ...analyticsColumns.map(schemaOf)];

/** About 10 MB of texts. */
const rowsPerGroup = 20_000;

/** @param batches the records of results.csv. A chunk of the answer is valid until the next one is asked for */
export async function* analyticsParquet(
  item: ImportItem,
  batches: AsyncIterable<RecordBatch>,
  callingCode: string,
): AsyncIterable<Uint8Array> {
  const output = new ByteWriter();
  const parquet = new ParquetWriter({ writer: output, schema, createdBy: 'simporter' });
  const valuesOf = createReader(item, callingCode);
  let group: Value[][] = analyticsColumns.map(() => []);
  let rows = 0;
  const writeGroup = (): Uint8Array => {
    parquet.write({
      columnData: analyticsColumns.map(({ name }, index) => ({ name, data: group[index] ?? [] })),
      rowGroupSize: rows,
    });
    rows = 0;
    group = analyticsColumns.map(() => []);
    return take(output);
  };
  for await (const { lines, cellsOf } of batches) {
    for (const row of lines.keys()) {
      const values = valuesOf(cellsOf(row));
      for (const [index, column] of group.entries()) column.push(values[index]);
    }
    rows += lines.length;
    if (rows >= rowsPerGroup) yield writeGroup();
  }
  if (rows > 0) yield writeGroup();
  parquet.finish();
  yield take(output);
}

/** Positions in the file are counted by `offset`, which stays. */
function take(output: ByteWriter): Uint8Array {
  const bytes = output.getBytes();
  output.index = 0;
  return bytes;
}

const filled = (cell: string): string | undefined => (cell === '' ? undefined : cell);

/** The values of a record of results.csv, in the order of the columns. */
function createReader(item: ImportItem, callingCode: string): (record: readonly string[]) => Value[] {
  const { account, receivedAt, columnValues = {} } = item;
  const indexes = columnsForPeople(item);
  const accountId = BigInt(accountNumber(account));
  return (record) => {
    const own = (name: string): string => writtenText(record[indexes[name] ?? -1] ?? '') || (columnValues[name] ?? '');
    const number = parseMsisdn(own('msisdn'), { callingCode });
    return [
      accountId,
      receivedAt,
      number.ok ? number.value : undefined,
      filled(own('sourceNetwork')),
      filled(own('targetNetwork') || own('network')),
      ...outcomeColumns.map((name) => {
        const cell = filled(outcomeCell(record, name));
        return name === 'line' && cell !== undefined ? Number(cell) : cell;
      }),
    ];
  };
}

// Writes the rows of a finished import for queries (decision 56). They are made from results.csv, so both have the same
// cells, and neither has a PAC.

interface AnalyticsFiles {
  readonly files: Files;
  /** `callingCode` is the country of a national number. */
  readonly resources: { readonly resultsBucket: string; readonly callingCode: string };
}

/**
 * Does nothing while rows of the import are under way, also in a part, or while the file has the rows of results.csv.
 * The rows of a part are those of its first import.
 * @param checkTime called after each group of rows; what it throws leaves the file as it was
 */
export async function writeAnalytics(
  item: ImportItem,
  { files, resources }: AnalyticsFiles,
  checkTime: () => void = () => undefined,
): Promise<void> {
  const { resultsBucket: bucket } = resources;
  if (stateBeside(item.outcomes ?? {}, item.state) !== 'finished' || item.partOf !== undefined) return;
  // Another run may replace results.csv meanwhile, so the two are compared again.
  for (;;) {
    const [csv, written] = await Promise.all(
      [resultsKey(item.importId), analyticsKey(item)].map((key) => files.head({ bucket, key })),
    );
    if (csv === undefined || written?.metadata[csvEtagName] === csv.etag) return;
    await writeFrom(csv, item, { files, resources }, checkTime);
  }
}

async function writeFrom(
  csv: ObjectHead,
  item: ImportItem,
  { files, resources: { resultsBucket, callingCode } }: AnalyticsFiles,
  checkTime: () => void,
): Promise<void> {
  const type = 'application/vnd.apache.parquet';
  const writer = files.open(resultsBucket, analyticsKey(item), type, { [csvEtagName]: csv.etag });
  try {
    const opened = await readCsv(
      await files.read({ bucket: csv.bucket, key: csv.key, etag: csv.etag }),
      layoutForPeople(item),
    );
    if (!opened.ok) throw new Error(`${csv.key} cannot be read: ${opened.issue.message}`);
    for await (const bytes of analyticsParquet(item, opened.value.batches, callingCode)) {
      checkTime();
      await writer.write(bytes);
    }
    await writer.close();
  } catch (error) {
    await writer.abort();
    if (!isObjectGone(error)) throw error;
  }
}
