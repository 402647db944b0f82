// How many rows are fixed; undo, redo, and sending the fixed rows as a correction.
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { flushSync } from 'react-dom';
import { useLocation } from 'wouter';
import type { ImportDetails, ImportRow } from '../../api/types.ts';
import { useCommand } from '../../api/use-command.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay, useSession } from '../../app/session.tsx';
import { strings } from '../../strings.ts';
import { formatTime } from '../../text/format.ts';
import { changedCells, type Edits, redo, setCells, undo, withoutLines } from './edits.ts';
import type { RowState } from './row-states.ts';
import type { DraftState } from './use-draft.ts';
import type { FileColumn } from './use-invalid-rows.ts';

interface Props {
  readonly item: ImportDetails;
  readonly rows: readonly ImportRow[];
  readonly columns: readonly FileColumn[];
  readonly edits: Edits;
  readonly states: ReadonlyMap<number, RowState>;
  readonly onEdits: (edits: Edits) => void;
  readonly draft: DraftState;
}

export function ReviewToolbar({ item, rows, columns, edits, states, onEdits, draft }: Props) {
  const [, navigate] = useLocation();
  const { notify } = useNotices();
  const mayUpload = useMay('uploader');
  const texts = strings.review;
  const fixed = rows.filter(({ line }) => states.get(line)?.progress === 'fixed');
  const correct = useCommand('createCorrection', {
    failed: texts.sendFailed,
    onSuccess: ({ importId }) => {
      notify({ type: 'success', header: texts.sent(fixed.length) });
      // Before the screen is left: what is saved then has no row that was sent.
      flushSync(() => onEdits(withoutLines(edits, new Set(fixed.map(({ line }) => line)))));
      navigate(`/imports/${importId}`);
    },
  });
  const send = () =>
    correct.run({
      path: { importId: item.importId },
      body: {
        rows: fixed.map(({ line }) => ({ line, cells: changedCells(line, columns, edits) })),
        ...(draft.from && { from: draft.from }),
      },
    });
  // One action, so that it can be undone.
  const discard = () => onEdits(setCells(edits, new Map([...edits.cells.keys()].map((key) => [key, undefined]))));
  return (
    <div className="review-toolbar">
      <div role="status">
        <b>{texts.count(fixed.length, rows.length)}</b> <DraftMark draft={draft} />
      </div>
      <SpaceBetween direction="horizontal" size="xs">
        <Button disabled={edits.done.length === 0} onClick={() => onEdits(undo(edits))}>
          {texts.undo}
        </Button>
        <Button disabled={edits.undone.length === 0} onClick={() => onEdits(redo(edits))}>
          {texts.redo}
        </Button>
        <Button disabled={edits.cells.size === 0} onClick={discard}>
          {texts.draft.discard}
        </Button>
        <Button
          variant="primary"
          disabled={fixed.length === 0 || !mayUpload}
          loading={correct.isRunning}
          onClick={send}
        >
          {texts.send(fixed.length)}
        </Button>
      </SpaceBetween>
    </div>
  );
}

function DraftMark({ draft: { phase, savedAt, reason } }: { readonly draft: DraftState }) {
  const { zone } = useSession().environment;
  const { draft } = strings.review;
  if (phase === 'failed') return <StatusIndicator type="warning">{draft.failed(reason)}</StatusIndicator>;
  if (phase === 'saving') return <span className="quiet">{draft.saving}</span>;
  return savedAt === undefined ? null : <span className="quiet">{draft.saved(formatTime(savedAt, zone))}</span>;
}
