// Only what people meant is sent: of whatever file they make of it, each row is sent as it was meant, or waits for a
// person with a reason, and each line of the file is a row, the header, or named.
import { expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { plannedRequest } from '#shared/request/request.ts';
import type { Issue } from '#shared/row/issue.ts';
import { createDice } from '../../chaos/dice.ts';
import { type MadeFile, makeFile } from '../../support/ingest/files-of-meanings.ts';
import { type IngestBench, ingestBench } from '../../support/ingest/ingest.ts';
import {
  benchFor,
  type Meaning,
  meanRows,
  type OperationMeaning,
  operationMeanings,
} from '../../support/ingest/meanings.ts';
import { csvOf } from '../../support/ingest/valid-rows.ts';

const isFullSweep = process.env.CHAOS_SWEEPS === 'full';
const files = Number(process.env.MEANINGS ?? (isFullSweep ? 100_000 : 10_000));

/** An import with values for all rows, of which rows return in another operation. */
const earlier = { 'set-boltons': '101', 'set-services': 'Premium=block', 'set-porttype': 'Port', 'set-esim': 'yes' };
const earlierId = async (bench: IngestBench): Promise<string> => {
  const item = await bench.upload(csvOf([{}, {}]), { metadata: earlier, sequencer: 'earlier' });
  return item?.importId ?? '';
};
const idOfEarlier = await earlierId(ingestBench());

interface Outcome {
  readonly item: ImportItem | undefined;
  readonly issues: readonly Issue[];
  readonly sent: readonly { readonly line: number; readonly what: unknown }[];
}

async function send(meaning: OperationMeaning, file: MadeFile): Promise<Outcome> {
  const bench = benchFor(meaning, file);
  if (file.isReturned) await earlierId(bench);
  const key = `${meaning.operation}/rows.${file.extension}`;
  const item = await bench.upload(file.body, { key, metadata: { ...file.metadata } });
  // The requests of a plan that waits for approval are in its file only.
  const waiting = item?.state === 'planned' ? bench.planText(item).trim().split('\n') : [];
  const plan = [...bench.plan(item), ...waiting.map((text) => plannedRequest.parse(JSON.parse(text)))];
  const sent = plan.flatMap(({ head, rows }) =>
    rows.map(({ line, subject, wire }) => ({
      line,
      what: meaning.sent(head as Record<string, unknown>, { subject, wire: (wire ?? {}) as Record<string, unknown> }),
    })),
  );
  return { item, issues: bench.issues(item), sent };
}

/** What is wrong; undefined: only what was meant is sent, and everything else has a reason. */
function problemOf(meaning: OperationMeaning, rows: readonly Meaning[], file: MadeFile, outcome: Outcome) {
  const { item, issues, sent } = outcome;
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (item?.state === 'rejected') return errors.length === 0 ? 'rejected without a reason' : askedInVain(file);
  const beyond = sent.find(({ what }) => isWhole(what));
  // An approval is no word for it: the file asks for a number.
  if (beyond !== undefined) return `line ${beyond.line} reaches rows that it does not name`;
  if (item?.state === 'planned')
    return issues.some(({ severity }) => severity === 'warning') ? askedInVain(file) : 'waits without a reason';
  const wrong = sent.map((row) => sentOtherwise(row, meaning, rows, file)).find((problem) => problem !== undefined);
  if (wrong !== undefined) return wrong;
  const lines = new Set(sent.map(({ line }) => line));
  const lost = file.lines.find((line) => !lines.has(line) && !errors.some((error) => error.line === line));
  if (lost !== undefined) return `line ${lost} is neither sent nor has an error`;
  return (sent.length < rows.length ? askedInVain(file) : undefined) ?? uncounted(file, outcome);
}

/** Of all meanings, none is a whole port. */
const isWhole = (what: unknown): boolean => (what as { readonly whole?: boolean }).whole === true;

function sentOtherwise(
  { line, what }: Outcome['sent'][number],
  meaning: OperationMeaning,
  rows: readonly Meaning[],
  file: MadeFile,
): string | undefined {
  const row = rows[file.lines.indexOf(line)];
  if (row === undefined) return `line ${line} is sent, which nobody meant: ${JSON.stringify(what)}`;
  const meant = file.hasSharedName ? mapValues(row, (value) => (value === '5001' ? '4711' : value)) : row;
  const expected = JSON.stringify(meaning.expected(meant));
  if (JSON.stringify(what) === expected) return undefined;
  return `line ${line} is sent as ${JSON.stringify(what)}, meant is ${expected}`;
}

const mapValues = (row: Meaning, change: (value: string) => string): Meaning =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, change(value)]));

