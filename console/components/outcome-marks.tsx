// How far numbers are: counts by outcome, outcomes, the states of imports, statuses of the service, and histories.

import Link from '@cloudscape-design/components/link';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { ImportState } from '#shared/import/import.ts';
import { describeWaitingParts } from '#shared/import/import-state.ts';
import {
  describeOutcomes,
  describeShare,
  type Outcome,
  type Outcomes,
  outcomeWords,
  sharesOf,
  succeeded,
} from '#shared/outcome/outcome.ts';
import { isBlocked, portStatus, rowStatus } from '#shared/port/port-status.ts';
import { count } from '#shared/text/wording.ts';
import type { ImportSummary } from '../api/answers.ts';
import { useNow, useSession } from '../app/session.tsx';
import { formatInstant } from '../text/format.ts';
import { numbers, states, statuses } from '../text/words.ts';

interface BarProps {
  readonly outcomes: Outcomes;
  readonly rows: number;
  readonly size?: 'large' | 'small';
}

/** One bar of numbers by outcome, with a legend in words. */
export function NumbersBar({ outcomes, rows, size = 'small' }: BarProps) {
  return (
    <div className={`bar ${size}`} role="img" aria-label={describeOutcomes(outcomes, rows)}>
      {sharesOf(outcomes).map((share) => (
        <span
          key={share.outcome}
          className={share.outcome}
          title={describeShare(share)}
          style={{ flexGrow: share.rows, flexBasis: 0 }}
        />
      ))}
    </div>
  );
}

export function NumbersLegend({ outcomes }: Pick<BarProps, 'outcomes'>) {
  return (
    <ul className="legend">
      {sharesOf(outcomes).map(({ outcome, word, rows: numbers }) => (
        <li key={outcome}>
          <span className={`mark ${outcome}`} aria-hidden="true" />
          <span>
            <b>{count(numbers)}</b> {word}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface OutcomeProps {
  readonly row: { readonly outcome: Outcome; readonly message: string | null };
}

/** The outcome of a number: its colour and its word. */
export const OutcomeMark = ({ row }: OutcomeProps) => (
  <span className="outcome">
    <span className={`mark ${row.outcome}`} aria-hidden="true" />
    {outcomeWords[row.outcome]}
    {isBlocked(row) && ', blocked'}
  </span>
);

const signs: Readonly<Record<ImportState, StatusIndicatorProps.Type>> = {
  planning: 'loading',
  planned: 'pending',
  rejected: 'error',
  submitting: 'in-progress',
  scheduled: 'pending',
  stopped: 'stopped',
  'in-progress': 'in-progress',
  finished: 'success',
};

interface StateProps {
  readonly item: {
    readonly state: ImportState;
    readonly asksHowToRead: boolean;
    readonly actionRequired: number;
    readonly outcomes: Outcomes;
  };
}

/** Finished is a success only where at least one number reached its aim. */
export function StateMark({ item: { state, asksHowToRead, actionRequired, outcomes } }: StateProps) {
  if (actionRequired > 0) {
    return (
      <StatusIndicator type="warning">{`${numbers(actionRequired)} require${actionRequired === 1 ? 's' : ''} action`}</StatusIndicator>
    );
  }
  if (asksHowToRead) return <StatusIndicator type="pending">Waiting for your answers</StatusIndicator>;
  const type = state === 'finished' && succeeded(outcomes) === 0 ? 'stopped' : signs[state];
  return <StatusIndicator type={type}>{states[state]}</StatusIndicator>;
}

/** `1 correction waits for approval` */
export function WaitingParts({ item: { waitingParts } }: { readonly item: Pick<ImportSummary, 'waitingParts'> }) {
  const text = describeWaitingParts(waitingParts);
  return text === '' ? null : <StatusIndicator type="pending">{text}</StatusIndicator>;
}

/** A status that is not known stays as the service wrote it. */
export function statusWords(name: string): string {
  const known = [portStatus(name), rowStatus(name)].find((status) => status.known);
  const words: Readonly<Record<string, string>> = statuses;
  return (known && words[known.label]) ?? name;
}

/** A status of the service in plain words. Its own name is in the tooltip. */
export const StatusText = ({ name }: { readonly name: string }) =>
  name === '' ? '–' : <span title={name}>{statusWords(name)}</span>;

interface CancelByProps {
  /** undefined, null: it can no longer be cancelled. */
  readonly at: string | null | undefined;
  /** @default - the time alone, below a label */
  readonly describe?: (at: string) => string;
}

/** Until when a port can be cancelled: a time, or any moment once the service may lock it. */
export function CancelBy({ at, describe = (text) => text }: CancelByProps) {
  const { zone } = useSession().environment;
  const now = useNow();
  if (at == null) return '–';
  return Date.parse(at) <= now ? 'The service can lock it at any time' : describe(formatInstant(at, zone));
}

/** Events in the order of time. */
export const Timeline = ({ children }: { readonly children: ReactNode }) => <ol className="timeline">{children}</ol>;

interface EventProps {
  readonly at: string;
  readonly children: ReactNode;
}

export function TimelineEvent({ at, children }: EventProps) {
  const { zone } = useSession().environment;
  return (
    <li>
      <time dateTime={at}>{formatInstant(at, zone)}</time>
      <div>{children}</div>
    </li>
  );
}

interface Entry {
  readonly at: string;
  readonly text: string;
  readonly note?: string | undefined;
  readonly href?: string;
}

/** What became of a number or a port. */
export const History = ({ entries }: { readonly entries: readonly Entry[] }) => (
  <Timeline>
    {entries.map(({ at, text, note, href }) => (
      <TimelineEvent key={`${at} ${text}`} at={at}>
        {href === undefined ? <b>{text}</b> : <Link href={href}>{text}</Link>}
        {note !== undefined && <span className="quiet"> {note}</span>}
      </TimelineEvent>
    ))}
  </Timeline>
);
