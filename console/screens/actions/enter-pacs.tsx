// New PACs for the numbers of one port, typed here and never shown again. They are sent as an update of the port.
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { csvRow } from '#shared/files/csv/csv-row.ts';
import { canonicalPac, maybePac } from '#shared/row/pac.ts';
import { counted } from '#shared/text/wording.ts';
import { type Action, type Answer, isProblem } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { type UploadSettings, useTypedCodes } from '../../app/kept-work.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay, useSession } from '../../app/session.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { formatNumber } from '../../text/format.ts';
import { numbers } from '../../text/words.ts';
import { Uploader } from '../../upload/uploads.tsx';

export function EnterPacs({ action }: { readonly action: Action }) {
  const { callingCode } = useSession().environment;
  const mayUpload = useMay('uploader');
  const [pacs, changePacs] = useTypedCodes(action.id);
  const [isRemoving, setRemoving] = useState(false);
  const { send, isSending, isSent } = useSendPacs(action, (sent) =>
    changePacs(Object.fromEntries(sent.map(({ msisdn }) => [msisdn, '']))),
  );
  const numbers = action.numbers.filter((number) => !isSent(number));
  const entered = numbers
    .map((number) => ({ ...number, pac: pacs[number.msisdn]?.trim() ?? '' }))
    .filter(({ pac }) => pac !== '');
  const isComplete = entered.length > 0 && entered.every(({ pac }) => maybePac(pac));
  if (numbers.length === 0) return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) send(entered.map((number) => ({ ...number, pac: canonicalPac(number.pac) })));
      }}
    >
      <SpaceBetween size="m">
        <div className="pac-list">
          {numbers.map(({ line, msisdn, message, status }) => (
            <FormField
              key={line}
              label={<span className="digits">{formatNumber(msisdn, callingCode)}</span>}
              description={message ?? status}
              errorText={
                pacs[msisdn]?.trim() && !maybePac(pacs[msisdn])
                  ? 'A PAC has letters and digits, such as three letters and six digits.'
                  : undefined
              }
            >
              <Input
                type="password"
                value={pacs[msisdn] ?? ''}
                placeholder="New PAC"
                autoComplete={false}
                spellcheck={false}
                disabled={!mayUpload}
                ariaLabel={`New PAC of ${formatNumber(msisdn, callingCode)}`}
                onChange={({ detail }) => changePacs({ [msisdn]: detail.value })}
              />
            </FormField>
          ))}
        </div>
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="primary" formAction="submit" disabled={!isComplete || !mayUpload} loading={isSending}>
            {entered.length === 0 ? 'Send new PACs' : `Send ${counted(entered.length, 'new PAC')}`}
          </Button>
          <Button disabled={!mayUpload} onClick={() => setRemoving(true)}>
            {`Remove ${counted(numbers.length, 'number')} from the port`}
          </Button>
        </SpaceBetween>
      </SpaceBetween>
      {isRemoving && <RemoveNumbers action={{ ...action, numbers }} onClose={() => setRemoving(false)} />}
    </form>
  );
}

const whatRemovalDoes = (value: number, blocked: number) =>
  `${numbers(value)} will be cancelled in this port. ${
    blocked > 0 ? `${numbers(blocked)} that ${value === 1 ? 'it blocks' : 'they block'} can then continue. ` : ''
  }You can import removed numbers again with a new PAC.`;

const removed = (value: number, blocked: number) =>
  blocked > 0
    ? `${numbers(value)} will be removed, and ${numbers(blocked)} can continue`
    : `${numbers(value)} will be removed`;

function RemoveNumbers({ action, onClose }: { readonly action: Action; readonly onClose: () => void }) {
  const client = useQueryClient();
  const { notify, notifyError } = useNotices();
  const { id, numbers, blockedRows } = action;
  const remove = useMutation({
    mutationFn: () =>
      importRows({
        operation: 'cancel-port',
        fileName: `remove-${id.slice(0, 8)}.csv`,
        rows: numbers.map((number) => rowOf(action, number)),
        because: 'Removed in the console',
      }),
    onSuccess: ({ isApproved }) => {
      const header = isApproved
        ? removed(numbers.length, blockedRows)
        : `The removal of ${counted(numbers.length, 'number')} waits for approval`;
      notify({ type: isApproved ? 'success' : 'info', header });
    },
    onError: (error) => notifyError('The numbers were not removed', error),
    onSettled: () => {
      onClose();
      return client.invalidateQueries();
    },
  });
  return (
    <Dialog
      title={`Remove ${counted(numbers.length, 'number')}?`}
      onClose={onClose}
      confirm={{ text: 'Remove', run: () => remove.mutate(), isRunning: remove.isPending }}
    >
      {whatRemovalDoes(numbers.length, blockedRows)}
    </Dialog>
  );
}

