// How many rows are fixed; undo, redo, and sending the fixed rows as a correction.
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useLocation } from 'wouter';
import type { ImportDetails, ImportRow } from '../../api/types.ts';
import { useCommand } from '../../api/use-command.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay } from '../../app/session.tsx';
import { strings } from '../../strings.ts';
import { cellKey, type Edits, noEdits, redo, undo } from './edits.ts';
import type { RowState } from './row-states.ts';
import type { FileColumn } from './use-invalid-rows.ts';

interface Props {
  readonly item: ImportDetails;
  readonly rows: readonly ImportRow[];
  readonly columns: readonly FileColumn[];
  readonly edits: Edits;
  readonly states: ReadonlyMap<number, RowState>;
  readonly onEdits: (edits: Edits) => void;
}

export function ReviewToolbar({ item, rows, columns, edits, states, onEdits }: Props) {
  const [, navigate] = useLocation();
  const { notify } = useNotices();
  const mayUpload = useMay('uploader');
  const texts = strings.review;
  const fixed = rows.filter(({ line }) => states.get(line)?.progress === 'fixed');
  const correct = useCommand('createCorrection', {
    failed: texts.sendFailed,
    onSuccess: ({ importId }) => {
      notify({ type: 'success', header: texts.sent(fixed.length) });
      onEdits(noEdits);
      navigate(`/imports/${importId}`);
    },
  });
  const send = () =>
    correct.run({
      path: { importId: item.importId },
      body: { rows: fixed.map(({ line }) => ({ line, cells: changedCells(line, columns, edits) })) },
    });
  return (
    <div className="review-toolbar">
      <b role="status">{texts.count(fixed.length, rows.length)}</b>
      <SpaceBetween direction="horizontal" size="xs">
        <Button disabled={edits.done.length === 0} onClick={() => onEdits(undo(edits))}>
          {texts.undo}
        </Button>
        <Button disabled={edits.undone.length === 0} onClick={() => onEdits(redo(edits))}>
          {texts.redo}
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

function changedCells(line: number, columns: readonly FileColumn[], edits: Edits): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap(({ name }, index) => {
      const value = edits.cells.get(cellKey(line, index));
      return name === null || value === undefined ? [] : [[name, value]];
    }),
  );
}
