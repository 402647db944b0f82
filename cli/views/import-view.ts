// An import as JSON, and as lines for a person; its outcomes, the history of a port, and what a run of sync did.
import type { ImportItem, ImportState } from '#shared/import/import.ts';
import {
  activeStop,
  describeHold,
  isArchived,
  isReleased,
  mayBeSent,
  redeliveryAfter,
} from '#shared/import/import-state.ts';
import { sendsRows } from '#shared/import/part.ts';
import { asksHowToRead } from '#shared/import/reading.ts';
import { describeOutcomes, problemOutcomes } from '#shared/outcome/outcome.ts';
import { portStatusNames } from '#shared/port/port-status.ts';
import type { SyncAnswer } from '#shared/request/messages.ts';
import { requestStates } from '#shared/request/request.ts';
import type { ImportProgress, Interruptions } from '#shared/results/answers.ts';
import { type RootProgress, shownState, stateBeside } from '#shared/results/progress.ts';
import { fileNameOf, type OutcomeTally } from '#shared/results/results.ts';
import type { PartKind } from '#shared/text/identity.ts';
import type { Tally } from '#shared/text/stored-values.ts';
import { count, counted, describeAccount } from '#shared/text/wording.ts';
import { nextCommand } from '../context/next-command.ts';
import { formatPairs, formatTable, type TableColumn, type TableOptions } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { formatInstant, plain } from '../output/text.ts';
import type { Session, Target } from '../target/target.ts';
import { saveCorrections } from './actions-view.ts';
import { formatIssues, spreadsheetPage } from './file-view.ts';

const stateTexts: Readonly<Record<Exclude<ImportState, 'finished'>, string>> = {
  planning: 'planning: the file is being read',
  planned: 'planned: nothing was sent yet',
  rejected: 'rejected: nothing of the file was sent',
  submitting: 'submitting: requests are being sent to the service',
  scheduled: 'scheduled: the rows that are left are sent once their dates can be booked',
  stopped: 'stopped: what was not sent yet waits until the import is resumed',
  'in-progress': 'in progress: all requests submitted, waiting for the networks',
};

const waitingForServices = 'in progress: all requests submitted, waiting until the SIMs have the services';

const waitsForAnswers =
  'waits for answers: nothing of the file was sent. Answer in the console, or import it again as its findings say';

export function describeState(item: ImportItem, progress: ImportProgress): string {
  const state = stateBeside(progress.outcomes, item.state);
  if (asksHowToRead(item)) return waitsForAnswers;
  if (state === 'finished') return `finished: ${describeOutcomes(progress.outcomes, item.rows, item.operation)}`;
  if (state === 'in-progress' && (item.unconfirmedRows ?? 0) > 0) return waitingForServices;
  if (state === 'scheduled') return `${stateTexts[state]}, the next ones on ${item.sendOn}`;
  // Every import passes through `planned`; only one that waits for approval stays there.
  return state === 'planned' && mayBeSent(item) ? 'planned: its requests are sent next' : stateTexts[state];
}

export const toOutcomeJson = (item: ImportItem, progress: ImportProgress) => ({
  ...toImportCounts(item),
  planOnly: item.planOnly,
  warnings: item.warnings,
  issues: item.issues,
  ...progress,
  state: stateBeside(progress.outcomes, item.state),
});

const toImportCounts = ({ importId, state, rows, accepted, rejected, requests, ports }: ImportItem) => ({
  importId,
  state,
  rows,
  accepted,
  rejected,
  requests,
  ports,
});

export const toImportJson = (item: ImportItem) => ({
  ...toImportCounts(item),
  state: shownState(item),
  operation: item.operation,
  file: fileNameOf(item.key),
  bytes: item.bytes,
  planOnly: item.planOnly,
  receivedAt: item.receivedAt,
  changedAt: item.changedAt,
  warnings: item.warnings,
  skipped: item.skippedRows,
  requestCount: item.requestCount,
  actionRequired: item.actionRequired,
  issues: item.issues,
  account: item.account,
  ...(isArchived(item) && { archived: true }),
  ...(item.supersededBy && { supersededBy: item.supersededBy }),
  ...(item.reschedules && { reschedules: item.reschedules }),
  ...(item.adoptedPort && { adoptedPort: item.adoptedPort }),
  ...(item.requestedBy && { requestedBy: item.requestedBy }),
});

