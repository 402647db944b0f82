// An empty state: what would be here, and how to begin.
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly text: string;
  readonly actions?: ReactNode;
}

export const Empty = ({ title, text, actions }: Props) => (
  <Box textAlign="center" padding={{ vertical: 'xxl', horizontal: 'm' }}>
    <SpaceBetween size="s">
      <Box variant="h2">{title}</Box>
      <Box color="text-body-secondary">{text}</Box>
      {actions !== undefined && (
        <Box padding={{ top: 's' }}>
          <div className="centred-actions">{actions}</div>
        </Box>
      )}
    </SpaceBetween>
  </Box>
);
