// Find and replace in the shown rows, with a count before it applies. It is one action to undo.

import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import { useMemo, useState } from 'react';
import { columnLabel } from '#shared/text/wording.ts';
import { strings } from '../../strings.ts';
import { type Edits, setCells } from './edits.ts';
import { type GridRows, replaceText } from './selection.ts';
import type { FileColumn } from './use-invalid-rows.ts';

interface Props extends GridRows {
  readonly columns: readonly FileColumn[];
  readonly edits: Edits;
  readonly onEdits: (edits: Edits) => void;
}

export function ReplaceText({ rows, columns, edits, onEdits }: Props) {
  const [find, setFind] = useState('');
  const [replace, setReplace] = useState('');
  const [column, setColumn] = useState<number>();
  const cells = useMemo(
    () => replaceText({ rows, columns, edits }, { find, replace, column }),
    [rows, columns, edits, find, replace, column],
  );
  const texts = strings.review.replacement;
  const all = { value: '', label: texts.everyColumn };
  const options = [
    all,
    ...columns.flatMap(({ name, secret }, index) =>
      name === null || secret ? [] : [{ value: String(index), label: columnLabel(name) }],
    ),
  ];
  return (
    <search className="replace-text">
      <FormField label={texts.find}>
        <Input type="search" value={find} onChange={({ detail }) => setFind(detail.value)} />
      </FormField>
      <FormField label={texts.replace}>
        <Input value={replace} onChange={({ detail }) => setReplace(detail.value)} />
      </FormField>
      <FormField label={texts.column}>
        <Select
          selectedOption={options.find(({ value }) => value === String(column ?? '')) ?? all}
          options={options}
          onChange={({ detail }) =>
            setColumn(detail.selectedOption.value ? Number(detail.selectedOption.value) : undefined)
          }
        />
      </FormField>
      <Button disabled={cells.size === 0} onClick={() => onEdits(setCells(edits, cells))}>
        {texts.apply(cells.size)}
      </Button>
    </search>
  );
}
