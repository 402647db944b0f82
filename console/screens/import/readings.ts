// The readings of a file: a draft is read again in place, and corrections of a file that was sent have some of its
// lines.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { BodyInput } from '#functions/api/contract.ts';
import type { Outcome } from '#shared/outcome/outcome.ts';
import type { ImportDetails, ImportSummary } from '../../api/answers.ts';
import { readPages, rowsOfFile, useCommand, useRead } from '../../api/queries.ts';
import { useNotices } from '../../app/notices.tsx';
import { numbers } from '../../text/words.ts';

const pollMs = 1_000;
/** Ingest begins a reading within seconds. It does not begin one of an import that changed meanwhile. */
const mostMs = 60_000;

export interface Reading {
  readonly run: (body: BodyInput<'readImportAgain'>) => void;
  /** The plan on the screen is about to be replaced. */
  readonly isRunning: boolean;
}

/** @param failed the heading of the notice where the file is not read again */
export function useReading(item: ImportDetails, failed: string, onBegun?: () => void): Reading {
  const { importId, reading, state, canReadAgain } = item;
  const [awaited, setAwaited] = useState<number>();
  const { notify } = useNotices();
  const command = useCommand('readImportAgain', {
    failed,
    onSuccess: (answer) => {
      const { discardedRows } = answer;
      if (discardedRows > 0)
        notify({
          type: 'warning',
          header: `The file now has other rows: what was changed of ${numbers(discardedRows)}, or left out, was discarded`,
        });
      setAwaited(answer.reading);
    },
  });
  const isWaiting = awaited !== undefined;
  useRead('getImport', { path: { importId } }, { enabled: isWaiting, everyMs: pollMs });
  const isBegun = isWaiting && reading >= awaited;
  const isLost = isWaiting && !isBegun && state !== 'planning' && !canReadAgain;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is done at the end is that of the last rendering
  useEffect(() => {
    if (!isWaiting) return;
    const end = (isRead: boolean) => {
      setAwaited(undefined);
      if (isRead) onBegun?.();
      else
        notify({
          type: 'error',
          header: failed,
          text: 'The import changed before your changes arrived. Look at its plan, then repeat what is still needed.',
        });
    };
    if (isBegun || isLost) return end(isBegun);
    const timer = setTimeout(() => end(false), mostMs);
    return () => clearTimeout(timer);
  }, [isWaiting, isBegun, isLost]);
  return { run: (body) => command.run({ path: { importId }, body }), isRunning: command.isRunning || isWaiting };
}

const sentOutcomes: readonly Outcome[] = [
  ...(['waiting', 'scheduled', 'in-progress', 'complete', 'accepted', 'action-required', 'unknown'] as const),
];
const pageSize = '2500';
/** All rows of a plan can be read a moment after the plan itself. */
const retryMs = 2_000;

const noLines: ReadonlySet<number> = new Set();

/** The rows that a correction has sent, or will send once it is approved: nobody is asked for them again. */
export function useSentLines({ importId, canChangeRows }: ImportDetails): ReadonlySet<number> {
  const { data: family } = useRead('listParts', { path: { importId } }, { enabled: !canChangeRows });
  const parts = family?.first.importId === importId ? family.parts.filter(isSending) : [];
  const { data } = useQuery({
    queryKey: [rowsOfFile, importId, 'sent', parts.map(({ importId: id, state }) => `${id} ${state}`)],
    queryFn: async ({ signal }) => {
      const read = await Promise.all(parts.map((part) => readLines(part, signal)));
      return { lines: new Set(read.flatMap(({ lines }) => lines)), isComplete: read.every((one) => one.isComplete) };
    },
    enabled: parts.length > 0,
    refetchInterval: ({ state }) => (state.data?.isComplete === false ? retryMs : false),
  });
  return parts.length === 0 ? noLines : (data?.lines ?? noLines);
}

const isSending = ({ partOf, state, isArchived }: ImportSummary): boolean =>
  partOf?.kind === 'correction' && state !== 'rejected' && !isArchived;

async function readLines({ importId }: ImportSummary, signal: AbortSignal) {
  const lines: number[] = [];
  const query = { outcome: sentOutcomes.join(','), limit: pageSize };
  for await (const page of readPages('listRows', { path: { importId }, query, signal })) {
    if (page.reported.rows < page.reported.of) return { lines, isComplete: false };
    lines.push(...page.rows.map(({ line }) => line));
  }
  return { lines, isComplete: true };
}
