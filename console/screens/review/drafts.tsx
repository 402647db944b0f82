// Keeps what a person changes in the grid on the server, a moment after each change: a reload loses nothing, and
// another machine or a colleague can go on. PACs stay there: a draft that is opened has a mark in their place.

import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Answer, type ImportDetails, isProblem } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { rowsOfFile, useRead } from '../../api/queries.ts';
import { useLeaveWarning } from '../../app/kept-work.ts';
import { describeError, useNotices } from '../../app/notices.tsx';
import { useSession } from '../../app/session.tsx';
import { formatInstant } from '../../text/format.ts';
import { numbers } from '../../text/words.ts';
import {
  type CellKey,
  type Cells,
  cellKey,
  changedCells,
  changedLines,
  type Edits,
  keptCell,
  mergeByLine,
  noEdits,
} from './edits.ts';
import type { FileColumn } from './rows.ts';

/** The changes of a person as they were saved. */
export interface OpenedDraft {
  readonly edits: Edits;
  /** Holds the cells that are only marked in `edits`. */
  readonly from: string | undefined;
  readonly savedAt: string | undefined;
  /** Otherwise a colleague's, whose changes this person continues. */
  readonly isOwn: boolean;
}

export const noDraft: OpenedDraft = { edits: noEdits, from: undefined, savedAt: undefined, isOwn: true };

/** The last save of each import: a screen that is opened again waits for the one that was begun when it was left. */
const saves = new Map<string, Promise<void>>();

/** What this person has saved before. It is read once for each time that the screen is opened. */
export function useSavedDraft({ importId, columns, enabled }: Pick<DraftInput, 'importId' | 'columns' | 'enabled'>) {
  return useQuery({
    queryKey: [rowsOfFile, importId, 'draft'],
    queryFn: async (): Promise<OpenedDraft> => {
      await saves.get(importId);
      return readOwnDraft(importId, columns);
    },
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
  });
}

async function readOwnDraft(importId: string, columns: readonly FileColumn[]): Promise<OpenedDraft> {
  const { drafts } = await call('listDrafts', { path: { importId } });
  const own = drafts.find(({ isYours }) => isYours);
  return own === undefined ? noDraft : openDraft(importId, own, columns);
}

type DraftSummary = Answer<'listDrafts'>['drafts'][number];

async function openDraft(
  importId: string,
  { draftId, savedAt, isYours }: DraftSummary,
  columns: readonly FileColumn[],
): Promise<OpenedDraft> {
  const { rows } = await call('getDraft', { path: { importId, draftId } });
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const cells = new Map<CellKey, string>();
  for (const { line, cells: changed } of rows) {
    for (const [name, text] of Object.entries(changed)) {
      const place = places.get(name);
      if (place !== undefined) cells.set(cellKey(line, place), text ?? keptCell);
    }
  }
  return { edits: { ...noEdits, cells }, from: draftId, savedAt, isOwn: isYours };
}

export interface DraftState {
  readonly phase: 'saved' | 'saving' | 'failed';
  readonly savedAt: string | undefined;
  /** Why it was not saved. */
  readonly reason: string;
  readonly from: string | undefined;
}

const afterLastChangeMs = 800;
const retryMs = 3_000;

interface DraftInput {
  readonly importId: string;
  readonly columns: readonly FileColumn[];
  readonly edits: Edits;
  readonly opened: OpenedDraft;
  readonly enabled: boolean;
  /** Takes over what was saved elsewhere since `base`, such as in another tab. */
  readonly onMerge: (base: Cells, theirs: Cells) => void;
}