const isBeingSent = (item: ImportItem, { outcomes }: ImportProgress): boolean =>
  isReleased(item) && stateBeside(outcomes, item.state) !== 'finished';

/**
 * Name and value lines of one import, and the commands that continue.
 * @param family of an import that may be a part or have parts: a corrected row needs no command
 */
export function describeImport(
  { terminal: { width, paint }, target, clock }: Session,
  item: ImportItem,
  progress: ImportProgress,
  family: RootProgress = { root: item, progress, shown: progress },
): string[] {
  const { importId, supersededBy, reschedules, requestedBy, requestCount, actionRequired, mismatches } = item;
  const stop = activeStop(item);
  const pairs = formatPairs(
    [
      ['import', importId],
      ['file', fileNameOf(item.key)],
      ['superseded', supersededBy && `by ${supersededBy}, of a later version of the file`],
      ['operation', item.operation ?? 'none: the folder is not the name of an operation'],
      ['moves', reschedules && `ports of ${reschedules.importId} to ${reschedules.date}`],
      ['follows', describeAdoption(item)],
      ['requested by', requestedBy && [requestedBy.by, requestedBy.because].filter(Boolean).join(': ')],
      ['received', `${formatInstant(item.receivedAt)} UTC`],
      ...describeOtherAccount(item, target),
      ['state', describeState(item, progress)],
      ['stopped by', stop && [stop.by, stop.because].filter(Boolean).join(': ')],
      ['interrupted', describeInterruption(item, clock())],
      [
        'progress',
        isBeingSent(item, progress) ? describeOutcomes(progress.outcomes, item.rows, item.operation) : undefined,
      ],
      ['expected', progress.expectedDate],
      ['rows', item.state === 'planning' ? undefined : describeRows(item, progress)],
      ['requests', requestCount === 0 ? undefined : formatTally(item.requests) || `planned ${count(requestCount)}`],
      ['split', progress.split && describeSplit(progress.split)],
      ['ports', formatTally(item.ports) || undefined],
      ['action required', actionRequired === 0 ? undefined : counted(actionRequired, 'row')],
      [
        'mismatches',
        mismatches?.sims ? `${counted(mismatches.sims, 'SIM')} with other services than requested` : undefined,
      ],
    ],
    { width, paint },
  );
  const steps = hasNextSteps(item, target) ? nextSteps(item, progress, family) : [];
  return [...pairs, ...(steps.length === 0 ? [] : ['', ...steps])];
}

/** No command can follow a temporary emulator, and nothing of what is held goes on. */
const hasNextSteps = (item: ImportItem, { kind, resources }: Target): boolean =>
  kind !== 'temporary' && describeHold(item, resources.account) === undefined;

type Pair = readonly [name: string, value: string | undefined];

const describeOtherAccount = (item: ImportItem, { resources: { account } }: Target): readonly Pair[] =>
  item.account === account
    ? []
    : [
        ['belongs to', describeAccount(item.account)],
        ['held', describeHold(item, account)],
      ];

const describeAdoption = ({ adoptedPort }: ImportItem) =>
  adoptedPort && `port ${adoptedPort}, which was made elsewhere`;

/** What to do after the command ends: nothing follows an import that has ended. */
export function describeFollowing({ importId, state }: ImportItem): string[] {
  if (state === 'rejected') return ['Fix the file and import it again.'];
  return state === 'finished' ? [] : [`To follow it: ${nextCommand('status', importId)}`];
}

/** What is known of the file, and how many rejected rows it does not name: an import has its first findings only. */
export function formatFindings({ importId, issues, rejected }: ImportItem, terminal: Terminal): string[] {
  if (issues.length === 0) return [];
  const named = new Set(issues.flatMap(({ severity, line }) => (severity === 'error' && line > 0 ? [line] : [])));
  const others = rejected - named.size;
  return [
    ...formatIssues(issues, terminal),
    ...(others > 0 ? [`and ${counted(others, 'more rejected row')}: ${nextCommand('rejected', importId)}`] : []),
  ];
}

