// How long a person waits for a file of five rows, on an emulator that has imported a file before. Prints one line of
// JSON: `npx node bench/small-file.ts [--runs 9]`. See METHOD.md.
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { wallClock } from '#shared/runtime/clock.ts';
import { generateRows } from '../test/support/ingest/generate-rows.ts';
import { isCreated, type LocalImport, onPipeline } from './local-import.ts';
import { median } from './quantile.ts';

const rowsPerFile = 5;
const pollEveryMs = 5;
/** No port is created later, and no import is shown sooner: reading the table would delay what is measured. */
const unobservedMs = 250;
/** Report writes the files of an import after it is shown: the next import waits for that. */
const betweenImportsMs = 500;

async function measure({ upload, readImport, lastCreated }: LocalImport, runs: number) {
  const [header, ...rows] = generateRows({ rows: (runs + 1) * rowsPerFile, combinations: 1 });
  const times: { readonly created: number; readonly shown: number }[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const key = `create-port/small-${run}.csv`;
    const begun = wallClock();
    const text = [header, ...rows.slice(run * rowsPerFile, (run + 1) * rowsPerFile)].join('');
    await upload(key, [Buffer.from(text)]);
    await pause(unobservedMs);
    let item = await readImport();
    while (item?.key !== key || !isCreated(item)) {
      await pause(pollEveryMs);
      item = await readImport();
    }
    const [shown, created] = [wallClock(), await lastCreated(item)];
    await pause(betweenImportsMs);
    times.push({ created: created - begun, shown: shown - created });
    console.error(`${key}: created after ${created - begun} ms, shown ${shown - created} ms later`);
  }
  const warm = times.slice(1);
  return {
    rows: rowsPerFile,
    /** From the start of the upload to the answer of the last call that created a port, by the ledger; the median. */
    msToCreated: median(warm.map(({ created }) => created)),
    /** From then until the import shows it. */
    msToShown: median(warm.map(({ shown }) => shown)),
  };
}

const { values } = parseArgs({ options: { runs: { type: 'string', default: '9' } } });
console.log(JSON.stringify(await onPipeline({}, (local) => measure(local, Number(values.runs)))));
