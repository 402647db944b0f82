// Values that a file lacks: the same for every row, chosen from the reference data of the account.

import Autosuggest from '@cloudscape-design/components/autosuggest';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { columnLabel } from '#shared/text/wording.ts';
import { useRead } from '../api/queries.ts';
import { suggestionsFor } from '../reference-data/suggestions.ts';
import { strings } from '../strings.ts';

interface Props {
  readonly operation: string;
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

export function ColumnValues({ operation, values, onChange }: Props) {
  const { data: operations } = useRead('listOperations', {});
  const { data: reference } = useRead('getReferenceData', { query: {} });
  const columns = operations?.operations.find(({ name }) => name === operation)?.columns ?? [];
  const free = columns.filter(({ name, repeats }) => repeats && values[name] === undefined);
  const { values: text } = strings.upload;
  return (
    <SpaceBetween size="m">
      {Object.entries(values).map(([name, value]) => (
        <div className="column-value" key={name}>
          <FormField
            label={columnLabel(name)}
            description={columns.find((column) => column.name === name)?.help}
            stretch
          >
            <Autosuggest
              value={value}
              options={suggestionsFor(name, reference).map((suggestion) => ({ value: suggestion }))}
              enteredTextLabel={text.use}
              placeholder={columns.find((column) => column.name === name)?.example ?? ''}
              empty={text.noSuggestion}
              onChange={({ detail }) => onChange({ ...values, [name]: detail.value })}
            />
          </FormField>
          <Button
            iconName="remove"
            variant="icon"
            ariaLabel={text.remove(columnLabel(name))}
            onClick={() => onChange(Object.fromEntries(Object.entries(values).filter(([other]) => other !== name)))}
          />
        </div>
      ))}
      <Select
        selectedOption={null}
        placeholder={text.add}
        ariaLabel={text.add}
        disabled={free.length === 0}
        options={free.map(({ name, help }) => ({ value: name, label: columnLabel(name), description: help }))}
        filteringType="auto"
        onChange={({ detail }) => onChange({ ...values, [detail.selectedOption.value ?? '']: '' })}
      />
    </SpaceBetween>
  );
}