const askedInVain = ({ doubts }: MadeFile): string | undefined =>
  doubts.length === 0 ? 'not all rows are sent, although nothing is doubtful' : undefined;

/** Lines of the file = header + rows + others that are named. */
function uncounted({ body, extension }: MadeFile, { item, issues }: Outcome): string | undefined {
  if (extension !== 'csv') return undefined;
  const lines = body.toString().split('\n').slice(0, -1);
  const filled = lines.filter((line) => /[^\s,;"]/.test(line)).length;
  const count = (pattern: RegExp, code: string): number =>
    issues
      .filter((issue) => issue.code === code)
      .flatMap(({ message }) => [...message.matchAll(pattern)])
      .reduce(
        (sum, [, one = '1', other]) => sum + (other === undefined ? Number(one) : Number(other) - Number(one)),
        0,
      );
  const named =
    count(/: (\d+) rows? above it/g, 'HEADER_BELOW_OTHER_ROWS') +
    count(/(\d+) to (\d+)/g, 'RECORD_OF_SEVERAL_LINES') +
    issues.filter(({ code }) => code === 'RECORD_IS_TOTALS' || code === 'RECORD_IS_HEADER').length;
  const known = 1 + (item?.rows ?? 0) + named;
  return known === filled ? undefined : `of ${filled} lines, ${known} are the header, rows, or named`;
}

/** What became of each file that was checked, by its seed. */
const states = new Map<number, string>();

/** The seed of a file repeats it: MEANINGS_SEED=7. */
async function checkFile(seed: number): Promise<readonly string[]> {
  const dice = createDice(seed);
  const meaning = dice.pick(operationMeanings);
  const rows = meanRows(meaning, dice);
  const file = makeFile(meaning, rows, dice, idOfEarlier);
  const outcome = await send(meaning, file);
  states.set(seed, `${outcome.item?.state}${file.doubts.length === 0 ? '' : ', doubtful'}`);
  const problem = problemOf(meaning, rows, file, outcome);
  if (problem === undefined) return [];
  const shown = file.extension === 'csv' ? file.body.toString() : 'a workbook';
  const reasons = outcome.issues
    .filter(({ severity }) => severity === 'error')
    .map(({ line, code }) => `${line} ${code}`);
  return [
    `seed ${seed}, ${meaning.operation}: ${problem}; doubts: ${file.doubts.join(', ')}; ${reasons.join(', ')}\n${shown}`,
  ];
}

test('of every file, only what was meant is sent', async () => {
  const problems: string[] = [];
  const only = process.env.MEANINGS_SEED;
  const [first, last] = only === undefined ? [1, files] : [Number(only), Number(only)];
  for (let seed = first; seed <= last && problems.length < 5; seed += 1) problems.push(...(await checkFile(seed)));
  expect(problems).toEqual([]);
}, 3_600_000);

test('the files are sent at once and wait, each often enough', async () => {
  const counts: Record<string, number> = {};
  for (let seed = 1; seed <= 500; seed += 1) {
    // The test above has checked most of them.
    if (!states.has(seed)) await checkFile(seed);
    const state = states.get(seed) ?? '';
    counts[state] = (counts[state] ?? 0) + 1;
  }
  expect(Object.keys(counts).sort()).toEqual(
    expect.arrayContaining(['planned, doubtful', 'rejected, doubtful', 'submitting', 'submitting, doubtful']),
  );
  expect(counts.submitting).toBeGreaterThan(150);
});
