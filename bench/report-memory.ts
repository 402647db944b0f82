// CPU time and memory that report needs for results.csv of a large import, or with --xlsx for its workbook, which is
// written from results.csv: `npx node bench/report-memory.ts [--rows N] [--xlsx]`. The file is generated while it is
// read, and the output is counted and discarded. The table and the buckets are not included.
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { packLines } from '#shared/domain/imports/packed-lines.ts';
import type { ImportItem, PortRowState, RequestItem } from '#shared/domain/requests/ledger.ts';
import { openCsvTable } from '#shared/read-models/file-tables.ts';
import { csvText } from '#shared/results/outcome-csv.ts';
import { resultsCsv } from '#shared/results/results-csv.ts';
import { openOutcomes } from '#shared/results/row-outcomes.ts';
import { writeWorkbook } from '#shared/workbook/write-workbook.ts';
import { generateBlocks } from './generate-rows.ts';

const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '10000000' }, xlsx: { type: 'boolean', default: false } },
});
const rows = Number(options.rows);
const rowsPerPort = 100;

/** The header is line 1. */
const linesOf = (port: number): number[] =>
  Array.from({ length: Math.min(rowsPerPort, rows - port * rowsPerPort) }, (_, row) => port * rowsPerPort + row + 2);

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
const outcomes = await openOutcomes({
  importItem: { importId: 'x', state: 'finished', columnIndexes } as unknown as ImportItem,
  files: { head: async () => undefined, read: async () => Readable.from(generateBlocks({ rows, combinations: 120 })) },
  resultsBucket: 'results',
  requests: requests(),
  ports: { itemsOf: async function* () {}, rowsOf },
  comparisons: (async function* () {})(),
});
const csv = csvText(resultsCsv(outcomes), outcomes);

async function* workbook(): AsyncIterable<Uint8Array> {
  const encoded = (async function* () {
    for await (const text of csv) yield Buffer.from(text);
  })();
  const sources = {
    files: { head: async () => undefined, read: async () => encoded },
    resources: { resultsBucket: '' },
  };
  const table = await openCsvTable(sources, {}, { object: { bucket: '', key: '' }, operation: undefined });
  if (table !== undefined) yield* writeWorkbook(table);
}

let bytes = 0;
for await (const chunk of options.xlsx ? workbook() : csv) bytes += chunk.length;
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const cpu = (userCPUTime + systemCPUTime) / 1e6;
const took = (performance.now() - begun) / 1000;
console.info(
  `${rows} rows, ${Math.round(bytes / 1e6)} MB: ${cpu.toFixed(1)} s of CPU (${took.toFixed(1)} s), peak RSS ${Math.round(maxRSS / 1024)} MB`,
);
