// simporter imports: the imports, newest first. Of one of them, simporter status shows the progress or the plan, and
// simporter audit who did what.
import type { ImportItem } from '#shared/import/import.ts';
import {
  describeHold,
  describeWaitingParts,
  isArchived,
  isOnlyValidated,
  redeliveryAfter,
} from '#shared/import/import-state.ts';
import { asksHowToRead } from '#shared/import/reading.ts';
import type { AuditEntry } from '#shared/results/answers.ts';
import { readAuditTrail } from '#shared/results/audit-trail.ts';
import { readParts, waitingParts } from '#shared/results/parts.ts';
import {
  type RootProgress,
  readInterruptions,
  readPlanGroups,
  readRootProgress,
  shownState,
  stateBeside,
  storedProgress,
} from '#shared/results/progress.ts';
import { fileNameOf } from '#shared/results/results.ts';
import { eachImport } from '#shared/store/imports.ts';
import { count, counted, describeAccount } from '#shared/text/wording.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { familyExitCode, followFamily, openProgress } from '../imports/follow-import.ts';
import { importArgument, parseCount } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import { formatInstant } from '../output/text.ts';
import type { Session, Target } from '../target/target.ts';
import { withTarget } from '../target/with-target.ts';
import { formatPlan } from '../views/file-view.ts';
import {
  describeFamily,
  describeImport,
  formatFindings,
  printInterruptions,
  toFamilyJson,
  toImportJson,
} from '../views/import-view.ts';

interface ImportsOptions {
  readonly limit: string;
  readonly all?: boolean;
}

export const configureImports: ConfigureCommand = (command, { run }) =>
  command
    .option('--limit <count>', 'how many imports to show', '20')
    .option('--all', 'show validations and archived imports, too')
    .action(
      run<[ImportsOptions]>(async (context, options) => {
        const limit = parseCount('--limit', options.limit);
        return withTarget(context, async (session) => {
          const { target, json, terminal } = session;
          // One more shows whether there are others.
          const found = await listImports(target, limit + 1, options.all ? () => true : isUsuallyListed);
          const [items, isComplete] = [found.slice(0, limit), found.length <= limit];
          if (json) await printJson(session, { imports: items.map(toImportJson), isComplete });
          else if (items.length > 0) {
            const cells = await Promise.all(items.map((item) => importCells(item, target)));
            await terminal.lines(formatTable(importColumns, cells, terminal));
            const more = nextCommand('imports', '--limit', String(10 * limit));
            if (!isComplete) terminal.note(`The newest ${counted(limit, 'import')}. To see more: ${more}`);
          } else terminal.note(`There is no import yet. To import a file: ${nextCommand('import', 'FILE', '--watch')}`);
          return exitCodes.done;
        });
      }),
    );

const isUsuallyListed = (item: ImportItem): boolean => !isOnlyValidated(item) && !isArchived(item);

