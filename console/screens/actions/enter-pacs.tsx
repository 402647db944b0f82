// New PACs for the numbers of one port, typed here and never shown again. They are sent as an update of the port.

import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { Action } from '../../api/types.ts';
import { useMay, useSession } from '../../app/session.tsx';
import { strings } from '../../strings.ts';
import { formatNumber } from '../../text/format.ts';
import { RemoveNumbers } from './remove-numbers.tsx';
import { useSendPacs } from './use-send-pacs.ts';

/** 9 characters: three letters and six digits (UK), or the form of another country. */
const pacShape = /^[A-Za-z0-9]{6,20}$/;

export function EnterPacs({ action }: { readonly action: Action }) {
  const { callingCode } = useSession().environment;
  const mayUpload = useMay('uploader');
  const [pacs, setPacs] = useState<Readonly<Record<string, string>>>({});
  const [isRemoving, setRemoving] = useState(false);
  const { send, isSending, sent } = useSendPacs(action);
  const texts = strings.pacs;
  const entered = Object.entries(pacs).filter(([, pac]) => pac.trim() !== '');
  const isComplete = entered.length > 0 && entered.every(([, pac]) => pacShape.test(pac.trim()));
  if (sent !== undefined) return <p role="status">{sent}</p>;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) send(entered.map(([msisdn, pac]) => ({ msisdn, pac: pac.trim().toUpperCase() })));
      }}
    >
      <SpaceBetween size="m">
        <div className="pac-list">
          {action.numbers.map(({ line, msisdn, message, status }) => (
            <FormField
              key={line}
              label={<span className="digits">{formatNumber(msisdn, callingCode)}</span>}
              description={message ?? status}
              errorText={pacs[msisdn] && !pacShape.test(pacs[msisdn].trim()) ? texts.shape : undefined}
            >
              <Input
                type="password"
                value={pacs[msisdn] ?? ''}
                placeholder={texts.placeholder}
                autoComplete={false}
                spellcheck={false}
                disabled={!mayUpload}
                ariaLabel={texts.label(formatNumber(msisdn, callingCode))}
                onChange={({ detail }) => setPacs({ ...pacs, [msisdn]: detail.value })}
              />
            </FormField>
          ))}
        </div>
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="primary" formAction="submit" disabled={!isComplete || !mayUpload} loading={isSending}>
            {texts.send(entered.length)}
          </Button>
          <Button disabled={!mayUpload} onClick={() => setRemoving(true)}>
            {texts.remove(action.numbers.length)}
          </Button>
        </SpaceBetween>
      </SpaceBetween>
      {isRemoving && <RemoveNumbers action={action} onClose={() => setRemoving(false)} />}
    </form>
  );
}
