// A question that must be answered: a button to confirm, which Enter presses, and one to go back.
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, type ReactNode, useId } from 'react';
import type { CommandProblem } from '../api/queries.ts';
import { ProblemText, titleOfFailure } from '../app/notices.tsx';

interface Props {
  readonly title: string;
  readonly confirm: {
    readonly text: string;
    readonly run: () => void;
    readonly isRunning: boolean;
    readonly isDisabled?: boolean;
  };
  /** Why the command failed. */
  readonly problem?: CommandProblem | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog({ title, confirm, problem, onClose, children }: Props) {
  const form = useId();
  const { text, run, isRunning, isDisabled = false } = confirm;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A dialog may be a part of another form.
    event.stopPropagation();
    if (!isRunning && !isDisabled) run();
  };
  return (
    <Modal
      visible
      header={title}
      closeAriaLabel="Close"
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" formAction="none" onClick={onClose}>
              Go back
            </Button>
            <Button variant="primary" formAction="submit" form={form} disabled={isDisabled} loading={isRunning}>
              {text}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <form id={form} onSubmit={submit}>
        <SpaceBetween size="m">
          {children}
          {problem && (
            <Alert type="error" header={titleOfFailure(problem.header, problem.error)}>
              <ProblemText error={problem.error} />
            </Alert>
          )}
        </SpaceBetween>
      </form>
    </Modal>
  );
}
