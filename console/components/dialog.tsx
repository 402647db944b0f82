// A question that must be answered: a button to confirm, and one to cancel.
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { strings } from '../strings.ts';

interface Props {
  readonly title: string;
  readonly confirm: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export const Dialog = ({ title, confirm, onClose, children }: Props) => (
  <Modal
    visible
    header={title}
    closeAriaLabel={strings.dialog.close}
    onDismiss={onClose}
    footer={
      <Box float="right">
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" onClick={onClose}>
            {strings.dialog.cancel}
          </Button>
          {confirm}
        </SpaceBetween>
      </Box>
    }
  >
    {children}
  </Modal>
);