/** Why nothing of a file is sent; empty for any other import. */
export const describeRejection = ({ state, issues }: ImportItem, terminal: Terminal): string[] =>
  state === 'rejected' && issues.length > 0
    ? ['', ...formatIssues(issues, terminal), ...spreadsheetPage(issues.map(({ code }) => code))]
    : [];

const describeSplit = ({ requests, calls }: NonNullable<ImportProgress['split']>): string =>
  `${counted(requests, 'declined request')} sent again in parts: ${counted(calls, 'call')}`;

/** The function that worked on the import crashed. */
function describeInterruption(item: ImportItem, now: number): string | undefined {
  const after = redeliveryAfter(item, now);
  if (after === null) return 'every attempt failed, and none follows: docs/guides/runbook.md#ingest-dead-letters';
  return after && `waiting for redelivery until ${formatInstant(after)} UTC, then for the next run of sync`;
}

const whatPartsDo: Readonly<Record<PartKind, string>> = {
  correction: 'corrects rows of',
  move: 'moves ports of',
  pacs: 'enters PACs for ports of',
  cancel: 'cancels numbers of',
};

/** Of a part: what it is, and what all parts of the import achieved together, counted in the rows of its file. */
export function describeFamily({ partOf }: ImportItem, { root, progress }: RootProgress): string[] {
  if (partOf === undefined || !root.hasParts) return [];
  const { outcomes } = progress;
  const whole = `${fileNameOf(root.key)} as a whole: ${describeOutcomes(outcomes, root.rows, root.operation)}`;
  return ['', `This import ${whatPartsDo[partOf.kind]} ${root.importId}.`, whole];
}

/** Members of an import that is a part of another one, or has parts. */
export const toFamilyJson = ({ correctionOf, partOf }: ImportItem, { root, progress }: RootProgress) => ({
  ...(correctionOf && { correctionOf }),
  ...(partOf && { rootImportId: partOf.importId }),
  ...(root.hasParts && { root: { importId: root.importId, rows: root.rows, outcomes: progress.outcomes } }),
});

/** A duplicate is not sent either, but nothing in it is to be fixed. */
export const describeRejected = ({ rejected, duplicates = 0 }: ImportItem): string[] => [
  `${count(rejected - duplicates)} rejected`,
  ...(duplicates > 0 ? [counted(duplicates, 'duplicate')] : []),
];

function describeRows(item: ImportItem, { outcomes: { skipped = 0 } }: ImportProgress): string {
  const { rows, accepted, warnings } = item;
  const read = `${counted(rows, 'row')}: ${count(accepted)} accepted`;
  const parts = [read, ...describeRejected(item)];
  // The count has both; the table below the lines shows which is which.
  if (warnings > 0) parts.push(warnings === 1 ? '1 warning or notice' : `${count(warnings)} warnings and notices`);
  if (skipped > 0) parts.push(`${count(skipped)} skipped`);
  return parts.join(', ');
}

/**
 * A command is never wrapped, so that it can be copied. What is declined, or waits for a PAC, is a row of the first
 * import; what is invalid is a row of this file, unless a correction has sent it.
 */
function nextSteps(item: ImportItem, progress: ImportProgress, { root, progress: whole }: RootProgress) {
  const { importId, state, planOnly, rejected, duplicates = 0, actionRequired, mismatches, partOf } = item;
  const { declined = 0 } = whole.outcomes;
  const { rejected: invalid = 0 } = (partOf === undefined || sendsRows(partOf.kind) ? whole : progress).outcomes;
  const toCorrect = Object.values(root.corrections ?? {}).reduce((sum, rows) => sum + rows, 0);
  const newPacs = toCorrect - (root.outcomes?.declined ?? 0);
  // The file of another operation comes first.
  const ofDeclined = newPacs > 0 && root.operation !== null ? root.operation : undefined;
  const steps: readonly (readonly [isNext: boolean, text: string])[] = [
    [state === 'stopped', `To send the others: ${nextCommand('resume', importId)}`],
    [state === 'planned' && planOnly, `To send it: ${nextCommand('approve', importId)}`],
    [actionRequired > 0, `To see what to do: ${nextCommand('actions')}`],
    [newPacs > 0, `To enter ${counted(newPacs, 'new PAC')}: ${saveCorrections(root.importId)}`],
    [declined > 0, `To fix ${counted(declined, 'declined row')}: ${saveCorrections(root.importId, ofDeclined)}`],
    [
      rejected > duplicates && invalid > 0,
      `To fix the rejected rows: ${nextCommand('rejected', importId, '--csv', 'rejected.csv')}`,
    ],
    [(mismatches?.sims ?? 0) > 0, `To see the mismatches: ${nextCommand('mismatches', importId)}`],
  ];
  return steps.flatMap(([isNext, text]) => (isNext ? [text] : []));
}

