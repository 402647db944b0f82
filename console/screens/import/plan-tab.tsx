// What the import sends, in how many requests, on which day and why; and its approval.
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { columnLabel, count, counted } from '#shared/text/wording.ts';
import type { Answer, ImportDetails } from '../../api/answers.ts';
import { useCommand, useRead } from '../../api/queries.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay, useSession } from '../../app/session.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Loaded } from '../../components/screen.tsx';
import { numbers } from '../../text/words.ts';
import { PassedDays } from './passed-days.tsx';
import { PlanNumbers } from './plan-numbers.tsx';

type Plan = Answer<'getPlan'>;

export default function PlanTab({ item }: { readonly item: ImportDetails }) {
  const read = useRead('getPlan', { path: { importId: item.importId } });
  return <Loaded read={read}>{(plan) => <PlanView item={item} plan={plan} />}</Loaded>;
}

function describeSizes(sizes: readonly number[]): string {
  const largest = Math.max(0, ...sizes);
  return sizes.length <= 1 ? `1 of ${count(largest)}` : `${count(sizes.length)}, at most ${count(largest)} each`;
}

/** A button promises nothing that may be skipped. */
const atMost = (rows: number, mayBeSkipped: number): string => `${mayBeSkipped === 0 ? '' : 'up to '}${numbers(rows)}`;

function PlanView({ item, plan }: { readonly item: ImportDetails; readonly plan: Plan }) {
  const [isAsking, setAsking] = useState(false);
  const { isBeingSent, setApproved } = useApproval(item);
  const more = plan.groupCount - plan.groups.length;
  return (
    <SpaceBetween size="m">
      {item.state === 'planned' && item.declinedApproval !== null && (
        <Alert type="error" header="Nothing was sent">
          {`The approval by ${item.declinedApproval.by} was declined: ${item.declinedApproval.reason}.`}
        </Alert>
      )}
      <PassedDays plan={plan} />
      {plan.state === 'planned' && <ValuesForAll item={item} />}
      {plan.warnings.map((warning) => (
        <PlanWarning key={warning.code} warning={warning} />
      ))}
      <Table
        variant="container"
        wrapLines
        items={plan.groups}
        trackBy={({ group }) => group}
        header={
          <Header
            variant="h2"
            counter={`(${count(plan.groupCount)})`}
            description={`${numbers(plan.rows)} in ${counted(plan.requestCount, 'request')}`}
            actions={
              plan.state === 'planned' &&
              (isBeingSent ? (
                <StatusIndicator type="in-progress">Approved, being sent</StatusIndicator>
              ) : (
                <ApproveButton plan={plan} onClick={() => setAsking(true)} />
              ))
            }
          >
            What will be sent
          </Header>
        }
        empty={
          <Box>
            {isExpired(plan)
              ? 'The plan has expired. Upload the file again.'
              : 'The plan is empty: no number of the file is valid.'}
          </Box>
        }
        footer={more > 0 && `${counted(more, 'more group')} with fewer numbers`}
        columnDefinitions={groupColumns}
      />
      {plan.state === 'planned' && plan.rows > 0 && <PlanNumbers item={item} />}
      {isAsking && <ApproveDialog item={item} plan={plan} onApproved={setApproved} onClose={() => setAsking(false)} />}
    </SpaceBetween>
  );
}

function ApproveButton({ plan, onClick }: { readonly plan: Plan; readonly onClick: () => void }) {
  const reason = useReasonNotToApprove(plan);
  return (
    <Button
      variant="primary"
      disabled={reason !== undefined}
      {...(reason === undefined ? {} : { disabledReason: reason })}
      onClick={onClick}
    >
      {`Approve ${atMost(plan.rows, plan.mayBeSkipped)}`}
    </Button>
  );
}

const groupColumns: TableProps.ColumnDefinition<Plan['groups'][number]>[] = [
  {
    id: 'group',
    header: 'Numbers with the same',
    cell: (group) => <Group {...group} />,
    isRowHeader: true,
    minWidth: 220,
  },
  { id: 'rows', header: 'Numbers', cell: ({ rows }) => count(rows) },
  { id: 'requests', header: 'Requests', cell: ({ requestRows }) => describeSizes(requestRows) },
  { id: 'reason', header: 'Why this date', cell: (group) => whyThisDate(group), minWidth: 220 },
];

/** A change of a port, a text or a bundle has no date. */
function whyThisDate({ dateReason, samples }: Plan['groups'][number]): string {
  const hasDate = samples.some(({ values }) => values.some(({ name }) => name === 'connectionDate'));
  return dateReason ?? (hasDate ? 'As in the file' : '–');
}

const shownSamples = 3;

/** With what exactly its first rows are sent: the whole text of a message, the order, the tariff and the day. */
function Group({ group, samples }: Plan['groups'][number]) {
  const more = samples.length - shownSamples;
  return (
    <>
      {group}
      {samples.slice(0, shownSamples).map(({ values, rows }) => (
        <Box key={rows[0]?.line} color="text-body-secondary">
          <span className="cell-text">
            {values.map(({ name, value }) => `${columnLabel(name)}: ${value}`).join(' · ')}
          </span>
          <div>{rows.map(({ line, subject }) => `Line ${count(line)}: ${subject}`).join(' · ')}</div>
        </Box>
      ))}
      {more > 0 && <Box color="text-body-secondary">{`and ${counted(more, 'other content')}`}</Box>}
    </>
  );
}