/** The newest imports that match. A part is in the entry of its first import. */
async function listImports(
  { imports }: Target,
  limit: number,
  passes: (item: ImportItem) => boolean,
): Promise<ImportItem[]> {
  const found: ImportItem[] = [];
  for await (const item of eachImport(imports)) {
    if (item.partOf === undefined && passes(item)) found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}

const importColumns: readonly TableColumn[] = [
  { header: 'import' },
  { header: 'file', breaks: true },
  { header: 'received (UTC)', secondary: true },
  { header: 'state', style: (cell) => (cell === 'rejected' ? 'red' : cell === 'finished' ? 'green' : undefined) },
  { header: 'rows', align: 'right' },
  { header: 'problems', wraps: true, style: () => 'yellow' },
];

async function importCells(item: ImportItem, { imports, resources }: Target): Promise<string[]> {
  const parts = await readParts(item, imports);
  const problems = [
    describeOther(item, resources.account),
    describeProblems(item, parts),
    describeWaitingParts(waitingParts(parts)),
  ];
  return [
    item.importId,
    fileNameOf(item.key),
    formatInstant(item.receivedAt),
    stateCell(item),
    count(item.rows),
    problems.filter(Boolean).join(', '),
  ];
}

export const stateCell = (item: ImportItem): string => (asksHowToRead(item) ? 'waits for answers' : shownState(item));

const describeOther = (item: ImportItem, account: string): string =>
  item.account === account
    ? ''
    : `${describeHold(item, account) === undefined ? '' : 'held, '}of ${describeAccount(item.account)}`;

/**
 * Every row of the file once, with what its parts did; empty where nothing is wrong. A rejected file shows the reason
 * instead of its rows.
 */
export function describeProblems(item: ImportItem, parts: readonly ImportItem[] = []): string {
  const reason = item.state === 'rejected' && item.issues.find(({ severity }) => severity === 'error');
  if (reason) return reason.message;
  const { rejected = 0, duplicate = 0, skipped = 0, declined = 0 } = storedProgress(item).outcomes;
  const problems = [
    [rejected, 'rejected'],
    [duplicate, duplicate === 1 ? 'duplicate' : 'duplicates'],
    [skipped, 'skipped'],
    [declined, 'declined'],
    [[item, ...parts].reduce((sum, { actionRequired }) => sum + actionRequired, 0), 'action required'],
  ] as const;
  return problems.flatMap(([rows, text]) => (rows > 0 ? [`${count(rows)} ${text}`] : [])).join(', ');
}

// Status: the progress of an import, or what it would send.

export const configureStatus: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument(...importArgument)
    .option('--watch', 'wait until every port has ended or requires an action')
    .action(
      onTarget<[string, { readonly watch?: boolean }]>(async (session, text, { watch }) => {
        const found = await findImport(session, text);
        // Nothing of what is held changes.
        const isHeld = describeHold(found, session.target.resources.account) !== undefined;
        const isWatched = watch && !isHeld;
        const item = isWatched ? await followFamily(session, found, openProgress(session)) : found;
        const chain = await readRootProgress(session.target, item);
        await printStatus(session, item, chain);
        return familyExitCode(item, chain);
      }),
    );

async function printStatus(session: Session, item: ImportItem, chain: RootProgress): Promise<void> {
  const { target, json, terminal, clock } = session;
  const plan = item.state === 'planned' ? await readPlanGroups(target, item) : undefined;
  const interruptions = await readInterruptions(target);
  if (json) {
    const { shown } = chain;
    const redeliveryAt = redeliveryAfter(item, clock());
    const answer = {
      ...toImportJson(item),
      ...toFamilyJson(item, chain),
      ...shown,
      state: stateBeside(shown.outcomes, item.state),
      ...(redeliveryAt !== undefined && { redeliveryAt }),
      ...(plan && { plan }),
      ...interruptions,
    };
    return printJson(session, answer);
  }
  await terminal.lines([...describeImport(session, item, chain.shown, chain), ...describeFamily(item, chain)]);
  if (plan !== undefined && plan.length > 0)
    await terminal.lines(['', 'The plan:', ...formatPlan(plan, terminal, item.onInvalidPac)]);
  if (item.issues.length > 0) await terminal.lines(['', ...formatFindings(item, terminal)]);
  printInterruptions(interruptions, terminal);
}

// Audit: who uploaded, approved, rescheduled and resolved what.

export const configureAudit: ConfigureCommand = (command, { onTarget }) =>
  command.argument(...importArgument).action(
    onTarget<[string]>(async (session, text) => {
      const { target, json, terminal } = session;
      const { importId } = await findImport(session, text);
      const item = await target.imports.get(importId);
      const entries = item === undefined ? [] : await readAuditTrail(target, target.audit, item);
      if (json) await printJson(session, { importId, entries });
      else await terminal.lines(formatTable(auditColumns, entries.map(auditCells), terminal));
      return exitCodes.done;
    }),
  );

const auditColumns: readonly TableColumn[] = [
  { header: 'time (UTC)' },
  { header: 'what' },
  { header: 'by' },
  { header: 'principal' },
  { header: 'from', secondary: true },
  { header: 'details', wraps: true },
];

const auditCells = ({ at, action, by, principal, sourceIp, because, details }: AuditEntry): string[] => [
  formatInstant(at),
  action,
  by ?? '',
  principal ?? 'unknown',
  sourceIp ?? '',
  [...Object.entries(details).map(([name, value]) => `${name} ${value}`), ...(because === null ? [] : [because])].join(
    ', ',
  ),
];
