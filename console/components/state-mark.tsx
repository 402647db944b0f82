// The state of an import, as a word with a sign.
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { ImportState } from '#shared/import/import.ts';
import { type Outcomes, succeeded } from '#shared/outcome/outcome.ts';
import { strings } from '../strings.ts';

const types: Readonly<Record<ImportState, StatusIndicatorProps.Type>> = {
  planning: 'loading',
  planned: 'pending',
  rejected: 'error',
  submitting: 'in-progress',
  scheduled: 'pending',
  stopped: 'stopped',
  'in-progress': 'in-progress',
  finished: 'success',
};

interface Props {
  readonly item: {
    readonly state: ImportState;
    readonly actionRequired: number;
    readonly outcomes: Outcomes;
  };
}

/** Finished is a success only where at least one number reached its aim. */
export function StateMark({ item: { state, actionRequired, outcomes } }: Props) {
  if (actionRequired > 0) {
    return <StatusIndicator type="warning">{strings.imports.actionRequired(actionRequired)}</StatusIndicator>;
  }
  const type = state === 'finished' && succeeded(outcomes) === 0 ? 'stopped' : types[state];
  return <StatusIndicator type={type}>{strings.states[state]}</StatusIndicator>;
}
