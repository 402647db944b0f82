// Shows a failure of the console itself, and how to continue, instead of an empty page.
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { Component, type ReactNode } from 'react';
import { strings } from '../strings.ts';
import { isNotLoaded, NotLoaded } from './load-screen.tsx';

interface Props {
  readonly children: ReactNode;
  /** Shown instead of the failure: the screen works without the children. */
  readonly failed?: null;
  /** Another key, such as the address, shows the children again. */
  readonly resetKey?: string;
}

export class ErrorBoundary extends Component<Props, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidUpdate(previous: Props) {
    if (previous.resetKey !== this.props.resetKey && this.state.error !== undefined)
      this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (this.props.failed === null) return null;
    if (isNotLoaded(error)) return <NotLoaded />;
    return (
      <Alert
        type="error"
        header={strings.failure.title}
        action={<Button onClick={() => location.reload()}>{strings.failure.reload}</Button>}
      >
        {strings.failure.text(error.message)}
      </Alert>
    );
  }
}
