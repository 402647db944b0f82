// What the engine and an execution environment say to each other over IPC.

export interface InvokeMessage {
  readonly requestId: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  readonly event: unknown;
  /** Epoch milliseconds at which the invocation will be killed. */
  readonly deadline: number;
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
