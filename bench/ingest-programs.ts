// One run of one program over one file, in a separate process. Prints its cost as JSON. See METHOD.md.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { waitingLimits } from '#functions/ingest/plan/grouping.ts';
import { planImport } from '#functions/ingest/plan/plan.ts';
import { defaultSettings } from '#shared/files/upload-settings.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { createPort } from '#shared/operations/create-port/create-port.ts';
import type { Files, FileWriter } from '#shared/store/files.ts';
import { duckdbStatements } from '../test/support/bench-peers/duckdb.ts';
import { handWrittenProgram } from '../test/support/bench-peers/hand-written.ts';
import { naiveProgram } from '../test/support/bench-peers/naive.ts';
import { sampleCatalogue } from '../test/support/ingest/sample-catalogue.ts';

export interface Run {
  /** Rows that the program found valid; null if it validates none. */
  readonly good: number | null;
  /** Of `requests`: those of the plan, and the fewest that its combinations allow. */
  readonly requests?: number;
  readonly minimumRequests?: number;
  /** Of all threads of the process, after its imports. */
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly peakRssMb: number;
}

const maxRowsPerRequest = 100;
/** As S3 delivers it. */
const chunkBytes = 64 * 1024;
const bytesOf = (file: string): Readable =>
  file === '-' ? process.stdin : createReadStream(file, { highWaterMark: chunkBytes });

/** All programs write here: the output is encoded, as for a socket, and discarded. */
const emit = (text: string | Uint8Array): void => {
  if (typeof text === 'string') Buffer.from(text);
};

async function readBytes(file: string): Promise<null> {
  for await (const chunk of bytesOf(file)) emit(chunk);
  return null;
}

/** The physical limit of any program: each byte is read, hashed and copied once. */
async function copyBytes(file: string): Promise<null> {
  const sum = createHash('sha256');
  for await (const chunk of bytesOf(file)) {
    sum.update(chunk);
    emit(Buffer.from(chunk));
  }
  sum.digest();
  return null;
}

async function handWritten(file: string): Promise<number> {
  const program = handWrittenProgram(emit);
  for await (const text of bytesOf(file).setEncoding('utf8')) program.add(text);
  return program.end();
}

async function bareCsvParse(file: string): Promise<null> {
  for await (const _ of bytesOf(file).pipe(parse())) {
    // Only parses.
  }
  return null;
}

async function naive(file: string): Promise<number> {
  const program = naiveProgram(emit);
  for await (const record of bytesOf(file).pipe(parse({ columns: true }))) program.add(record);
  return program.end();
}

interface Papa {
  parse(source: unknown, options: Record<string, unknown>): void;
}

async function papaparse(file: string, references: string): Promise<number> {
  const papa: Papa = reference(references, 'papaparse');
  const program = naiveProgram(emit);
  await new Promise<void>((resolve, reject) => {
    papa.parse(bytesOf(file).setEncoding('utf8'), {
      header: true,
      skipEmptyLines: true,
      step: ({ data }: { data: unknown }) => program.add(data),
      complete: () => resolve(),
      error: reject,
    });
  });
  return program.end();
}

interface DuckDb {
  DuckDBInstance: {
    create(
      path: string,
      options: Record<string, string>,
    ): Promise<{
      connect(): Promise<{ runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }> }>;
    }>;
  };
}

async function duckdb(file: string, references: string): Promise<number> {
  const { DuckDBInstance }: DuckDb = reference(references, '@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const header = await readHeader(file);
  let valid = 0;
  for (const statement of duckdbStatements(file, header)) {
    const result = await connection.runAndReadAll(statement);
    valid = Number(result.getRows().at(0)?.[0]);
  }
  return valid;
}

async function readHeader(file: string): Promise<string[]> {
  for await (const line of createInterface(bytesOf(file))) return line.split(',');
  return [];
}

const discard = (): FileWriter => ({
  write: async (text) => emit(text),
  close: async () => {},
  abort: async () => {},
});

async function simporter(file: string, _references = '', open: Files['open'] = discard): Promise<number> {
  const now = Date.parse('2026-06-29T11:00:00Z');
  const nothing = async () => {};
  const planned = await planImport({ open, read: async () => bytesOf(file) } as unknown as Files, {
    importId: 'bench',
    object: { bucket: 'inbox', key: file },
    operation: createPort,
    settings: defaultSettings,
    limits: {
      maxFileRows: 100_000_000,
      toleratedFailurePercentage: 100,
      ...waitingLimits,
    },
    context: {
      catalogue: createCatalogue(sampleCatalogue),
      settings: { zone: 'Europe/London', callingCode: '44', msisdnFormat: 'national', maxRowsPerRequest },
      calendar: () => now,
    },
    buckets: { work: 'work', results: 'results' },
    openCorrection: async () => undefined,
    onHeader: nothing,
    onProgress: nothing,
    onRead: nothing,
  });
  if (planned.rejection !== undefined) throw new Error(planned.rejection.message);
  return planned.accepted;
}

let counted: Pick<Run, 'requests' | 'minimumRequests'> = {};

/** Counts the requests of simporter's plan, and the fewest that hold the rows of each combination. */
async function countRequests(file: string, references: string): Promise<number> {
  const plan: Buffer[] = [];
  const open: Files['open'] = (_bucket, key) => {
    const isPlan = key.endsWith('plan.ndjson');
    return { ...discard(), write: async (text) => void (isPlan && plan.push(Buffer.from(text))) };
  };
  const good = await simporter(file, references, open);
  const rowsOf = new Map<string, number>();
  const lines = Buffer.concat(plan).toString().trimEnd().split('\n');
  for (const line of lines) {
    const { head, rows } = JSON.parse(line) as { head: object; rows: unknown[] };
    const key = JSON.stringify(head);
    rowsOf.set(key, (rowsOf.get(key) ?? 0) + rows.length);
  }
  const minimumRequests = [...rowsOf.values()].reduce((sum, rows) => sum + Math.ceil(rows / maxRowsPerRequest), 0);
  counted = { requests: lines.length, minimumRequests };
  return good;
}

const programs: Readonly<Record<string, (file: string, references: string) => Promise<number | null>>> = {
  bytes: readBytes,
  copy: copyBytes,
  'csv-parse': bareCsvParse,
  naive,
  papaparse,
  duckdb,
  'hand-written': handWritten,
  simporter,
  requests: countRequests,
};

const reference = <Library>(folder: string, name: string): Library =>
  createRequire(join(folder, 'package.json'))(name) as Library;

const [program = '', file = '', references = process.cwd()] = process.argv.slice(2);
const run = programs[program];
if (run === undefined) throw new Error(`there is no program "${program}"`);
const [cpu, wall] = [process.cpuUsage(), performance.now()];
const good = await run(file, references);
const { user, system } = process.cpuUsage(cpu);
const measured: Run = {
  good,
  ...counted,
  cpuMs: Math.round((user + system) / 1000),
  wallMs: Math.round(performance.now() - wall),
  peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
};
process.stdout.write(`${JSON.stringify(measured)}\n`);
