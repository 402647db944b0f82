// What the import sends, in how many requests, on which day and why; and its approval.

import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { count } from '#shared/text/wording.ts';
import { useRead } from '../../api/queries.ts';
import type { Answer, ImportDetails } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { strings } from '../../strings.ts';
import { ApproveDialog } from './approve-dialog.tsx';

type Plan = Answer<'getPlan'>;

export default function PlanTab({ item }: { readonly item: ImportDetails }) {
  const read = useRead('getPlan', { path: { importId: item.importId } });
  return <Loaded read={read}>{(plan) => <PlanView item={item} plan={plan} />}</Loaded>;
}

function PlanView({ item, plan }: { readonly item: ImportDetails; readonly plan: Plan }) {
  const [isAsking, setAsking] = useState(false);
  const { isBeingSent, setApproved } = useApproval(item);
  const text = strings.plan;
  const reason = useReasonNotToApprove(plan);
  const more = plan.groupCount - plan.groups.length;
  return (
    <SpaceBetween size="m">
      {item.state === 'planned' && item.declinedApproval !== null && (
        <Alert type="error" header={text.declined.title}>
          {text.declined.text(item.declinedApproval.by, item.declinedApproval.reason)}
        </Alert>
      )}
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
            description={text.summary(plan.rows, plan.requestCount)}
            actions={
              plan.state === 'planned' &&
              (isBeingSent ? (
                <StatusIndicator type="in-progress">{text.beingSent}</StatusIndicator>
              ) : (
                <Button
                  variant="primary"
                  disabled={reason !== undefined}
                  {...(reason === undefined ? {} : { disabledReason: reason })}
                  onClick={() => setAsking(true)}
                >
                  {text.approve(plan.rows)}
                </Button>
              ))
            }
          >
            {text.title}
          </Header>
        }
        empty={<Box>{isExpired(plan) ? text.expired : text.empty}</Box>}
        footer={more > 0 && text.more(more)}
        columnDefinitions={[
          { id: 'group', header: text.group, cell: ({ group }) => group, isRowHeader: true, minWidth: 220 },
          { id: 'rows', header: text.numbers, cell: ({ rows }) => count(rows) },
          { id: 'requests', header: text.requests, cell: ({ requestRows }) => text.sizes(requestRows) },
          { id: 'reason', header: text.date, cell: ({ dateReason }) => dateReason ?? text.asInFile, minWidth: 220 },
        ]}
      />
      {isAsking && <ApproveDialog item={item} plan={plan} onApproved={setApproved} onClose={() => setAsking(false)} />}
    </SpaceBetween>
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

/** The numbers that it is about, before they are approved. */
function PlanWarning({ warning: { rows, messages } }: { readonly warning: Plan['warnings'][number] }) {
  const text = strings.plan;
  const [first] = messages;
  const others = rows - messages.reduce((sum, { lines }) => sum + lines.length, 0);
  return (
    <Alert type="warning" header={text.warning(rows)}>
      {first !== undefined && rows === 1 ? (
        text.lines(first.lines, first.message)
      ) : (
        <ExpandableSection headerText={first?.message ?? ''}>
          <ul className="plain-list">
            {messages.map(({ message, lines }) => (
              <li key={message}>{text.lines(lines, message)}</li>
            ))}
            {others > 0 && <li>{text.otherRows(others)}</li>}
          </ul>
        </ExpandableSection>
      )}
    </Alert>
  );
}

function useReasonNotToApprove(plan: Plan): string | undefined {
  const mayApprove = useMay('approver');
  const { reasons } = strings.plan;
  if (!mayApprove) return reasons.role;
  if (plan.rows === 0) return reasons.empty;
  if (isExpired(plan)) return reasons.expired;
  return plan.reasonNotToApprove ?? undefined;
}
