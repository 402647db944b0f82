// New PACs for the numbers of one port, typed here and never shown again. They are sent as an update of the port.
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Action } from '../../api/types.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay, useSession } from '../../app/session.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { strings } from '../../strings.ts';
import { formatNumber } from '../../text/format.ts';
import { importRows } from '../../upload/import-rows.ts';

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

export function RemoveNumbers({ action, onClose }: { readonly action: Action; readonly onClose: () => void }) {
  const client = useQueryClient();
  const { notify, notifyError } = useNotices();
  const { removal } = strings.pacs;
  const { id, numbers, blockedRows } = action;
  const remove = useMutation({
    mutationFn: () =>
      importRows({
        operation: 'cancel-port',
        fileName: `remove-${id.slice(0, 8)}.csv`,
        rows: numbers.map(({ msisdn }) => ({ msisdn: `+${msisdn}`, portId: id })),
        because: removal.because,
      }),
    onSuccess: ({ isApproved }) => {
      const header = isApproved ? removal.done(numbers.length, blockedRows) : removal.waiting(numbers.length);
      notify({ type: isApproved ? 'success' : 'info', header });
    },
    onError: (error) => notifyError(removal.failed, error),
    onSettled: () => {
      onClose();
      return client.invalidateQueries();
    },
  });
  return (
    <Dialog
      title={removal.title(numbers.length)}
      onClose={onClose}
      confirm={
        <Button variant="primary" loading={remove.isPending} onClick={() => remove.mutate()}>
          {removal.confirm}
        </Button>
      }
    >
      {removal.text(numbers.length, blockedRows)}
    </Dialog>
  );
}

export interface NewPac {
  readonly msisdn: string;
  readonly pac: string;
}

export function useSendPacs({ id }: Action) {
  const client = useQueryClient();
  const { notifyError } = useNotices();
  const [sent, setSent] = useState<string>();
  const mutation = useMutation({
    mutationFn: (pacs: readonly NewPac[]) =>
      importRows({
        operation: 'update-port',
        fileName: `new-pacs-${id.slice(0, 8)}.csv`,
        rows: pacs.map(({ msisdn, pac }) => ({ msisdn: `+${msisdn}`, portId: id, pac })),
        because: strings.pacs.because,
      }),
    onSuccess: ({ isApproved }, { length }) =>
      setSent(isApproved ? strings.pacs.sent(length) : strings.pacs.waiting(length)),
    onError: (error) => notifyError(strings.pacs.failed, error),
    onSettled: () => client.invalidateQueries(),
  });
  return { send: mutation.mutate, isSending: mutation.isPending, sent };
}
