// What a screen shows before its data is here, and when it cannot be read.
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Spinner from '@cloudscape-design/components/spinner';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiUnavailable, isProblem } from '../api/errors.ts';
import { strings } from '../strings.ts';
import { describeError } from './problem-text.tsx';

interface Props<Data> {
  readonly read: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
  /** Shown where the thing does not exist. */
  readonly missing?: ReactNode;
}

export function Loaded<Data>({ read, children, missing }: Props<Data>) {
  if (read.data !== undefined) return <div className="sections">{children(read.data)}</div>;
  if (read.error === null) return <LoadingLine />;
  if (missing !== undefined && isProblem(read.error, 'not-found')) return missing;
  if (read.error instanceof ApiUnavailable) return <LoadingLine text={strings.loading.unavailable} />;
  return (
    <Alert
      type="error"
      header={strings.loading.failed}
      action={<Button onClick={() => void read.refetch()}>{strings.loading.tryAgain}</Button>}
    >
      {describeError(read.error)}
    </Alert>
  );
}

export const LoadingLine = ({ text = strings.loading.text }: { readonly text?: string }) => (
  <Box textAlign="center" padding="xl" color="text-body-secondary">
    <span role="status">
      <Spinner /> {text}
    </span>
  </Box>
);
