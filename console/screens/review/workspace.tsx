// The workspace of a review: what is shown and searched, the changes of a person, and what is done with fixed rows.
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import ToggleButton from '@cloudscape-design/components/toggle-button';
import { type ReactNode, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'wouter';
import { count, counted } from '#shared/text/wording.ts';
import type { ImportDetails, ImportRow } from '../../api/answers.ts';
import { useCommand, useRead } from '../../api/queries.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay, useSession } from '../../app/session.tsx';
import { suggestionsFor } from '../../components/column-values.tsx';
import { formatTime } from '../../text/format.ts';
import { numbers } from '../../text/words.ts';
import { type Reading, useSentLines } from '../import/readings.ts';
import { type DraftState, type OpenedDraft, useDraft } from './drafts.tsx';
import {
  type Cells,
  changedCells,
  type Edits,
  mergeByLine,
  mostCharacters,
  type Place,
  placeValues,
  redo,
  setCells,
  undo,
  withoutLines,
} from './edits.ts';
import { ActiveCell, ProblemGroups, ReplaceText, useArrangement } from './find-rows.tsx';
import { Grid } from './grid.tsx';
import type { ProblemFilter } from './problem-groups.ts';
import { type RowState, rowStates } from './row-states.ts';
import { type FileColumn, useChangedRows, type useInvalidRows, useValidation } from './rows.ts';

export interface ReviewProps {
  readonly item: ImportDetails;
  /** Reads the file again with the fixed rows. */
  readonly check: Reading;
  /** The lines of this person whose changes this reading has. */
  readonly checked: ReadonlySet<number>;
}

type Rows = ReturnType<typeof useInvalidRows>;

interface WorkspaceProps extends Pick<Rows, 'rows' | 'columns'>, ReviewProps {
  readonly opened: OpenedDraft;
}

export function Workspace(props: WorkspaceProps) {
  const { item, rows, columns, check } = props;
  const { edits, setEdits, draft, states } = useEdits(props);
  const [filter, setFilter] = useState<ProblemFilter>();
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const { order, filters, shown, ...arrangement } = useArrangement({ rows, edits, filter });
  const cellsAt = useValues({ rows: shown, columns });
  return (
    <>
      <FilterBar
        groups={<ProblemGroups rows={rows} states={states} filter={filter} onFilter={setFilter} />}
        hasFilters={filters !== undefined}
        onFilters={(pressed) => arrangement.setFilters(pressed ? new Map() : undefined)}
        shown={shown}
        rows={rows}
        columns={columns}
        edits={edits}
        onEdits={setEdits}
      />
      <ReviewToolbar
        item={item}
        rows={rows}
        columns={columns}
        edits={edits}
        states={states}
        draft={draft}
        check={check}
        onEdits={setEdits}
      />
      <Grid
        columns={columns}
        edits={edits}
        states={states}
        order={order}
        filters={filters}
        rows={shown}
        onOrder={arrangement.setOrder}
        onFilters={arrangement.setFilters}
        onSet={(place, values) => setEdits(setCells(edits, cellsAt(place, values)))}
        onUndo={() => setEdits(undo(edits))}
        onRedo={() => setEdits(redo(edits))}
        onActive={setActive}
      />
      <ActiveCell
        rows={rows}
        columns={columns}
        edits={edits}
        states={states}
        row={shown[active.row]}
        column={active.column}
        onEdits={setEdits}
      />
      <Suggestions columns={columns} />
    </>
  );
}

/** The cells that pasted values change. What has no cell is said. */
function useValues(shown: Pick<Parameters<typeof placeValues>[1], 'rows' | 'columns'>) {
  const { notify } = useNotices();
  return (place: Place, values: readonly (readonly (string | undefined)[])[]) => {
    const { cells, leftOut, tooLong } = placeValues(values, { place, ...shown });
    if (leftOut > 0)
      notify({
        type: 'warning',
        header: `${counted(leftOut, 'pasted value')} left out: the grid has no cell for ${leftOut === 1 ? 'it' : 'them'} that can be changed`,
      });
    if (tooLong > 0)
      notify({
        type: 'warning',
        header: `${counted(tooLong, 'text')} left out: a cell has at most ${count(mostCharacters)} characters`,
      });
    return cells;
  };
}

/** The changes of the person, their draft, and what each row is with them. */
function useEdits({ item, rows, columns, opened, checked }: WorkspaceProps) {
  const { importId, operation } = item;
  const mayUpload = useMay('uploader');
  const [edits, setEdits] = useState(() =>
    opened.isOwn && checked.size > 0 ? withoutLines(opened.edits, checked) : opened.edits,
  );
  const sent = useSentLines(item);
  const onMerge = (base: Cells, theirs: Cells) =>
    setEdits((current) => ({ ...current, cells: mergeByLine(base, current.cells, theirs) }));
  const draft = useDraft({ importId, columns, edits, opened, enabled: mayUpload, onMerge });
  const changed = useChangedRows(rows, columns, edits);
  const checks = useValidation({ importId, operation: operation ?? 'create-port', changed });
  const states = useMemo(() => rowStates(rows, changed, checks, sent), [rows, changed, checks, sent]);
  return { edits, setEdits, draft, states };
}

interface FilterBarProps extends Pick<Rows, 'rows' | 'columns'> {
  readonly groups: ReactNode;
  readonly hasFilters: boolean;
  readonly onFilters: (pressed: boolean) => void;
  readonly shown: readonly ImportRow[];
  readonly edits: Edits;
  readonly onEdits: (edits: Edits) => void;
}

function FilterBar({ groups, hasFilters, onFilters, shown, rows, columns, edits, onEdits }: FilterBarProps) {
  const [isReplacing, setReplacing] = useState(false);
  return (
    <>
      <div className="review-filters">
        {groups}
        <ToggleButton iconName="filter" pressed={hasFilters} onChange={({ detail }) => onFilters(detail.pressed)}>
          Filter columns
        </ToggleButton>
        <ToggleButton iconName="search" pressed={isReplacing} onChange={({ detail }) => setReplacing(detail.pressed)}>
          Find and replace
        </ToggleButton>
        {shown.length < rows.length && (
          <span role="status">{`${count(shown.length)} of ${numbers(rows.length)} shown`}</span>
        )}
      </div>
      {isReplacing && <ReplaceText rows={shown} columns={columns} edits={edits} onEdits={onEdits} />}
    </>
  );
}

/** Values of the reference data, for the editor of each column. */
function Suggestions({ columns }: Pick<Rows, 'columns'>) {
  const { data: reference } = useRead('getReferenceData', { query: {} });
  return columns.map(
    ({ name }) =>
      name !== null && (
        <datalist id={`values-${name}`} key={name}>
          {suggestionsFor(name, reference).map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      ),
  );
}

interface ToolbarProps {
  readonly item: ImportDetails;
  readonly rows: readonly ImportRow[];
  readonly columns: readonly FileColumn[];
  readonly edits: Edits;
  readonly states: ReadonlyMap<number, RowState>;
  readonly onEdits: (edits: Edits) => void;
  readonly draft: DraftState;
  readonly check: Reading;
}

/**
 * How many rows are fixed; undo, redo, and what is done with the fixed rows: a draft is read again with them, and of a
 * file that was sent, they become a correction.
 */
function ReviewToolbar({ item, rows, columns, edits, states, onEdits, draft, check }: ToolbarProps) {
  const [, navigate] = useLocation();
  const { notify } = useNotices();
  const mayUpload = useMay('uploader');
  const fixed = rows.filter(({ line }) => states.get(line)?.progress === 'fixed');
  const sent = rows.filter(({ line }) => states.get(line)?.progress === 'sent').length;
  const correct = useCommand('createCorrection', {
    failed: 'The fixed numbers were not sent',
    onSuccess: ({ importId }) => {
      notify({
        type: 'success',
        header: `${counted(fixed.length, 'fixed number')} uploaded as a correction. Approve its plan to send ${fixed.length === 1 ? 'it' : 'them'}`,
      });
      // Before the screen is left: what is saved then has no row that was sent.
      flushSync(() => onEdits(withoutLines(edits, new Set(fixed.map(({ line }) => line)))));
      navigate(`/imports/${importId}`);
    },
  });
  const send = () => {
    const changes = {
      rows: fixed.map(({ line }) => ({ line, cells: changedCells(line, columns, edits) })),
      ...(draft.from && { from: draft.from }),
    };
    if (item.canChangeRows) check.run({ reading: item.reading, ...changes });
    else correct.run({ path: { importId: item.importId }, body: changes });
  };
  // One action, so that it can be undone.
  const discard = () => onEdits(setCells(edits, new Map([...edits.cells.keys()].map((key) => [key, undefined]))));
  return (
    <div className="review-toolbar">
      <div role="status">
        <b>{`${count(fixed.length + sent)} of ${numbers(rows.length)} fixed${sent === 0 ? '' : `, ${count(sent)} of them in a correction`}`}</b>{' '}
        <DraftMark draft={draft} />
      </div>
      <SpaceBetween direction="horizontal" size="xs">
        <Button disabled={edits.done.length === 0} onClick={() => onEdits(undo(edits))}>
          Undo
        </Button>
        <Button disabled={edits.undone.length === 0} onClick={() => onEdits(redo(edits))}>
          Redo
        </Button>
        <Button disabled={edits.cells.size === 0} onClick={discard}>
          Discard changes
        </Button>
        <Button
          variant="primary"
          disabled={fixed.length === 0 || !mayUpload}
          loading={correct.isRunning || check.isRunning}
          onClick={send}
        >
          {sendText(item, fixed.length)}
        </Button>
      </SpaceBetween>
    </div>
  );
}

function sendText({ canChangeRows }: ImportDetails, fixed: number): string {
  const rows = counted(fixed, 'fixed number');
  if (canChangeRows) return fixed === 0 ? 'Check with the whole file' : `Check ${rows} with the whole file`;
  return fixed === 0 ? 'Send fixed numbers' : `Send ${rows}`;
}

function DraftMark({ draft: { phase, savedAt, reason } }: { readonly draft: DraftState }) {
  const { zone } = useSession().environment;
  if (phase === 'failed') return <StatusIndicator type="warning">{`Not saved: ${reason}`}</StatusIndicator>;
  if (phase === 'saving') return <span className="quiet">Saving</span>;
  return savedAt === undefined ? null : <span className="quiet">{`Saved ${formatTime(savedAt, zone)}`}</span>;
}
