// The messages between the emulator and an execution environment.

export interface InvokeMessage {
  readonly requestId: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  readonly event: unknown;
  /** How long the invocation may take before the environment is killed. */
  readonly remainingMs: number;
  /** What AWS clients of the function send as X-Amzn-Trace-Id. */
  readonly traceHeader: string;
}

export interface InvocationError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
}

export type EnvironmentMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'start-failed'; readonly error: InvocationError }
  | { readonly type: 'result'; readonly requestId: string; readonly payload: unknown; readonly peakRssKb: number }
  | { readonly type: 'error'; readonly requestId: string; readonly error: InvocationError; readonly peakRssKb: number };
