// Shows a failure of the console itself, and how to continue, instead of an empty page.
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { Component, type ReactNode } from 'react';
import { strings } from '../strings.ts';

interface Props {
  readonly children: ReactNode;
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
