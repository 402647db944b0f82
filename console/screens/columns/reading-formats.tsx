// How the cells of a file are read: the sheet and the row of the header, the order of dates, and the other formats.

import Alert from '@cloudscape-design/components/alert';
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type DateOrder, dateOrders, normalizeDate } from '#shared/row/date-order.ts';
import type { Answer, ImportDetails, Saved } from '../../api/answers.ts';
import { formatDay } from '../../text/format.ts';
import { dateOrderNames, formatNames, onlyVisibleRows } from '../../text/words.ts';

type Preview = Answer<'previewImport'>;
type Sheet = Preview['sheets'][number];

/** What a person chose. What is absent is as the file was read. */
export interface Place {
  /** Several have the same header, and are read as one file. */
  readonly sheets?: readonly string[];
  /** As it was typed. */
  readonly headerRow?: string;
}

interface PlaceProps {
  /** undefined: not read yet. */
  readonly preview: Preview | undefined;
  /** All sheets of the workbook; empty for a CSV. */
  readonly sheets: readonly Sheet[];
  readonly place: Place;
  readonly onChange: (place: Place) => void;
}

/** The sheets, each with its first rows, and the row of the header. */
export function HeaderPlace({ preview, sheets, place, onChange }: PlaceProps) {
  const chosen = place.sheets ?? sheetsOf(preview);
  const choose = (name: string, isChosen: boolean) => {
    // They are read in the order of the workbook.
    const next = sheets.map((sheet) => sheet.name).filter((one) => (one === name ? isChosen : chosen.includes(one)));
    // The header of another sheet is looked for.
    onChange(next[0] === chosen[0] ? { ...place, sheets: next } : { sheets: next });
  };
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={
            sheets.length > 1
              ? 'Choose a sheet, or several with the same columns, which are read as one file.'
              : undefined
          }
        >
          Where the numbers are
        </Header>
      }
    >
      <SpaceBetween size="m">
        {sheets.length > 1 &&
          sheets.map((sheet) => (
            <Checkbox
              key={sheet.name}
              checked={chosen.includes(sheet.name)}
              description={<FirstRows sheet={sheet} />}
              onChange={({ detail }) => choose(sheet.name, detail.checked)}
            >
              {`Sheet "${sheet.name}"`}
            </Checkbox>
          ))}
        {place.sheets?.length !== 0 && (
          <div className="fields">
            <FormField label="Row of the header" description="Rows above it are not read.">
              <Input
                value={place.headerRow ?? String(preview?.headerRow ?? '')}
                type="number"
                inputMode="numeric"
                onChange={({ detail }) => onChange({ ...place, headerRow: detail.value })}
              />
            </FormField>
          </div>
        )}
      </SpaceBetween>
    </Container>
  );
}

/** The header is the first of them. */
function FirstRows({ sheet: { headerRow, isSuitable, rows } }: { readonly sheet: Sheet }) {
  if (rows.length === 0) return null;
  return (
    <>
      {isSuitable ? `Header in row ${headerRow}` : 'No header with known columns'}
      {rows.map((cells, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name, and none moves
        <span key={index} className={index === 0 ? 'sheet-row header' : 'sheet-row'}>
          {cells.join(' · ')}
        </span>
      ))}
    </>
  );
}

const sheetsOf = (read: Pick<Preview, 'sheet' | 'otherSheets'> | undefined): string[] =>
  read?.sheet ? [read.sheet, ...read.otherSheets] : [];

/** A preview, if it is of these sheets. */
export const ofSheets = (sheets: Place['sheets'], preview: Preview | undefined): Preview | undefined =>
  sheets === undefined || sheets.join('/') === sheetsOf(preview).join('/') ? preview : undefined;

/** Why the file cannot be read like this; undefined: it can. */
export function problemOf({ sheets, headerRow }: Place): string | undefined {
  if (sheets?.length === 0) return 'Choose the sheets';
  return headerRow === undefined || isRow(headerRow) ? undefined : 'Enter the row of the header';
}

const isRow = (text: string): boolean => /^[1-9]\d{0,2}$/.test(text);

/**
 * Where nothing was chosen for the file itself, its saved settings choose. None of the sheets about which it asks is
 * chosen for a person: one of them may be last month's.
 */