type PacNumber = Action['numbers'][number];
const problemOf = ({ status, message }: PacNumber): string => `${status} ${message ?? ''}`;

/** A row names the row of the file to which it belongs: what is done with it is a part of that import. */
const rowOf = ({ id, importId }: Action, { msisdn, line }: PacNumber) => ({
  msisdn: `+${msisdn}`,
  portId: id,
  importId,
  line: String(line),
});

type NewPac = PacNumber & { readonly pac: string };

function useSendPacs(action: Action, onSent: (pacs: readonly NewPac[]) => void) {
  const { id, numbers } = action;
  const client = useQueryClient();
  const { notify, notifyError } = useNotices();
  /** What was wrong with each number whose PAC was sent: it is open again once something else is wrong. */
  const [sentNumbers, setSentNumbers] = useState<ReadonlyMap<string, string>>(new Map());
  const mutation = useMutation({
    mutationFn: (pacs: readonly NewPac[]) =>
      importRows({
        operation: 'update-port',
        fileName: `new-pacs-${id.slice(0, 8)}.csv`,
        rows: pacs.map((number) => ({ ...rowOf(action, number), pac: number.pac })),
        because: 'New PACs from the console',
      }),
    onSuccess: ({ isApproved }, pacs) => {
      const header = isApproved
        ? `${counted(pacs.length, 'new PAC')} sent. The network checks ${pacs.length === 1 ? 'it' : 'them'} within minutes.`
        : `${counted(pacs.length, 'new PAC')} uploaded. A person with the role "approver" must approve the import.`;
      notify({ type: isApproved ? 'success' : 'info', header });
      onSent(pacs);
      const problems = new Map(numbers.map((number) => [number.msisdn, problemOf(number)]));
      setSentNumbers(
        (before) => new Map([...before, ...pacs.map(({ msisdn }) => [msisdn, problems.get(msisdn) ?? ''] as const)]),
      );
    },
    onError: (error) => notifyError('The new PACs were not sent', error),
    onSettled: () => client.invalidateQueries(),
  });
  const isSent = (number: PacNumber): boolean => sentNumbers.get(number.msisdn) === problemOf(number);
  return { send: mutation.mutate, isSending: mutation.isPending, isSent };
}

interface TypedRows {
  readonly operation: UploadSettings['operation'];
  readonly fileName: string;
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly because: string;
}

const pollMs = 1_000;
const longestPlanningMs = 120_000;

interface ImportedRows {
  readonly importId: string;
  /** Otherwise a person with the role must approve it. */
  readonly isApproved: boolean;
}

/**
 * Imports a few rows that were typed here: uploads them as a CSV, waits for the plan and approves it.
 * @throws Error naming the first finding when a row is invalid: then nothing is sent
 */
async function importRows({ operation, fileName, rows, because }: TypedRows): Promise<ImportedRows> {
  const file = new File([toCsv(rows)], fileName, { type: 'text/csv' });
  const uploader = new Uploader(file, {
    settings: { operation, columnValues: {}, headerRow: 1 },
    onProgress: () => undefined,
  });
  const importId = await uploader.run();
  if (importId === undefined)
    throw new Error('The rows were uploaded, but not approved. Find their import in the list.');
  const item = await awaitPlan(importId);
  const [issue] = item.issues.filter(({ severity }) => severity === 'error');
  if (item.state === 'rejected' || item.rejected > 0)
    throw new Error(issue?.message ?? 'A row is invalid, so nothing was sent.');
  const { planHash } = await call('getPlan', { path: { importId } });
  if (planHash === null) throw new Error('The rows were uploaded, but not approved. Find their import in the list.');
  return { importId, isApproved: await approve(importId, planHash, because) };
}

async function approve(importId: string, planHash: string, because: string): Promise<boolean> {
  try {
    await call('approveImport', { path: { importId }, body: { planHash, because } });
    return true;
  } catch (error) {
    if (isProblem(error, 'role-required') || isProblem(error, 'second-person-required')) return false;
    throw error;
  }
}

async function awaitPlan(importId: string): Promise<Answer<'getImport'>> {
  const until = Date.now() + longestPlanningMs;
  while (Date.now() < until) {
    try {
      const item = await call('getImport', { path: { importId } });
      if (item.state !== 'planning') return item;
    } catch (error) {
      if (!isProblem(error, 'not-found')) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error('Checking takes longer than two minutes. Approve the import from the list when its plan is ready.');
}

function toCsv(rows: TypedRows['rows']): string {
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))].map((cells) => csvRow(cells)).join('');
}
