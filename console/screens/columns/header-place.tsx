// The sheets and the row of the header.
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Multiselect from '@cloudscape-design/components/multiselect';
import { useState } from 'react';
import type { Answer } from '../../api/types.ts';
import { strings } from '../../strings.ts';

/** What differs from how the file was read. */
export interface Place {
  readonly sheet?: string;
  /** They have the same header, and are read behind `sheet` as one file. */
  readonly otherSheets?: string[];
  readonly headerRow?: number;
}

interface Props {
  readonly preview: Answer<'previewImport'>;
  /** All sheets of the workbook; empty for a CSV. */
  readonly sheets: readonly string[];
  readonly place: Place;
  readonly onChange: (place: Place) => void;
}

export function HeaderPlace({ preview, sheets, place, onChange }: Props) {
  const shown = sheetsOf(place.sheet === undefined ? preview : place);
  const [chosen, setChosen] = useState(shown);
  const [row, setRow] = useState(String(preview.headerRow));
  const texts = strings.columns.place;
  const hasNewSheets = chosen.join('/') !== shown.join('/');
  const hasNewRow = Number(row) !== preview.headerRow;
  const isComplete = /^[1-9]\d{0,2}$/.test(row) && (sheets.length === 0 || chosen.length > 0);
  const show = () => {
    const [sheet, ...otherSheets] = chosen;
    // The header of another sheet is looked for, unless its row is given.
    const headerRow = hasNewRow || !hasNewSheets ? { headerRow: Number(row) } : {};
    onChange({ ...(sheet !== undefined && { sheet, otherSheets }), ...headerRow });
  };
  const options = sheets.map((name) => ({ value: name, label: name }));
  return (
    <Container header={<Header variant="h2">{texts.title}</Header>}>
      <div className="fields">
        {options.length > 0 && (
          <FormField label={texts.sheets} description={options.length > 1 && texts.oneFile}>
            <Multiselect
              selectedOptions={options.filter(({ value }) => chosen.includes(value))}
              options={options}
              placeholder={texts.choose}
              // They are read in the order of the workbook.
              onChange={({ detail }) =>
                setChosen(sheets.filter((name) => detail.selectedOptions.some(({ value }) => value === name)))
              }
            />
          </FormField>
        )}
        <FormField
          label={texts.headerRow}
          secondaryControl={
            <Button disabled={!isComplete || !(hasNewSheets || hasNewRow)} onClick={show}>
              {texts.show}
            </Button>
          }
        >
          <Input
            value={row}
            type="number"
            inputMode="numeric"
            onChange={({ detail }) => setRow(detail.value)}
            onKeyDown={({ detail }) => detail.key === 'Enter' && isComplete && show()}
          />
        </FormField>
      </div>
    </Container>
  );
}

const sheetsOf = ({ sheet, otherSheets = [] }: Pick<Answer<'previewImport'>, 'sheet' | 'otherSheets'> | Place) =>
  sheet ? [sheet, ...otherSheets] : [];
