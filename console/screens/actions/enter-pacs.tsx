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
  const { send, isSending, isSent } = useSendPacs(action);
  const texts = strings.pacs;
  const numbers = action.numbers.filter((number) => !isSent(number));
  const entered = numbers.flatMap(({ msisdn }) => (pacs[msisdn]?.trim() ? [[msisdn, pacs[msisdn]] as const] : []));
  const isComplete = entered.length > 0 && entered.every(([, pac]) => pacShape.test(pac.trim()));
  if (numbers.length === 0) return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) send(entered.map(([msisdn, pac]) => ({ msisdn, pac: pac.trim().toUpperCase() })));
      }}
    >
      <SpaceBetween size="m">
        <div className="pac-list">
          {numbers.map(({ line, msisdn, message, status }) => (
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
            {texts.remove(numbers.length)}
          </Button>
        </SpaceBetween>
      </SpaceBetween>
      {isRemoving && <RemoveNumbers action={{ ...action, numbers }} onClose={() => setRemoving(false)} />}
    </form>
  );
}

function RemoveNumbers({ action, onClose }: { readonly action: Action; readonly onClose: () => void }) {
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
      confirm={{ text: removal.confirm, run: () => remove.mutate(), isRunning: remove.isPending }}
    >
      {removal.text(numbers.length, blockedRows)}
    </Dialog>
  );
}

type PacNumber = Action['numbers'][number];
const problemOf = ({ status, message }: PacNumber): string => `${status} ${message ?? ''}`;

interface NewPac {
  readonly msisdn: string;
  readonly pac: string;
}

function useSendPacs({ id, numbers }: Action) {
  const client = useQueryClient();
  const { notify, notifyError } = useNotices();
  /** What was wrong with each number whose PAC was sent: it is open again once something else is wrong. */
  const [sentNumbers, setSentNumbers] = useState<ReadonlyMap<string, string>>(new Map());
  const mutation = useMutation({
    mutationFn: (pacs: readonly NewPac[]) =>
      importRows({
        operation: 'update-port',
        fileName: `new-pacs-${id.slice(0, 8)}.csv`,
        rows: pacs.map(({ msisdn, pac }) => ({ msisdn: `+${msisdn}`, portId: id, pac })),
        because: strings.pacs.because,
      }),
    onSuccess: ({ isApproved }, pacs) => {
      const header = isApproved ? strings.pacs.sent(pacs.length) : strings.pacs.waiting(pacs.length);
      notify({ type: isApproved ? 'success' : 'info', header });
      const problems = new Map(numbers.map((number) => [number.msisdn, problemOf(number)]));
      setSentNumbers(
        (before) => new Map([...before, ...pacs.map(({ msisdn }) => [msisdn, problems.get(msisdn) ?? ''] as const)]),
      );
    },
    onError: (error) => notifyError(strings.pacs.failed, error),
    onSettled: () => client.invalidateQueries(),
  });
  const isSent = (number: PacNumber): boolean => sentNumbers.get(number.msisdn) === problemOf(number);
  return { send: mutation.mutate, isSending: mutation.isPending, isSent };
}
