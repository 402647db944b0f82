// One of several values, such as a filter.
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';

interface Props<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

export const Choice = <Value extends string>({ label, value, options, onChange }: Props<Value>) => (
  <FormField label={label}>
    <Select
      selectedOption={options.find((option) => option.value === value) ?? null}
      options={options}
      onChange={({ detail }) => onChange((detail.selectedOption.value ?? '') as Value)}
    />
  </FormField>
);
