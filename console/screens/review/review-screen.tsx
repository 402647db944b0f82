// Invalid rows: problems in groups, and a grid to fix them in place. Only fixed rows are sent again.
import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import ToggleButton from '@cloudscape-design/components/toggle-button';
import { type ReactNode, useMemo, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import type { ImportDetails, ImportRow } from '../../api/types.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay } from '../../app/session.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded, LoadingLine } from '../../components/loaded.tsx';
import { Screen } from '../../components/screen.tsx';
import { suggestionsFor } from '../../reference-data/suggestions.ts';
import { strings } from '../../strings.ts';
import '../../styles/grid.css';
import { ActiveCell } from './active-cell.tsx';
import { type Cells, type Edits, mergeByLine, redo, setCells, undo } from './edits.ts';
import { Grid } from './grid.tsx';
import { OtherDrafts } from './other-drafts.tsx';
import { mostCharacters, placeValues } from './place-values.ts';
import { type ProblemFilter, ProblemGroups } from './problem-groups.tsx';
import { ReplaceText } from './replace-text.tsx';
import { ReviewToolbar } from './review-toolbar.tsx';
import { rowStates } from './row-states.ts';
import type { Place } from './selection.ts';
import { useArrangement } from './use-arrangement.ts';
import { noDraft, type OpenedDraft, useDraft, useSavedDraft } from './use-draft.ts';
import { mostRows, useInvalidRows } from './use-invalid-rows.ts';
import { useChangedRows, useValidation } from './use-validation.ts';

export default function ReviewScreen({ params: { importId } }: { readonly params: { readonly importId: string } }) {
  const read = useRead('getImport', { path: { importId } });
  return <Loaded read={read}>{(item) => <Review item={item} />}</Loaded>;
}

function Review({ item }: { readonly item: ImportDetails }) {
  const { read, rows, columns, isComplete } = useInvalidRows(item);
  const mayUpload = useMay('uploader');
  const saved = useSavedDraft({ importId: item.importId, columns, enabled: isComplete && mayUpload });
  // What is saved meanwhile changes nothing here: the workspace merges it.
  const [opened, setOpened] = useState<OpenedDraft | undefined>(mayUpload ? undefined : noDraft);
  if (opened === undefined && saved.data !== undefined) setOpened(saved.data);
  const texts = strings.review;
  return (
    <Screen
      title={texts.title}
      above={[
        { text: strings.imports.title, href: '#/' },
        { text: item.file, href: `#/imports/${item.importId}` },
      ]}
      description={texts.description}
    >
      {item.split && <Alert type="info">{texts.split(item.split.requests, item.split.calls)}</Alert>}
      {item.rejected > mostRows && <Alert type="info">{texts.tooMany(mostRows, item.rejected)}</Alert>}
      <Loaded read={read}>
        {() => {
          if (!isComplete) return <LoadingLine text={texts.loading(rows.length, item.rejected)} />;
          if (rows.length === 0) {
            return (
              <Container>
                <Empty title={texts.none.title} text={texts.none.text} />
              </Container>
            );
          }
          if (opened === undefined) return <Loaded read={saved}>{() => null}</Loaded>;
          return (
            <>
              {mayUpload && <OtherDrafts item={item} columns={columns} onTake={setOpened} />}
              {/* Another draft has other changes. */}
              <Workspace
                key={`${opened.from} ${opened.savedAt}`}
                item={item}
                rows={rows}
                columns={columns}
                opened={opened}
              />
            </>
          );
        }}
      </Loaded>
    </Screen>
  );
}

type Rows = ReturnType<typeof useInvalidRows>;

interface WorkspaceProps extends Pick<Rows, 'rows' | 'columns'> {
  readonly item: ImportDetails;
  readonly opened: OpenedDraft;
}

function Workspace({ item, rows, columns, opened }: WorkspaceProps) {
  const { notify } = useNotices();
  const { edits, setEdits, draft, states } = useEdits({ item, rows, columns, opened });
  const [filter, setFilter] = useState<ProblemFilter>();
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const { order, filters, shown, ...arrangement } = useArrangement({ rows, edits, filter });
  const set = (place: Place, values: readonly (readonly (string | undefined)[])[]) => {
    const { cells, leftOut, tooLong } = placeValues(values, { place, rows: shown, columns });
    setEdits(setCells(edits, cells));
    if (leftOut > 0) notify({ type: 'warning', header: strings.review.leftOut(leftOut) });
    if (tooLong > 0) notify({ type: 'warning', header: strings.review.tooLong(tooLong, mostCharacters) });
  };
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
        onSet={set}
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

/** The changes of the person, their draft, and what each row is with them. */
function useEdits({ item, rows, columns, opened }: WorkspaceProps) {
  const { importId, operation } = item;
  const mayUpload = useMay('uploader');
  const [edits, setEdits] = useState(opened.edits);
  const onMerge = (base: Cells, theirs: Cells) =>
    setEdits((current) => ({ ...current, cells: mergeByLine(base, current.cells, theirs) }));
  const draft = useDraft({ importId, columns, edits, opened, enabled: mayUpload, onMerge });
  const changed = useChangedRows(rows, columns, edits);
  const checks = useValidation({ importId, operation: operation ?? 'create-port', changed });
  const states = useMemo(() => rowStates(rows, changed, checks), [rows, changed, checks]);
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
          {strings.review.filters}
        </ToggleButton>
        <ToggleButton iconName="search" pressed={isReplacing} onChange={({ detail }) => setReplacing(detail.pressed)}>
          {strings.review.replacement.title}
        </ToggleButton>
        {shown.length < rows.length && <span role="status">{strings.review.shown(shown.length, rows.length)}</span>}
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
