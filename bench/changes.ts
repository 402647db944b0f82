// How long files that name ports, and a new date for ports, are planned while the service answers slowly. Prints one
// line of JSON: `npx node bench/changes.ts [--rows N]`. See METHOD.md.
import { parseArgs } from 'node:util';
import { bookableDay } from '../test/support/bookable-day.ts';
import { generateBlocks, generateRows, type RowsWanted } from '../test/support/generate-rows.ts';
import { isCreated, isPlanned, isRead, type LocalImport, onPipeline, untilImport } from './local-import.ts';

/** How long the service waits before each answer. */
const msPerCall = 300;
const dayMs = 86_400_000;
/** The record of a number in the file of each operation. */
const files = {
  'update-port': { header: 'msisdn,pac,action', record: (number: string) => `${number},,cancel` },
  'cancel-port': { header: 'msisdn', record: (number: string) => number },
};

interface Account {
  readonly wanted: RowsWanted;
  readonly callsPerSecond: number;
}

async function measureChanges(local: LocalImport, { wanted, callsPerSecond }: Account) {
  const { upload, readImport, reschedule, countCalls } = local;
  await upload('create-port/bench.csv', generateBlocks(wanted));
  const { importId, requestCount: ports } = await untilImport(local, isCreated);
  await untilImport(local, isRead);
  await local.slowDown(msPerCall);
  const figures: unknown[] = [];
  const add = async (change: string, begin: () => Promise<void>): Promise<void> => {
    const before = { id: (await readImport())?.importId, calls: await countCalls() };
    const begun = performance.now();
    await begin();
    const { accepted: rows } = await untilImport(local, (item) => item.importId !== before.id && isPlanned(item));
    // From the start of the upload, or from the command, until the import shows its plan.
    const seconds = Math.round((performance.now() - begun) / 100) / 10;
    // To the service meanwhile.
    const calls = (await countCalls()) - before.calls;
    if (rows !== wanted.rows) throw new Error(`${change}: ${rows} of ${wanted.rows} rows are planned`);
    console.error(`${change}: ${rows} rows of ${ports} ports planned after ${seconds} s, with ${calls} calls`);
    figures.push({ change, rows, ports, callsPerSecond, msPerCall, seconds, calls });
  };
  const numbers = Array.from(generateRows(wanted), (row) => row.slice(0, row.indexOf(','))).slice(1);
  for (const [operation, { header, record }] of Object.entries(files)) {
    const text = `${[header, ...numbers.map(record)].join('\n')}\n`;
    await add(operation, () => upload(`plan/${operation}/bench.csv`, [Buffer.from(text)]));
  }
  await add('reschedule', () => reschedule(importId, bookableDay(Date.now() + 10 * dayMs)));
  return figures;
}

const { values } = parseArgs({ options: { rows: { type: 'string', default: '10000' } } });
const rows = Number(values.rows);
const accounts: Account[] = [
  { wanted: { rows, combinations: 40 }, callsPerSecond: 10 },
  // Nearly each number is a separate port.
  { wanted: { rows, combinations: rows, sorted: true }, callsPerSecond: 100 },
];
const figures: unknown[] = [];
for (const account of accounts) {
  const serviceVariables = { callsPerSecond: String(account.callsPerSecond) };
  const options = { sandbox: true, serviceVariables };
  figures.push(...(await onPipeline(options, (local) => measureChanges(local, account))));
}
console.log(JSON.stringify(figures));