/** Saves the changes whenever they differ from what was saved last. */
export function useDraft({ importId, columns, edits: { cells }, opened, enabled, onMerge }: DraftInput): DraftState {
  const [state, setState] = useState<Omit<DraftState, 'phase'>>({ ...opened, reason: '' });
  const saved = useRef(opened.isOwn ? opened.edits.cells : noEdits.cells);
  /** When the own draft was saved on which these changes are based; null: there is none. A colleague's replaces it. */
  const base = useRef(opened.isOwn ? (opened.savedAt ?? null) : undefined);
  const put = async (changed: Cells, from: string | undefined) => {
    const rows = [...changedLines({ cells: changed })].map((line) => ({
      line,
      cells: changedCells(line, columns, { cells: changed }),
    }));
    const { current: savedAt } = base;
    const body = { rows, ...(savedAt !== undefined && { savedAt }), ...(from && { from }) };
    const answer = await call('saveDraft', { path: { importId }, body });
    saved.current = changed;
    base.current = answer.savedAt;
    setState({ savedAt: answer.savedAt, reason: '', from: answer.draftId });
  };
  const putMerged = async () => {
    const stored = await readOwnDraft(importId, columns);
    const [earlier, theirs] = [saved.current, stored.edits.cells];
    saved.current = theirs;
    base.current = stored.savedAt ?? null;
    onMerge(earlier, theirs);
    await put(mergeByLine(earlier, cells, theirs), stored.from);
  };
  const save = useLatest(importId, async () => {
    if (cells === saved.current) return;
    try {
      await put(cells, state.from).catch((error) => {
        if (isSavedElsewhere(error)) return putMerged();
        throw error;
      });
    } catch (error) {
      setState((before) => ({ ...before, reason: describeError(error) }));
    }
  });
  const isUnsaved = enabled && cells !== saved.current;
  useLeaveWarning({ isUnsaved });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change and every answer starts the time again
  useEffect(() => {
    if (!isUnsaved) return;
    const timer = setTimeout(save, state.reason === '' ? afterLastChangeMs : retryMs);
    const hurry = () => document.visibilityState === 'hidden' && save();
    document.addEventListener('visibilitychange', hurry);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', hurry);
    };
  }, [cells, isUnsaved, state, save]);
  // The screen is left: what was not saved yet is saved in the background.
  useEffect(() => () => void (enabled && save()), [enabled, save]);
  return { ...state, phase: state.reason !== '' ? 'failed' : isUnsaved ? 'saving' : 'saved' };
}

const isSavedElsewhere = (error: unknown): boolean => isProblem(error, 'state-changed') && 'savedAt' in error.changed;

/** Runs the function of the last rendering, each time after the run before has ended. */
function useLatest(importId: string, run: () => Promise<void>): () => void {
  const latest = useRef(run);
  latest.current = run;
  return useCallback(() => {
    saves.set(
      importId,
      (saves.get(importId) ?? Promise.resolve()).then(() => latest.current()),
    );
  }, [importId]);
}

interface Props {
  readonly item: ImportDetails;
  readonly columns: readonly FileColumn[];
  readonly onTake: (draft: OpenedDraft) => void;
}

/** Changes of colleagues that were not sent yet, to continue with them. */
export function OtherDrafts({ item: { importId }, columns, onTake }: Props) {
  const { zone } = useSession().environment;
  const { notifyError } = useNotices();
  const [opening, setOpening] = useState<string>();
  const { data } = useRead('listDrafts', { path: { importId } });
  const hasOwn = data?.drafts.some(({ isYours }) => isYours) === true;
  const take = async (summary: DraftSummary) => {
    setOpening(summary.draftId);
    try {
      onTake(await openDraft(importId, summary, columns));
    } catch (error) {
      notifyError('The changes were not opened', error);
    } finally {
      setOpening(undefined);
    }
  };
  return data?.drafts
    .filter(({ isYours }) => !isYours)
    .map((summary) => (
      <Alert
        key={summary.draftId}
        type="info"
        action={
          <Button loading={opening === summary.draftId} onClick={() => void take(summary)}>
            {hasOwn ? 'Replace mine with these changes' : 'Continue with these changes'}
          </Button>
        }
      >
        {`${summary.by} changed ${numbers(summary.rows)} and has not sent ${summary.rows === 1 ? 'it' : 'them'}. Saved ${formatInstant(summary.savedAt, zone)}.`}
      </Alert>
    ));
}
