// The memory that ingest needs:
// `npx node bench/ingest-memory.ts [--rows N] [--file usual|combinations|distinct|broken] [--xlsx shared|inline]`.
// Ingest is bundled and has the Node options of the function; the file is generated while it is read, with --xlsx as a
// workbook whose texts are shared, as Excel stores them, or inline.
// METHOD.md explains the figures.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { ingestNodeOptions } from '#infra/derived-settings.ts';
import { generateBlocks, type RowsWanted } from '../test/support/generate-rows.ts';
import { generateWorkbook, type TextsOfCells } from './full-sheet.ts';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    file: { type: 'string' },
    xlsx: { type: 'string' },
  },
});
const rows = Number(options.rows);
const usual = { rows, combinations: 120, quoted: 0.05, broken: 0.01, duplicates: 0.005 };
const files: Readonly<Record<string, RowsWanted>> = {
  usual,
  // Half of the most that may wait at a time, with their rows in any order.
  combinations: { ...usual, combinations: 20_000 },
  distinct: { ...usual, combinations: rows },
  // Not all of them: ingest rejects a file without a valid row.
  broken: { ...usual, broken: 0.99 },
};
/** Three quarters of 512 MB, as on the local emulator; Lambda allows more. */
const heap = '--max-old-space-size=384';

async function measure(program: string, wanted: RowsWanted): Promise<string> {
  const child = spawn(process.execPath, [heap, ...ingestNodeOptions, program, 'simporter', '-'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  const bytes = options.xlsx ? generateWorkbook(wanted, options.xlsx as TextsOfCells) : generateBlocks(wanted);
  // A program that rejects the file ends before it has read all of it.
  await pipeline(bytes, child.stdin).catch(() => {});
  return output;
}

const folder = mkdtempSync(join(tmpdir(), 'simporter-memory-'));
try {
  const program = join(folder, 'ingest.mjs');
  const entry = join(import.meta.dirname, 'ingest-programs.ts');
  const banner = {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire('/');",
  };
  await build({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'esm', banner });
  for (const [name, wanted] of Object.entries(files)) {
    if (options.file !== undefined && options.file !== name) continue;
    process.stdout.write(`${name}, ${rows} rows: ${await measure(program, wanted)}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
