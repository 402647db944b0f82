// simporter reschedule IMPORT --date D: ports on another day. Cancelled, read back, and only then made anew.
import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { parseCalendarDate } from '#shared/domain/calendar-date.ts';
import { reschedulingId } from '#shared/domain/identity.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import type { RescheduleMessage } from '#shared/domain/plan.ts';
import { askingIn, becauseOption } from '../asking.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { Failure, usageFailure } from '../failure.ts';
import { findImport } from '../find-import.ts';
import { followImport, isSettled, needsSomebody } from '../follow-import.ts';
import { hint } from '../hint.ts';
import { importArgument } from '../import-argument.ts';
import { printJson } from '../output/json.ts';
import { noProgress } from '../output/progress.ts';
import { readCount } from '../read-number.ts';
import type { Session } from '../session.ts';
import { describeImport, importJsonOf } from '../show-import.ts';
import { issuesTable } from '../show-issues.ts';
import { type Target, withTarget } from '../target.ts';

interface RescheduleOptions {
  readonly date: string;
  readonly request?: readonly string[];
  readonly watch?: boolean;
  readonly because?: string;
}

export const rescheduleCommand = ({ action }: CommandContext): Command =>
  new Command('reschedule')
    .description('Move ports to another day: each is cancelled, read back as cancelled, and only then made anew.')
    .argument(...importArgument)
    .requiredOption('--date <day>', 'YYYY-MM-DD, or auto for the earliest day that can be booked')
    .option('--request <number...>', 'only these requests of the import, as results and status number them')
    .option('--watch', 'stay until every new port has ended, or waits for a person')
    .option(...becauseOption)
    .action(
      action<[string, RescheduleOptions]>((session, given, { date, request, watch = false, because }) =>
        withTarget(session, async (target) => {
          const requests = request?.map((text) => readCount('--request', text));
          const wish = { date: readDate(date), requests, ...askingIn(session, because) };
          const old = await findImport(target, given);
          const item = await askFor(session, target, old, wish, watch);
          if (session.json) await printJson(session.terminal, importJsonOf(item));
          else await show(session, item);
          return needsSomebody(item) ? exitCodes.attention : exitCodes.done;
        }),
      ),
    );

function readDate(text: string): string {
  if (text.toLowerCase() === 'auto') return 'auto';
  const parsed = parseCalendarDate(text);
  if (parsed.ok) return parsed.value;
  throw usageFailure(`--date: ${parsed.finding.message}.`);
}

async function askFor(
  session: Session,
  target: Target,
  { importId }: ImportItem,
  wish: Omit<RescheduleMessage, 'ask' | 'reschedule'>,
  watch: boolean,
): Promise<ImportItem> {
  const ask = randomUUID();
  await target.reschedule({ reschedule: importId, ask, ...wish });
  const begun = await untilBegun(session, target, reschedulingId(importId, ask));
  const progress = session.json ? noProgress : session.terminal.progress();
  const isPlanned = ({ state }: ImportItem): boolean => state !== 'planning' && state !== 'planned';
  return followImport(session, target, begun, watch ? isSettled : isPlanned, progress);
}

const lookEveryMs = 250;
const longestMs = 60_000;

/** Ingest makes the import when it takes up the wish. */
async function untilBegun(session: Session, target: Target, importId: string): Promise<ImportItem> {
  for (const giveUpAt = session.clock() + longestMs; session.clock() < giveUpAt; ) {
    const item = await target.imports.get(importId);
    if (item !== undefined) return item;
    await session.wait(lookEveryMs);
  }
  throw new Failure('The wish was sent, but after a minute nobody has taken it up.', {
    advice: `Look again later: ${hint(`status ${importId}`)}. If it never appears, read the log of ingest.`,
  });
}

async function show({ terminal }: Session, item: ImportItem): Promise<void> {
  await terminal.lines(describeImport(item, terminal));
  if (item.issues.length > 0) await terminal.lines(['', ...issuesTable(item.issues, terminal)]);
  if (item.state === 'refused') terminal.note('\nNothing was cancelled: every port stays on its day.');
  else terminal.note(`\nTo follow it: ${hint(`status ${item.importId}`)}`);
}
