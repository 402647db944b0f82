// A program beside the functions, such as the service that they call. Whoever starts the emulator starts it too.
import type { Log } from './logs.ts';

/** What a sidecar gets: the AWS services already answer, and no function runs yet. */
export interface SidecarContext {
  /** Its calendar (see running-calendar.ts). */
  readonly calendarFile: string;
  /** What AWS clients need to reach the embedded services. */
  readonly environment: Readonly<Record<string, string>>;
  /** Nothing is kept after the emulator has stopped. */
  readonly memory: boolean;
  /** TCP ports of the last run on the folder, by name. */
  readonly tcpPorts: Readonly<Record<string, number>>;
  readonly log: Log;
  /** Takes what a person should know. */
  readonly report: (line: string) => void;
  /** Ends a start that is under way. */
  readonly signal: AbortSignal | undefined;
}

export interface Sidecar {
  /** Addresses for the command line, beside those of the AWS services. */
  readonly endpoints: Readonly<Record<string, string>>;
  /** TCP ports that the next run should use again, by name. */
  readonly tcpPorts: Readonly<Record<string, number>>;
  /** Values of environment variables, for functions whose template has a variable of that name. */
  readonly variables: Readonly<Record<string, string>>;
  /** Values of secrets, by the environment variable in which the template gives a function the secret's ARN. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Values in place of those of the template's outputs. */
  readonly outputs: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}