export function firstPlace({ issues }: ImportDetails, detected: Preview, saved: Saved['settings'] = {}): Place {
  const { sheet: own, headerRow: ownRow } = detected.settings;
  if (own !== undefined || ownRow !== undefined) return {};
  const { sheet, otherSheets = [], headerRow } = saved;
  const isAsked = issues.some(({ code }) => code === 'FILE_SHEET_AMBIGUOUS');
  const sheets = sheet === undefined ? isAsked && [] : [sheet, ...otherSheets];
  return { ...(sheets && { sheets }), ...(headerRow !== undefined && { headerRow: String(headerRow) }) };
}

/** As settings of the reading. They replace those of the file. */
export const settingsOf = ({ sheets, headerRow }: Place) => ({
  ...(sheets && { sheet: sheets[0], otherSheets: sheets.slice(1), headerRow: undefined }),
  ...(headerRow !== undefined && isRow(headerRow) && { headerRow: Number(headerRow) }),
});

/** As a query of the preview. */
export function queryOf(place: Place) {
  const { sheet, otherSheets = [], headerRow } = settingsOf(place);
  return {
    ...(sheet !== undefined && { sheet }),
    // No name of a sheet contains a slash.
    ...(otherSheets.length > 0 && { otherSheets: otherSheets.join('/') }),
    ...(headerRow !== undefined && { headerRow: String(headerRow) }),
  };
}

type Dates = Answer<'previewImport'>['dates'];

interface DateOrderProps {
  readonly dates: Dates;
  /** undefined: as detected. */
  readonly order: DateOrder | undefined;
  readonly onChange: (order: DateOrder | undefined) => void;
}

/** The order of day, month and year, where a date of the file has two meanings. */
export function DateOrderChoice({ dates, order, onChange }: DateOrderProps) {
  if (dates.length === 0 && order === undefined) return null;
  const isDetected = dates.length > 0 && dates.every((one) => one.order !== null);
  const meanings = (by: (date: Dates[number]) => DateOrder | null) =>
    dates.flatMap((date) => {
      const day = normalizeDate(date.example, by(date) ?? undefined);
      return day === undefined ? [] : `"${date.header}": ${date.example} is ${formatDay(day)}`;
    });
  const possible = dateOrders.filter((one) => one !== 'ymd' || one === order || meanings(() => one).length > 0);
  const items = [
    ...(isDetected && order === undefined
      ? [{ value: '', label: 'As detected', description: meanings((date) => date.order).join(' · ') }]
      : []),
    ...possible.map((one) => ({
      value: one,
      label: dateOrderNames[one],
      description: meanings(() => one).join(' · '),
    })),
  ];
  const problems = dates.flatMap(({ problem }) => problem ?? []);
  return (
    <Container header={<Header variant="h2">Dates</Header>}>
      {order === undefined &&
        problems.map((problem) => (
          <Alert key={problem} type="info">
            {problem}
          </Alert>
        ))}
      <FormField label="Order of day, month and year">
        <RadioGroup
          value={order ?? (isDetected ? '' : null)}
          items={items}
          onChange={({ detail }) => onChange(dateOrders.find((one) => one === detail.value))}
        />
      </FormField>
    </Container>
  );
}

type Settings = Answer<'previewImport'>['settings'];

interface FormatsProps {
  readonly preview: Answer<'previewImport'>;
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}

type Format = 'separator' | 'encoding';

const formats: readonly Format[] = ['separator', 'encoding'];

const labels = { separator: 'Separator', encoding: 'Encoding' };

export function ReadingFormats({ preview, settings, onChange }: FormatsProps) {
  return (
    <Container header={<Header variant="h2">Formats</Header>}>
      {preview.sheet === null && (
        <div className="fields">
          {formats.map((format) => {
            const options = [
              { value: '', label: 'As detected' },
              ...Object.entries(formatNames[format]).map(([value, label]) => ({ value, label })),
            ];
            return (
              <FormField key={format} label={labels[format]}>
                <Select
                  selectedOption={options.find(({ value }) => value === (settings[format] ?? '')) ?? null}
                  options={options}
                  onChange={({ detail }) =>
                    onChange({ ...settings, [format]: detail.selectedOption.value || undefined } as Settings)
                  }
                />
              </FormField>
            );
          })}
        </div>
      )}
      {preview.sheet !== null && (
        <Checkbox
          checked={settings.visibleRowsOnly === true}
          onChange={({ detail }) => onChange({ ...settings, visibleRowsOnly: detail.checked || undefined })}
        >
          {onlyVisibleRows}
        </Checkbox>
      )}
    </Container>
  );
}