/** What nobody sees in the file itself. */
function ValuesForAll({ item: { columnValues, meanings, readWith } }: { readonly item: ImportDetails }) {
  const said = Object.entries(meanings).flatMap(([column, values]) =>
    Object.entries(values).map(([value, means]) => `${columnLabel(column)}: "${value}" is ${means}`),
  );
  const values = Object.entries(columnValues).map(([name, value]) => `${columnLabel(name)}: ${value}`);
  if (values.length + said.length === 0) return null;
  const isOnlySaid = values.length === 0;
  return (
    <Alert type="info" header={isOnlySaid ? 'What values of the file mean' : 'The same for every row'}>
      <ul className="plain-list">
        {[...values, ...said].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {readWith !== null && `The file was read with the saved settings "${readWith.name}".`}
    </Alert>
  );
}

/** The import changes a moment after its approval, or the approval is declined. */
function useApproval({ declinedApproval }: ImportDetails) {
  const [approved, setApproved] = useState<{ readonly declinedAt: string | undefined }>();
  return {
    isBeingSent: approved !== undefined && approved.declinedAt === declinedApproval?.at,
    setApproved: () => setApproved({ declinedAt: declinedApproval?.at }),
  };
}

/** A file without a valid number never had a plan. */
const isExpired = ({ planHash, rows }: Plan): boolean => planHash === null && rows > 0;

const describeLines = (lines: readonly number[], message: string) =>
  `${lines.length === 1 ? 'Line' : 'Lines'} ${lines.map(count).join(', ')}: ${message}`;

/** The numbers that it is about, before they are approved. */
function PlanWarning({ warning: { code, rows, messages } }: { readonly warning: Plan['warnings'][number] }) {
  const [first] = messages;
  const others = rows - messages.reduce((sum, { lines }) => sum + lines.length, 0);
  if (isOfFile(code, messages))
    return (
      <Alert type="warning" header="Warning about the file">
        <ul className="plain-list">
          {messages.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      </Alert>
    );
  return (
    <Alert type="warning" header={`Warning about ${numbers(rows)}`}>
      {first !== undefined && rows === 1 ? (
        describeLines(first.lines, first.message)
      ) : (
        <ExpandableSection headerText={first?.message ?? ''}>
          <ul className="plain-list">
            {messages.map(({ message, lines }) => (
              <li key={message}>{describeLines(lines, message)}</li>
            ))}
            {others > 0 && <li>{`and ${numbers(others)} more`}</li>}
          </ul>
        </ExpandableSection>
      )}
    </Alert>
  );
}

type Messages = Plan['warnings'][number]['messages'];

/** Its line is the header, or the first of many rows. */
const isOfFile = (code: string, messages: Messages): boolean =>
  /^(?:FILE|HEADER)_/.test(code) || messages.every(({ lines }) => lines.every((line) => line === 0));

function useReasonNotToApprove(plan: Plan): string | undefined {
  const mayApprove = useMay('approver');
  if (!mayApprove) return 'The role "approver" is required';
  if (plan.rows === 0) return 'No number of the file is valid';
  if (isExpired(plan)) return 'The plan has expired. Upload the file again';
  return plan.reasonNotToApprove ?? undefined;
}

interface ApproveProps {
  readonly item: ImportDetails;
  readonly plan: Answer<'getPlan'>;
  readonly onApproved: () => void;
  readonly onClose: () => void;
}

function whatIsSent({ simulated, rows, mayBeSkipped, requests }: WhatIsSent): string {
  const what = atMost(rows, mayBeSkipped);
  const begin = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  const calls = counted(requests, 'request');
  return simulated
    ? `${begin} will be sent to the simulator in ${calls}. Nothing reaches a network.`
    : `${begin} will be sent to the porting service in ${calls}.`;
}

interface WhatIsSent {
  readonly simulated: boolean;
  readonly rows: number;
  readonly mayBeSkipped: number;
  readonly requests: number;
}

/** Asks before numbers are sent. The approval names the plan that the person saw: another one is declined. */
function ApproveDialog({ item, plan, onApproved, onClose }: ApproveProps) {
  const [because, setBecause] = useState('');
  // What the person read when the dialog opened, whatever happens to the plan behind it.
  const [seen] = useState(plan);
  const { simulated } = useSession().environment;
  const { notify } = useNotices();
  const approve = useCommand('approveImport', {
    failed: 'The plan was not approved',
    onSuccess: ({ rows }) => {
      notify({ type: 'success', header: `Approved: ${numbers(rows)} will be sent` });
      onApproved();
      onClose();
    },
    isInDialog: true,
  });
  const { rejected: invalid = 0 } = item.outcomes;
  const { rows, mayBeSkipped, requestCount } = seen;
  const run = () =>
    approve.run({
      path: { importId: item.importId },
      body: { planHash: seen.planHash ?? '', ...(because.trim() === '' ? {} : { because: because.trim() }) },
    });
  return (
    <Dialog
      title={`Send ${atMost(rows, mayBeSkipped)}?`}
      onClose={onClose}
      problem={approve.problem}
      confirm={{ text: 'Approve and send', run, isRunning: approve.isRunning }}
    >
      <SpaceBetween size="m">
        <div className="dialog-text">
          <div>{whatIsSent({ simulated, rows, mayBeSkipped, requests: requestCount })}</div>
          {mayBeSkipped > 0 && <div>{`${numbers(mayBeSkipped)} may be skipped: the plan says why.`}</div>}
          {invalid > 0 && (
            <div>{`${numbers(invalid)} with errors will not be sent. You can fix them now or later.`}</div>
          )}
        </div>
        <PassedDays plan={seen} />
        <FormField label="Note for the history (optional)">
          <Input value={because} onChange={({ detail }) => setBecause(detail.value.slice(0, 200))} />
        </FormField>
      </SpaceBetween>
    </Dialog>
  );
}
