// An import as a person reads it, and as a script does.
import type { ImportItem, ImportState } from '#shared/domain/ledger.ts';
import { correctionHint } from './corrections.ts';
import { fileNameOf } from './find-import.ts';
import { tallyText } from './follow-import.ts';
import { hint } from './hint.ts';
import type { ImportJson, OutcomeJson } from './json-shapes.ts';
import { formatPairs } from './output/table.ts';
import type { Terminal } from './output/terminal.ts';
import { count, counted } from './output/text.ts';

const meanings: Readonly<Record<ImportState, string>> = {
  planning: 'planning: the file is being read',
  planned: 'planned: nothing was sent yet',
  refused: 'refused: nothing of the file was sent',
  submitting: 'submitting: requests are on their way to the service',
  following: 'following: every request was sent, ports are on theirs',
  completed: 'completed: every request has ended',
};

export const outcomeJsonOf = (item: ImportItem): OutcomeJson => ({
  importId: item.importId,
  state: item.state,
  rows: item.rows,
  accepted: item.accepted,
  rejected: item.rejected,
  requests: item.requests,
  ports: item.ports,
});

export const importJsonOf = (item: ImportItem): ImportJson => ({
  ...outcomeJsonOf(item),
  operation: item.operation,
  file: fileNameOf(item.key),
  bytes: item.bytes,
  planOnly: item.planOnly,
  receivedAt: item.receivedAt,
  changedAt: item.changedAt,
  warnings: item.warnings,
  withdrawn: item.withdrawnRows,
  requestCount: item.requestCount,
  attention: item.attention,
  issues: item.issues,
  ...(item.reschedules && { reschedules: item.reschedules }),
  ...(item.asked && { asked: item.asked }),
});

/** `2026-11-21 02:15`: the instant in UTC, as long as a person needs it. */
export const instantText = (instant: string): string => instant.slice(0, 16).replace('T', ' ');

/** Name and value lines of one import; `stays` is false where the engine ends with the command, and nothing can follow. */
export function describeImport(item: ImportItem, { width, paint }: Terminal, stays = true): string[] {
  const isWaiting = stays && item.state === 'planned' && item.planOnly;
  const then = (words: string): string => (stays ? `: ${hint(words)}` : '');
  return formatPairs(
    [
      ['import', item.importId],
      ['file', fileNameOf(item.key)],
      ['operation', item.operation ?? 'none: the folder names no operation'],
      ['moves', item.reschedules && `ports of ${item.reschedules.importId}, date ${item.reschedules.date}`],
      ['asked by', item.asked && [item.asked.by, item.asked.because].filter(Boolean).join(': ')],
      ['state', meanings[item.state]],
      ['to send it', isWaiting ? hint(`approve ${item.importId}`) : undefined],
      ['received', `${instantText(item.receivedAt)} UTC`],
      ['rows', rowsText(item)],
      [
        'requests',
        item.requestCount === 0 ? undefined : tallyText(item.requests) || `planned ${count(item.requestCount)}`,
      ],
      ['ports', tallyText(item.ports) || undefined],
      [
        'attention',
        item.attention === 0 ? undefined : `${counted(item.attention, 'row')} need somebody${then('attention')}`,
      ],
      ['to correct', stays ? correctionsText(item) : undefined],
      ['drift', stays ? driftText(item) : undefined],
    ],
    { width, paint },
  );
}

const driftText = ({ importId, drift }: ImportItem): string | undefined =>
  drift === undefined || drift.sims === 0
    ? undefined
    : `${counted(drift.sims, 'SIM')} with other services than asked: ${hint(`drift ${importId}`)}`;

function rowsText({ rows, accepted, rejected, warnings, withdrawnRows }: ImportItem): string {
  const parts = [`${counted(rows, 'row')}: ${count(accepted)} accepted, ${count(rejected)} rejected`];
  if (warnings > 0) parts.push(counted(warnings, 'warning'));
  if (withdrawnRows > 0) parts.push(`${count(withdrawnRows)} withdrawn (in another live import)`);
  return parts.join(', ');
}

/** The rows of the correction files that report has written. */
function correctionsText({ importId, corrections = {} }: ImportItem): string | undefined {
  const rows = Object.values(corrections).reduce((sum, many) => sum + many, 0);
  return rows === 0 ? undefined : `${counted(rows, 'row')} wait for a new PAC: ${correctionHint(importId)}`;
}