const order: readonly string[] = [...requestStates, ...portStatusNames];
/** A status that the specification does not name comes last. */
const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);

/** Requests by state or ports by status: `created 12, declined 1`. */
export const formatTally = (tally: Tally): string =>
  Object.entries(tally)
    .filter(([, many]) => many > 0)
    .sort(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1))
    .map(([name, many]) => `${name} ${count(many)}`)
    .join(', ');

// How many rows have each outcome.

/** Green for success, yellow for a problem. */
export const outcomeColumn: TableColumn = {
  header: 'outcome',
  style: (cell) => (cell === 'complete' ? 'green' : problems.includes(cell) ? 'yellow' : undefined),
};
const problems: readonly string[] = problemOutcomes;

export const formatOutcomes = (tally: OutcomeTally, { width, paint }: Terminal): string[] =>
  formatTable(
    [outcomeColumn, { header: 'status' }, { header: 'rows', align: 'right' }],
    tally.counts().map(({ outcome, status, rows }) => [outcome, status, count(rows)]),
    { width, paint },
  );

// The status changes of a port.

interface StatusChange {
  readonly at: string;
  readonly status: string;
  readonly was?: string | undefined;
}

/** Empty when there is no change; otherwise it begins with an empty line. */
export function formatHistory(events: readonly StatusChange[], options: TableOptions): string[] {
  if (events.length === 0) return [];
  const cells = events.map(({ at, was, status }) => [formatInstant(at), was ?? '', status]);
  return ['', ...formatTable([{ header: 'time (UTC)' }, { header: 'from' }, { header: 'to' }], cells, options)];
}

// What a run of sync did, and what is left.

export const toSyncJson = (answer: SyncAnswer, interruptions: Interruptions) => {
  const { skipped: alreadyRunning, left: portsLeft, secretChecked, failure } = answer;
  return {
    synced: !alreadyRunning && portsLeft === 0 && failure === undefined && interruptions.outage === undefined,
    alreadyRunning,
    portsLeft,
    secretChecked,
    ...(failure !== undefined && { failure }),
    ...interruptions,
  };
};

export type SyncJson = ReturnType<typeof toSyncJson>;

export function printSync(
  { synced, alreadyRunning, portsLeft, secretChecked, failure, ...interruptions }: SyncJson,
  terminal: Terminal,
): void {
  const { note, notePaint } = terminal;
  const warn = (text: string): void => note(notePaint('yellow', text));
  if (alreadyRunning) warn('Nothing was done: another run of sync is in progress. Try again in a minute.');
  if (failure !== undefined) warn(`The service could not be called: ${plain(failure)}. The ports remain due.`);
  if (portsLeft > 0) warn(`${counted(portsLeft, 'due port')} left for the next run.`);
  printInterruptions(interruptions, terminal);
  if (secretChecked) note('The service accepted the secret as it is stored now.');
  if (synced) note('Synced: every due port is up to date.');
}

export function printInterruptions({ outage, syncFailure }: Interruptions, { note, notePaint }: Terminal): void {
  const warn = (text: string): void => note(notePaint('yellow', text));
  if (outage !== undefined) {
    const since = `The service has been unavailable since ${formatInstant(outage.since)} UTC (${plain(outage.reason)})`;
    const next = `The next attempt is at ${outage.nextAttemptAt.slice(11, 19)} UTC.`;
    warn(`${since}: requests wait until it answers again; none is lost. ${next}`);
  }
  if (syncFailure !== undefined) {
    const since = `Sync has failed since ${formatInstant(syncFailure.since)} UTC (${plain(syncFailure.reason)})`;
    warn(`${since}: what is shown may be old. Its log has the reason.`);
  }
}
