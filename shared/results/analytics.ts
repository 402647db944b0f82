// The rows of results.csv as Parquet. Memory does not grow with the rows: each group of rows is written before the next
// one is read.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { RecordBatch } from '#shared/csv/record-batch.ts';
import { outcomeColumns } from '#shared/files/correction-columns.ts';
import { writtenText } from '#shared/files/csv/csv-row.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import { type AnalyticsColumn, analyticsColumns } from './analytics-table.ts';
import { columnsForPeople, outcomeCell } from './results-csv.ts';

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
  const accountId = BigInt(account);
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
