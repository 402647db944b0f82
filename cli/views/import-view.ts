// An import as JSON, and as lines for a person.

import type { ImportItem, ImportState } from '#shared/import/import.ts';
import { activeStop, isArchived, isReleased, mayBeSent, redeliveryAfter } from '#shared/import/import-state.ts';
import { describeOutcomes } from '#shared/outcome/outcome.ts';
import { portStatusNames } from '#shared/port/port-status.ts';
import { requestStates } from '#shared/request/request.ts';
import type { ImportProgress } from '#shared/results/answers.ts';
import type { RootProgress } from '#shared/results/progress.ts';
import { fileNameOf } from '#shared/results/results.ts';
import type { Tally } from '#shared/text/stored-values.ts';
import { count, counted } from '#shared/text/wording.ts';
import { nextCommand } from '../context/next-command.ts';
import { formatPairs } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { formatInstant } from '../output/text.ts';
import type { Session } from '../target/target.ts';
import { saveCorrections } from './actions-view.ts';
import { formatIssues, spreadsheetPage } from './issues-view.ts';

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

export function describeState(item: ImportItem, progress: ImportProgress): string {
  const { state } = item;
  if (state === 'finished') return `finished: ${describeOutcomes(progress.outcomes, item.rows, item.operation)}`;
  if (state === 'in-progress' && (item.unconfirmedRows ?? 0) > 0) return waitingForServices;
  if (state === 'scheduled') return `${stateTexts[state]}, the next ones on ${item.sendOn}`;
  // Every import passes through `planned`; only one that waits for approval stays there.
  return state === 'planned' && mayBeSent(item) ? 'planned: its requests are sent next' : stateTexts[state];
}

export const toOutcomeJson = (item: ImportItem, progress: ImportProgress) => ({
  ...toImportCounts(item),
  ...progress,
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
  ...(isArchived(item) && { archived: true }),
  ...(item.supersededBy && { supersededBy: item.supersededBy }),
  ...(item.reschedules && { reschedules: item.reschedules }),
  ...(item.adoptedPort && { adoptedPort: item.adoptedPort }),
  ...(item.requestedBy && { requestedBy: item.requestedBy }),
});

const isBeingSent = (item: ImportItem): boolean => isReleased(item) && item.state !== 'finished';

/**
 * Name and value lines of one import, and the commands that continue.
 * @param chain the progress with corrections: a corrected row needs no command
 */
export function describeImport(
  { terminal: { width, paint }, target, clock }: Session,
  item: ImportItem,
  progress: ImportProgress,
  chain = progress,
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
      ['state', describeState(item, progress)],
      ['stopped by', stop && [stop.by, stop.because].filter(Boolean).join(': ')],
      ['interrupted', describeInterruption(item, clock())],
      ['progress', isBeingSent(item) ? describeOutcomes(progress.outcomes, item.rows, item.operation) : undefined],
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
  // No command can follow a temporary emulator.
  const steps = target.kind === 'temporary' ? [] : nextSteps(item, chain);
  return [...pairs, ...(steps.length === 0 ? [] : ['', ...steps])];
}

const describeAdoption = ({ adoptedPort }: ImportItem) =>
  adoptedPort && `port ${adoptedPort}, which was made elsewhere`;

/** What to do after the command ends: nothing follows an import that has ended. */
export function describeFollowing({ importId, state }: ImportItem): string[] {
  if (state === 'rejected') return ['Fix the file and import it again.'];
  return state === 'finished' ? [] : [`To follow it: ${nextCommand('status', importId)}`];
}

/** Why nothing of a file is sent; empty for any other import. */
export const describeRejection = ({ state, issues }: ImportItem, terminal: Terminal): string[] =>
  state === 'rejected' && issues.length > 0 ? ['', ...formatIssues(issues, terminal), ...spreadsheetPage(issues)] : [];

const describeSplit = ({ requests, calls }: NonNullable<ImportProgress['split']>): string =>
  `${counted(requests, 'declined request')} sent again in halves: ${counted(calls, 'call')}`;

/** The function that worked on the import crashed. */
function describeInterruption(item: ImportItem, now: number): string | undefined {
  const after = redeliveryAfter(item, now);
  return after && `waiting for redelivery until ${formatInstant(after)} UTC, then for the next run of sync`;
}

/** What the corrections of the first file achieved, counted in its rows. */
export function describeChain({ importId }: ImportItem, { root, progress }: RootProgress): string[] {
  if (!root.hasCorrections) return [];
  const whole = `${fileNameOf(root.key)} with its corrections: ${describeOutcomes(progress.outcomes, root.rows, root.operation)}`;
  return ['', ...(importId === root.importId ? [] : [`This import corrects rows of ${root.importId}.`]), whole];
}

/** Members of an import that corrects another one, or is corrected. */
export const toChainJson = ({ correctionOf, rootImportId }: ImportItem, { root, progress }: RootProgress) => ({
  ...(correctionOf && { correctionOf }),
  ...(rootImportId && { rootImportId }),
  ...(root.hasCorrections && { root: { importId: root.importId, rows: root.rows, outcomes: progress.outcomes } }),
});

/** A duplicate is not sent either, but nothing in it is to be fixed. */
export const describeRejected = ({
  rejected,
  duplicates = 0,
}: Pick<ImportItem, 'rejected' | 'duplicates'>): string[] => [
  `${count(rejected - duplicates)} rejected`,
  ...(duplicates > 0 ? [counted(duplicates, 'duplicate')] : []),
];

function describeRows(
  { rows, accepted, rejected, duplicates, warnings }: ImportItem,
  { outcomes: { skipped = 0 } }: ImportProgress,
): string {
  const read = `${counted(rows, 'row')}: ${count(accepted)} accepted`;
  const parts = [read, ...describeRejected({ rejected, duplicates })];
  // The count has both; the table below the lines shows which is which.
  if (warnings > 0) parts.push(warnings === 1 ? '1 warning or notice' : `${count(warnings)} warnings and notices`);
  if (skipped > 0) parts.push(`${count(skipped)} skipped`);
  return parts.join(', ');
}

/** A command is never wrapped, so that it can be copied. */
function nextSteps(item: ImportItem, { outcomes: { declined = 0, rejected: invalid = 0 } }: ImportProgress) {
  const { importId, state, planOnly, rejected, duplicates = 0, actionRequired, corrections = {}, mismatches } = item;
  const toCorrect = Object.values(corrections).reduce((sum, rows) => sum + rows, 0);
  const newPacs = toCorrect - (item.outcomes?.declined ?? 0);
  // The file of another operation comes first.
  const ofDeclined = newPacs > 0 && item.operation !== null ? item.operation : undefined;
  const steps: readonly (readonly [isNext: boolean, text: string])[] = [
    [state === 'stopped', `To send the others: ${nextCommand('resume', importId)}`],
    [state === 'planned' && planOnly, `To send it: ${nextCommand('approve', importId)}`],
    [actionRequired > 0, `To see what to do: ${nextCommand('actions')}`],
    [newPacs > 0, `To enter ${counted(newPacs, 'new PAC')}: ${saveCorrections(importId)}`],
    [declined > 0, `To fix ${counted(declined, 'declined row')}: ${saveCorrections(importId, ofDeclined)}`],
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
