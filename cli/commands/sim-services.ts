// simporter sim-services FILE: the current services of each SIM of a list, read from the service.
import { randomUUID } from 'node:crypto';
import { json as readJson } from 'node:stream/consumers';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { mostSims, type SimServices } from '#shared/operations/sim-services.ts';
import { aliasFor } from '#shared/outcome/service-comparison.ts';
import { simServices } from '#shared/results/answers.ts';
import { simListKey, simServicesKey } from '#shared/store/object-keys.ts';
import { shortId } from '#shared/text/identity.ts';
import { count, counted } from '#shared/text/wording.ts';
import { waitFor } from '../context/cli-context.ts';
import { CliError } from '../context/cli-error.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { readSimFile } from '../imports/read-number-file.ts';
import { saveTable } from '../imports/save-report.ts';
import { addFileOptions, type FileOptions, writesFile } from '../options/common-options.ts';
import { printJsonLine } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import type { Session } from '../target/target.ts';

type Answer = SimServices & { readonly line: number };

export const configure: ConfigureCommand = (command, { onTarget }) =>
  addFileOptions(
    command.argument('<file>', 'a CSV or a workbook with a column of SIM serials or numbers, or one on each line'),
    'write a row for each service of every SIM',
  ).action(
    onTarget<[string, FileOptions]>(async (session, file, files) => {
      const listed = await readSimFile(session, file);
      const tally = { sims: 0, problems: 0 };
      await write(session, file, counting(readAll(session, listed), tally), files);
      const read = `${counted(tally.sims, 'SIM')}: ${count(tally.sims - tally.problems)} read`;
      if (!session.json) session.terminal.note(tally.problems > 0 ? `${read}, ${count(tally.problems)} not` : read);
      return tally.problems > 0 ? exitCodes.actionRequired : exitCodes.done;
    }),
  );

async function write(session: Session, file: string, answers: AsyncIterable<Answer[]>, files: FileOptions) {
  // How many rows there are is only known at the end.
  if (writesFile(files)) return saveTable(session, { header, rows: rowsOf(answers) }, files, 0);
  if (!session.json) return show(session, file, answers);
  for await (const batch of answers) for (const answer of batch) await printJsonLine(session, answer);
}

async function* counting(answers: AsyncIterable<Answer[]>, tally: { sims: number; problems: number }) {
  for await (const batch of answers) {
    tally.sims += batch.length;
    tally.problems += batch.filter(({ problem }) => problem !== null).length;
    yield batch;
  }
}

/** Ingest reads the services, because only functions have the secret and share the rate limit. */
async function* readAll(session: Session, listed: readonly { readonly line: number; readonly text: string }[]) {
  for (let start = 0; start < listed.length; start += mostSims) {
    const part = listed.slice(start, start + mostSims);
    const answers = await ask(
      session,
      part.map(({ text }) => text),
    );
    yield answers.map((answer, index): Answer => ({ line: part[index]?.line ?? 0, ...answer }));
    if (listed.length > mostSims) session.terminal.note(`${count(start + part.length)} of ${count(listed.length)}`);
  }
}

const pollMs = 500;
/** Longer than a list takes at one call per second. */
const timeoutMs = 450_000;

async function ask(session: Session, sims: readonly string[]): Promise<SimServices[]> {
  const { s3, files, resources } = session.target;
  const id = shortId([randomUUID()]);
  const list = { Bucket: resources.inboxBucket, Key: simListKey(id), Body: JSON.stringify(sims) };
  await s3.send(new PutObjectCommand({ ...list, ContentType: 'application/json' }));
  const answer = { bucket: resources.resultsBucket, key: simServicesKey(id) };
  const readAnswer = async () => {
    if ((await files.head(answer)) === undefined) return undefined;
    return z.array(simServices).parse(await readJson(await files.read(answer)));
  };
  return waitFor(session, readAnswer, { firstMs: pollMs }, { withinMs: timeoutMs, tooLate });
}

const tooLate = (): Error =>
  new CliError('The services were not read within some minutes.', {
    advice: `See whether the service answers: ${nextCommand('sync')}`,
  });

const header = ['line', 'sim', 'serialNumber', 'group', 'service', 'type', 'value', 'readOnly', 'problem'];

/** A row for each service; one with the reason where a SIM could not be read. */
function cellsOf({ line, sim, serialNumber, services, problem }: Answer): string[][] {
  const own = [String(line), sim, serialNumber ?? ''];
  if (services.length === 0) return [[...own, '', '', '', '', '', problem ?? 'The SIM has no services']];
  return services.map(({ group, name, type, value, isReadOnly }) => [
    ...own,
    group,
    name,
    type,
    value === null ? '' : aliasFor(type, value),
    isReadOnly ? 'yes' : 'no',
    '',
  ]);
}

async function* rowsOf(answers: AsyncIterable<Answer[]>): AsyncIterable<string[][]> {
  for await (const batch of answers) yield batch.flatMap(cellsOf);
}

const shownRows = 40;
const columns: readonly TableColumn[] = [
  { header: 'line', align: 'right' },
  ...['sim', 'service', 'value'].map((name) => ({ header: name })),
  { header: 'problem', wraps: true },
];

async function show({ terminal }: Session, file: string, answers: AsyncIterable<Answer[]>): Promise<void> {
  const rows: string[][] = [];
  for await (const batch of rowsOf(answers)) rows.push(...batch);
  const shown = rows.slice(0, shownRows).map((cells) => [0, 1, 4, 6, 8].map((at) => cells[at] ?? ''));
  await terminal.lines(formatTable(columns, shown, terminal));
  const more = rows.length - shown.length;
  if (more > 0)
    terminal.note(
      `and ${count(more)} more. To write all: ${nextCommand('simServices', file, '--csv', 'services.csv')}`,
    );
}
