// Takes a number in any notation.
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { strings } from '../../strings.ts';

export function NumberSearch({ text: initial }: { readonly text: string }) {
  const [text, setText] = useState(initial);
  const [, navigate] = useLocation();
  const texts = strings.number;
  return (
    <form
      className="number-search"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') navigate(`/numbers/${encodeURIComponent(text.trim())}`);
      }}
    >
      <FormField label={texts.label} constraintText={texts.notations} stretch>
        <Input type="search" inputMode="tel" value={text} onChange={({ detail }) => setText(detail.value)} />
      </FormField>
      <Button formAction="submit" variant="primary" disabled={text.trim() === ''}>
        {texts.find}
      </Button>
    </form>
  );
}
