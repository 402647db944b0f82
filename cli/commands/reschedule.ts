// simporter reschedule IMPORT --date D: moves ports to another date. Each port is cancelled, read back as cancelled,
// and only then created again. With --numbers FILE instead: the ports of a list of numbers, of whichever import.
import { randomUUID } from 'node:crypto';
import { Option } from 'commander';
import type { ImportItem } from '#shared/import/import.ts';
import { type Outcome, sendableAgain } from '#shared/outcome/outcome.ts';
import { rowStatus } from '#shared/port/port-status.ts';
import type { RescheduleMessage } from '#shared/request/messages.ts';
import { readManyNumbers } from '#shared/results/numbers.ts';
import { readImportProgress } from '#shared/results/progress.ts';
import { reschedulingId } from '#shared/text/identity.ts';
import { counted } from '#shared/text/wording.ts';
import { notFoundError, usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { awaitImport, followImport, importExitCode, isWatchOver, openProgress } from '../imports/follow-import.ts';
import { readNumberFile } from '../imports/read-number-file.ts';
import { becauseOption, importArgument, parseCount, parseDay, readActor } from '../options/common-options.ts';
import { printJson, printJsonLine } from '../output/json.ts';
import type { Session } from '../target/target.ts';
import { formatIssues } from '../views/file-view.ts';
import { describeImport, toImportJson } from '../views/import-view.ts';

interface RescheduleOptions {
  readonly date: string;
  readonly request?: readonly string[];
  readonly numbers?: string;
  readonly watch?: boolean;
  readonly because?: string;
}

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument('[import]', importArgument[1])
    .requiredOption('--date <day>', 'YYYY-MM-DD, or auto for the earliest possible date')
    .option('--request <number...>', 'only these requests of the import')
    .addOption(new Option('--numbers <file>', 'the ports of the numbers of a file').conflicts('request'))
    .option('--watch', 'wait until every new port has ended or requires an action')
    .option(...becauseOption)
    .action(
      onTarget<[string | undefined, RescheduleOptions]>(async (session, text, options) => {
        const parts = await findParts(session, text, options);
        const answer = parts.length > 1 ? printJsonLine : printJson;
        const started = await moveParts(session, parts, options);
        const exitCodesOfParts: ExitCode[] = [];
        for (const one of started) {
          const item = await followImport(session, one, options.watch ? isWatchOver : isStarted, openProgress(session));
          await (session.json ? answer(session, toImportJson(item)) : show(session, item));
          exitCodesOfParts.push(importExitCode(item));
        }
        return exitCodesOfParts.find((code) => code !== exitCodes.done) ?? exitCodes.done;
      }),
    );

/** All parts are sent before one is followed: with --watch that takes days. */
export const moveParts = (
  session: Session,
  parts: readonly Part[],
  options: RescheduleOptions,
): Promise<ImportItem[]> => Promise.all(parts.map((part) => movePart(session, part, options)));

/** Sends the command to ingest and waits for the import that it creates. */
async function movePart(
  session: Session,
  { importId, requests }: Part,
  { date, because }: RescheduleOptions,
): Promise<ImportItem> {
  const ask = randomUUID();
  const change: Omit<RescheduleMessage, 'ask' | 'reschedule'> = {
    date: parseDate(date),
    requests,
    ...readActor(session, because),
  };
  await session.target.command({ reschedule: importId, ask, ...change });
  return awaitImport(session, reschedulingId(importId, ask));
}

/** What moves of one import; all of its requests where none is named. */
interface Part {
  readonly importId: string;
  readonly requests?: number[] | undefined;
}

async function findParts(
  session: Session,
  text: string | undefined,
  { request, numbers }: RescheduleOptions,
): Promise<Part[]> {
  if ((text === undefined) === (numbers === undefined)) {
    throw usageError('Name an import, or a file with --numbers.', 'For example: --numbers late.csv --date auto');
  }
  if (numbers !== undefined) return partsOfNumbers(session, numbers);
  const { importId } = await findImport(session, text ?? '');
  return [{ importId, requests: request?.map((number) => parseCount('--request', number)) }];
}

/** The ports of the numbers. @throws CliError (usage) where a port has other numbers, too: it moves as a whole */
async function partsOfNumbers(session: Session, file: string): Promise<Part[]> {
  const { target } = session;
  const listed = await readNumberFile(session, file);
  const numbers = new Set<string>(listed.flatMap(({ number }) => number ?? []));
  const found = await readManyNumbers(target, [...numbers]);
  const moving = [...found.values()].filter(({ outcome, portId }) => portId !== null && !hasEnded(outcome));
  const ports = new Map(moving.map((details) => [details.portId ?? '', details]));
  const others: string[] = [];
  for (const portId of ports.keys()) {
    const rows = (await target.ports.rows(portId)) ?? [];
    others.push(
      ...rows.flatMap(({ msisdn, status }) => (numbers.has(msisdn) || rowStatus(status).terminal ? [] : msisdn)),
    );
  }
  if (others.length > 0) {
    const shown = others.slice(0, shownNumbers).map((number) => `+${number}`);
    throw usageError(
      `The ports have ${counted(others.length, 'number')} that ${file} does not list: ${shown.join(', ')}${others.length > shownNumbers ? ', …' : ''}.`,
      'A port moves as a whole. List them too, or cancel your numbers with cancel-port and import them again.',
    );
  }
  const skipped = new Set(listed.map(({ number, text }) => number ?? text)).size - moving.length;
  if (skipped > 0) session.terminal.note(`${counted(skipped, 'number')} of ${file} without a port in progress.`);
  if (moving.length === 0) throw notFoundError(`No number of ${file} has a port in progress.`);
  const byImport = Map.groupBy(ports.values(), ({ importId }) => importId);
  return [...byImport].map(([importId, all]) => ({ importId, requests: [...new Set(all.map((one) => one.request))] }));
}

const shownNumbers = 5;
const hasEnded = (outcome: Outcome): boolean => outcome === 'complete' || sendableAgain.has(outcome);

const parseDate = (text: string): string =>
  text.toLowerCase() === 'auto' ? 'auto' : parseDay('--date', text, '--date 2026-07-31, or --date auto');

const isStarted = ({ state }: ImportItem): boolean => state !== 'planning' && state !== 'planned';

async function show(session: Session, item: ImportItem): Promise<void> {
  const { terminal, target } = session;
  await terminal.lines(describeImport(session, item, await readImportProgress(target, item)));
  if (item.issues.length > 0) await terminal.lines(['', ...formatIssues(item.issues, terminal)]);
  if (item.state === 'rejected') terminal.note('\nNothing was cancelled: every port keeps its date.');
  else terminal.note(`\nTo follow it: ${nextCommand('status', item.importId)}`);
}
