// `npm run bench`: all measurements of simporter, compared with other programs. METHOD.md explains them.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { type BenchAmounts, type BenchFigures, measure, type PartName, partNames } from './measure-parts.ts';
import { linesOf } from './tables.ts';

const usage = `Usage: npm run bench -- [options]

  --only LIST   some of ${partNames.join(',')} (default all)
  --rows N      rows of the files (default 300000 for ingest, 100000 for throughput)
  --runs N      rounds of ingest; start-up has three times as many (default 3)
  --quick       small files and one round, to check that it works
  --json        the figures as one line of JSON`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: partNames.join(',') },
    rows: { type: 'string' },
    runs: { type: 'string', default: '3' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const settings = z.object({
  only: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(partNames))),
  rows: z.coerce.number().int().min(1).optional(),
  runs: z.coerce.number().int().min(1),
});

async function measureAll(names: readonly PartName[], amounts: BenchAmounts): Promise<BenchFigures> {
  const figures: [PartName, unknown][] = [];
  for (const name of partNames.filter((one) => names.includes(one))) {
    console.error(`Measuring ${name}; the machine's load is ${(loadavg()[0] ?? 0).toFixed(1)}.`);
    figures.push([name, await measure[name](amounts)]);
  }
  return Object.fromEntries(figures) as BenchFigures;
}

async function main(): Promise<void> {
  if (values.help) return console.log(usage);
  const wanted = settings.safeParse(values);
  if (!wanted.success) {
    console.error(`${z.prettifyError(wanted.error)}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  const { only, ...amounts } = wanted.data;
  const figures = await measureAll(only, { ...amounts, quick: values.quick });
  if (values.json) console.log(JSON.stringify(figures));
  else for (const line of linesOf(figures)) console.log(line);
}

await main();
