// simporter reschedule IMPORT --date D: moves ports to another date. Each port is cancelled, read back as cancelled,
// and only then created again.
import { randomUUID } from 'node:crypto';
import { parseCalendarDate } from '#shared/domain/dates/calendar-date.ts';
import { reschedulingId } from '#shared/domain/requests/identity.ts';
import type { ImportItem } from '#shared/items/import.ts';
import type { RescheduleMessage } from '#shared/messages.ts';
import { readImportProgress } from '#shared/read-models/import-progress.ts';
import { CliError, usageError } from '../context/cli-error.ts';
import type { ConfigureCommand } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { followImport, importExitCode, isWatchOver, openProgress } from '../imports/follow-import.ts';
import { becauseOption, readActor } from '../options/actor-options.ts';
import { importArgument } from '../options/import-argument.ts';
import { parseCount } from '../options/parse-number.ts';
import { printJson } from '../output/json.ts';
import type { Session } from '../target/target.ts';
import { withTarget } from '../target/with-target.ts';
import { describeImport, toImportJson } from '../views/import-view.ts';
import { formatIssues } from '../views/issues-view.ts';

interface RescheduleOptions {
  readonly date: string;
  readonly request?: readonly string[];
  readonly watch?: boolean;
  readonly because?: string;
}

export const configure: ConfigureCommand = (command, run) =>
  command
    .argument(...importArgument)
    .requiredOption('--date <day>', 'YYYY-MM-DD, or auto for the earliest possible date')
    .option('--request <number...>', 'only these requests of the import')
    .option('--watch', 'wait until every new port has ended or requires an action')
    .option(...becauseOption)
    .action(
      run<[string, RescheduleOptions]>((context, text, { date, request, watch, because }) =>
        withTarget(context, async (session) => {
          const requests = request?.map((number) => parseCount('--request', number));
          const change = { date: parseDate(date), requests, ...readActor(session, because) };
          const started = await reschedule(session, await findImport(session, text), change);
          const item = await followImport(session, started, watch ? isWatchOver : isStarted, openProgress(session));
          if (session.json) await printJson(session, toImportJson(item));
          else await show(session, item);
          return importExitCode(item);
        }),
      ),
    );

function parseDate(text: string): string {
  if (text.toLowerCase() === 'auto') return 'auto';
  const parsed = parseCalendarDate(text);
  if (parsed.ok) return parsed.value;
  throw usageError(`--date: ${parsed.finding.message}.`, 'For example: --date 2026-07-31, or --date auto');
}

const isStarted = ({ state }: ImportItem): boolean => state !== 'planning' && state !== 'planned';

const pollMs = 250;
const timeoutMs = 60_000;

/** Sends the command to ingest and waits for the import that it creates. */
async function reschedule(
  { target, clock, wait }: Session,
  { importId }: ImportItem,
  change: Omit<RescheduleMessage, 'ask' | 'reschedule'>,
): Promise<ImportItem> {
  const ask = randomUUID();
  const newId = reschedulingId(importId, ask);
  await target.reschedule({ reschedule: importId, ask, ...change });
  for (const deadline = clock() + timeoutMs; clock() < deadline; ) {
    const item = await target.imports.get(newId);
    if (item !== undefined) return item;
    await wait(pollMs);
  }
  throw new CliError('The command was sent, but ingest has not received it for a minute.', {
    advice: `Check again later: ${nextCommand('status', newId)}. If it never appears, read the log of ingest.`,
  });
}

async function show(session: Session, item: ImportItem): Promise<void> {
  const { terminal, target } = session;
  await terminal.lines(describeImport(session, item, await readImportProgress(target, item)));
  if (item.issues.length > 0) await terminal.lines(['', ...formatIssues(item.issues, terminal)]);
  if (item.state === 'rejected') terminal.note('\nNothing was cancelled: every port keeps its date.');
  else terminal.note(`\nTo follow it: ${nextCommand('status', item.importId)}`);
}
