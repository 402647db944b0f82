// The sheet and the row of the header.
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import { useState } from 'react';
import type { Answer } from '../../api/types.ts';
import { strings } from '../../strings.ts';

/** What differs from how the file was read. */
export interface Place {
  readonly sheet?: string;
  readonly headerRow?: number;
}

interface Props {
  readonly preview: Answer<'previewImport'>;
  readonly onChange: (place: Place) => void;
}

export function HeaderPlace({ preview, onChange }: Props) {
  const [row, setRow] = useState(String(preview.headerRow));
  const { sheet, sheets } = preview;
  const texts = strings.columns.place;
  const show = () => onChange({ ...(sheet !== null && { sheet }), headerRow: Number(row) });
  return (
    <Container header={<Header variant="h2">{texts.title}</Header>}>
      <div className="fields">
        {sheet !== null && (
          <FormField label={texts.sheet}>
            <Select
              selectedOption={{ value: sheet, label: sheet }}
              options={sheets.map((name) => ({ value: name, label: name }))}
              onChange={({ detail }) => onChange({ sheet: detail.selectedOption.value ?? sheet })}
            />
          </FormField>
        )}
        <FormField
          label={texts.headerRow}
          secondaryControl={
            <Button disabled={!/^[1-9]\d{0,2}$/.test(row) || Number(row) === preview.headerRow} onClick={show}>
              {texts.show}
            </Button>
          }
        >
          <Input
            value={row}
            type="number"
            inputMode="numeric"
            onChange={({ detail }) => setRow(detail.value)}
            onKeyDown={({ detail }) => detail.key === 'Enter' && show()}
          />
        </FormField>
      </div>
    </Container>
  );
}
