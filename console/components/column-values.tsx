// Values that a file lacks: the same for every row, chosen from the reference data of the account.
import Autosuggest from '@cloudscape-design/components/autosuggest';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useRef } from 'react';
import { columnLabel } from '#shared/text/wording.ts';
import type { Answer } from '../api/answers.ts';
import { useRead } from '../api/queries.ts';

interface Props {
  readonly operation: string;
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

/** A field that was opened and left empty says nothing. */
export const withoutEmpty = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));

export function ColumnValues({ operation, values, onChange }: Props) {
  const { data: operations } = useRead('listOperations', {});
  const { data: reference } = useRead('getReferenceData', { query: {} });
  const columns = operations?.operations.find(({ name }) => name === operation)?.columns ?? [];
  const free = columns.filter(({ name, repeats }) => repeats && values[name] === undefined);
  // A field that a person adds is where they type next.
  const known = useRef(new Set(Object.keys(values)));
  const remove = (name: string) => {
    known.current.delete(name);
    onChange(Object.fromEntries(Object.entries(values).filter(([other]) => other !== name)));
  };
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
              autoFocus={!known.current.has(name)}
              value={value}
              options={suggestionsFor(name, reference).map((suggestion) => ({ value: suggestion }))}
              enteredTextLabel={(text) => `Use "${text}"`}
              placeholder={columns.find((column) => column.name === name)?.example ?? ''}
              empty="No suggestion. Enter the value"
              onChange={({ detail }) => onChange({ ...values, [name]: detail.value })}
            />
          </FormField>
          <Button
            iconName="remove"
            variant="icon"
            ariaLabel={`Remove ${columnLabel(name)}`}
            onClick={() => remove(name)}
          />
        </div>
      ))}
      <Select
        selectedOption={null}
        placeholder="Choose a column"
        ariaLabel="Choose a column"
        disabled={free.length === 0}
        options={free.map(({ name, help }) => ({ value: name, label: columnLabel(name), description: help }))}
        filteringType="auto"
        onChange={({ detail }) => onChange({ ...values, [detail.selectedOption.value ?? '']: '' })}
      />
    </SpaceBetween>
  );
}

type ReferenceData = Answer<'getReferenceData'>;

/** Columns of a file whose list has another name for it. */
const namesInLists: Readonly<Record<string, string>> = { network: 'targetNetwork' };

/** Values of the reference data that fit into a column: its lists name their columns as files do. */
/** The same for the names of items, where a column of a file takes their numbers or lists of them. */
const namesOfItems: Readonly<Record<string, string>> = {
  ...namesInLists,
  tariffNumber: 'tariff',
  boltOns: 'boltOn',
  services: 'service',
  provisioningOrderNumber: 'provisioningOrder',
  publicIpGroupId: 'ipGroup',
  staticIpGroupId: 'ipGroup',
  sizeMb: 'bundleSize',
  bundleSizeMb: 'bundleSize',
  provisioningTemplateId: 'provisioningTemplate',
};

/** The items that a cell of the column may name, by their names. */
export const itemsFor = (column: string, reference: ReferenceData | undefined): string[] =>
  suggestionsFor(namesOfItems[column] ?? column, reference);

export function suggestionsFor(column: string, reference: ReferenceData | undefined): string[] {
  const found = new Set<string>();
  for (const records of Object.values(reference?.lists ?? {})) {
    for (const record of records ?? []) {
      const value = record[column] ?? record[namesInLists[column] ?? column];
      if (value) found.add(value);
    }
  }
  return [...found].sort((one, other) => one.localeCompare(other));
}
