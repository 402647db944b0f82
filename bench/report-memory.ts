// CPU time and memory that report needs for results.csv of a large import, of which one correction sent the first rows
// again, or with --xlsx or --parquet for what is written from results.csv:
// `npx node bench/report-memory.ts [--rows N] [--corrected N] [--xlsx | --parquet]`. The files are generated while they
// are read, and the output is counted and discarded. The table and the buckets are not included.
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { readCsv } from '#shared/csv/read-csv.ts';
import { packLines } from '#shared/domain/imports/packed-lines.ts';
import type { ImportItem } from '#shared/items/import.ts';
import type { PortRowState } from '#shared/items/port.ts';
import type { RequestItem } from '#shared/items/request.ts';
import { openCsvTable } from '#shared/read-models/file-tables.ts';
import { analyticsParquet } from '#shared/results/analytics-parquet.ts';
import { openMergedOutcomes } from '#shared/results/merged-outcomes.ts';
import { csvText } from '#shared/results/outcome-csv.ts';
import { layoutForPeople, resultsCsv } from '#shared/results/results-csv.ts';
import { writeWorkbook } from '#shared/workbook/write-workbook.ts';
import { generateBlocks, generatedHeader, generateRows } from '../test/support/generate-rows.ts';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    corrected: { type: 'string', default: '0' },
    xlsx: { type: 'boolean', default: false },
    parquet: { type: 'boolean', default: false },
  },
});
const [rows, corrected] = [Number(options.rows), Number(options.corrected)];
const rowsPerPort = 100;
const blockLength = 256 * 1024;

/** The header is line 1. */
const linesOf = (port: number): number[] =>
  Array.from({ length: Math.min(rowsPerPort, rows - port * rowsPerPort) }, (_, row) => port * rowsPerPort + row + 2);

/** Its last columns name the row of the first file. */
function* correctionBlocks(): Iterable<Buffer> {
  yield Buffer.from(`${generatedHeader},importId,line\r\n`);
  let [line, text] = [1, ''];
  for (const record of generateRows({ rows: corrected, combinations: 120, seed: 2 })) {
    if (line > 1) text += `${record.trimEnd()},first,${line}\r\n`;
    line += 1;
    if (text.length < blockLength) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

async function* requestOfCorrection(): AsyncIterable<RequestItem> {
  const lines = `2-${corrected + 1}`;
  yield {
    state: 'accepted',
    operation: 'create-port',
    ticket: 't',
    request: 1,
    lines,
    rowCount: corrected,
  } as RequestItem;
}

async function* requests(): AsyncIterable<RequestItem> {
  for (let port = 0; port * rowsPerPort < rows; port += 1) {
    const lines = packLines(linesOf(port));
    const request = { request: port + 1, portId: String(port), portStatus: 'Complete', lines, rowCount: rowsPerPort };
    yield { state: 'created', operation: 'create-port', ...request } as RequestItem;
  }
}

async function* rowsOf(portIds: readonly string[]): AsyncIterable<{ portId: string; rows: PortRowState[] }> {
  for (const portId of portIds) {
    yield { portId, rows: linesOf(Number(portId)).map((line) => ({ line, msisdn: '', status: 'Complete' })) };
  }
}

const begun = performance.now();
const columnIndexes = { msisdn: 0, pac: 2 };
const importOf = (importId: string) =>
  ({ importId, key: importId, state: 'finished', columnIndexes }) as unknown as ImportItem;
const corrections = corrected === 0 ? [] : [importOf('correction')];
const outcomes = await openMergedOutcomes(importOf('first'), corrections, {
  files: {
    head: async () => undefined,
    read: async ({ key }) =>
      Readable.from(key === 'first' ? generateBlocks({ rows, combinations: 120 }) : correctionBlocks()),
  },
  resultsBucket: 'results',
  requests: { ofImport: (importId) => (importId === 'first' ? requests() : requestOfCorrection()) },
  ports: { itemsOf: async function* () {}, rowsOf },
});
const csv = csvText(resultsCsv(outcomes), outcomes);

async function* encodedCsv(): AsyncIterable<Uint8Array> {
  for await (const text of csv) yield Buffer.from(text);
}

async function* parquet(): AsyncIterable<Uint8Array> {
  const opened = await readCsv(encodedCsv(), layoutForPeople({}));
  const item = { ...importOf('first'), account: 1001, receivedAt: '2026-07-06T09:00:00.000Z' };
  if (opened.ok) yield* analyticsParquet(item, opened.value.batches, '44');
}

async function* workbook(): AsyncIterable<Uint8Array> {
  const sources = {
    files: { head: async () => undefined, read: async () => encodedCsv() },
    resources: { resultsBucket: '' },
  };
  const table = await openCsvTable(sources, {}, { object: { bucket: '', key: '' }, operation: undefined });
  if (table !== undefined) yield* writeWorkbook(table);
}

let bytes = 0;
const written = options.parquet ? parquet() : options.xlsx ? workbook() : csv;
for await (const chunk of written) bytes += chunk.length;
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const cpu = (userCPUTime + systemCPUTime) / 1e6;
const took = (performance.now() - begun) / 1000;
console.info(
  `${rows} rows, ${Math.round(bytes / 1e6)} MB: ${cpu.toFixed(1)} s of CPU (${took.toFixed(1)} s), peak RSS ${Math.round(maxRSS / 1024)} MB`,
);
