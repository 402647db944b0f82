// What results.csv of a large import costs report: `node bench/report.ts [--rows N]`. The file is made while it is read, each
// hundred rows are a port with its lines, and what is written is counted and dropped: the table and the buckets are not in it.
import { parseArgs } from 'node:util';
import { writeResults } from '#functions/report/results.ts';
import type { ImportItem, PortRowState, RequestItem } from '#shared/domain/ledger.ts';
import { packLines } from '#shared/domain/lines.ts';
import { createPort } from '#shared/operations/create-port.ts';
import { generateRows } from './generate-rows.ts';

const { values: options } = parseArgs({ options: { rows: { type: 'string', default: '10000000' } } });
const rows = Number(options.rows);
const rowsPerPort = 100;
const pieceLength = 1 << 16;

async function* file(): AsyncIterable<Uint8Array> {
  let piece = '';
  for (const record of generateRows({ rows, combinations: 120 })) {
    piece += record;
    if (piece.length < pieceLength) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}

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

let bytes = 0;
const count = async (text: string): Promise<void> => {
  bytes += text.length;
};
const begun = performance.now();
const sources = {
  importItem: { importId: 'x', state: 'completed' } as ImportItem,
  columns: createPort.columns,
  files: { head: async () => undefined, read: async () => file() },
  resultsBucket: 'results',
  requests: requests(),
  ports: { rowsOf },
  drifts: (async function* () {})(),
};
const lines = await writeResults(sources, { write: count });
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const cpu = (userCPUTime + systemCPUTime) / 1e6;
const took = (performance.now() - begun) / 1000;
console.info(
  `${lines} lines, ${Math.round(bytes / 1e6)} MB: ${cpu.toFixed(1)} s of CPU (${took.toFixed(1)} s), peak RSS ${Math.round(maxRSS / 1024)} MB`,
);
