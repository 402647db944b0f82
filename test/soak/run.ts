// `npm run soak`: exit code 3 if the results differ from the service.
import { parseArgs } from 'node:util';
import * as z from 'zod';
import type { DifferenceKind } from './compare-evidence.ts';
import { type SoakReport, soak } from './soak.ts';

const usage = `Usage: npm run soak -- [options]

  --minutes N  how long files are uploaded while processes are killed and the service fails (default 10)
  --rows N     rows of create-port to upload in that time (default 600 per minute)
  --seed N     the seed of all choices (default: random; it is printed)
  --json       print the report as JSON
  --help       show this

Afterwards the soak waits until every import has finished, which takes some minutes.`;

const settings = z.object({
  minutes: z.coerce.number().positive(),
  rows: z.coerce.number().int().positive().optional(),
  seed: z.coerce.number().int(),
});

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((one, two) => one + two, 0);
const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');

function lines(report: SoakReport): string[] {
  const { differences, kills, faults } = report;
  const many = (kind: DifferenceKind): number => differences.filter((one) => one.kind === kind).length;
  return [
    `seed          ${report.seed}, ${report.seconds} s`,
    `rows          ${report.rows} in ${report.imports} imports`,
    `the service   ${report.numbersPorted} numbers in ${report.ports} ports, ${report.tickets} tickets`,
    `kills         ${sum(kills)}: ${listed(kills)}`,
    `faults        ${sum(faults)}: ${listed(faults)}`,
    `actions       ${report.actionRequired} requests; ${report.redriven} messages were dead-lettered and redriven`,
    `stopped       ${report.stopped.imports} imports, ${report.stopped.forGood} for good: ${report.stopped.rowsNotSent} rows not sent; ${report.stopped.undone} cancelled`,
    `duplicates    ${many('duplicate')}`,
    `lost          ${many('lost')}`,
    `wrong status  ${many('wrong status')}`,
    ...differences.map(({ kind, text }) => `  ${kind}: ${text}`),
  ];
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      rows: { type: 'string' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const given = settings.safeParse(values);
  if (!given.success) {
    console.error(`${z.prettifyError(given.error)}\nSee: npm run soak -- --help`);
    return 2;
  }
  const { minutes, rows, seed } = given.data;
  console.error(`seed ${seed}`);
  const report = await soak({
    rows: rows ?? Math.ceil(minutes * 600),
    faultsMs: minutes * 60_000,
    seed,
    log: (line) => console.error(`${new Date().toISOString().slice(11, 19)}  ${line}`),
  });
  console.log(values.json ? JSON.stringify(report, null, 2) : lines(report).join('\n'));
  return report.differences.length === 0 ? 0 : 3;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (!isUsage) throw error;
  console.error(`${error.message}\nSee: npm run soak -- --help`);
  process.exitCode = 2;
}
