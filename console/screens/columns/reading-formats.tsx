// The order of dates, the separator and encoding of a CSV, and which rows of a workbook are read: what was detected, or
// what a person chose.
import Alert from '@cloudscape-design/components/alert';
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import type { Answer, ImportDetails } from '../../api/types.ts';
import { strings } from '../../strings.ts';

type Settings = Answer<'previewImport'>['settings'];

interface Props {
  readonly item: ImportDetails;
  readonly preview: Answer<'previewImport'>;
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}

type Format = keyof typeof strings.columns.formats.choices;

export function ReadingFormats({ item, preview, settings, onChange }: Props) {
  const texts = strings.columns.formats;
  const question = item.issues.find(({ code }) => code === 'DATE_ORDER_AMBIGUOUS');
  const formats: readonly Format[] = preview.sheet === null ? ['dateOrder', 'separator', 'encoding'] : ['dateOrder'];
  return (
    <Container header={<Header variant="h2">{texts.title}</Header>}>
      {question !== undefined && <Alert type="warning">{question.message}</Alert>}
      <div className="fields">
        {formats.map((format) => {
          const options = [
            { value: '', label: texts.detected },
            ...Object.entries(texts.choices[format]).map(([value, label]) => ({ value, label })),
          ];
          return (
            <FormField key={format} label={texts.labels[format]}>
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
      {preview.sheet !== null && (
        <Checkbox
          checked={settings.visibleRowsOnly === true}
          onChange={({ detail }) => onChange({ ...settings, visibleRowsOnly: detail.checked || undefined })}
        >
          {texts.visibleRowsOnly}
        </Checkbox>
      )}
    </Container>
  );
}
