// What the local emulator takes, and what it offers while it runs.

import type { Endpoints } from './data-folder.ts';
import type { ReadClaims } from './http/http-api.ts';
import type { AccessKey } from './http/signature.ts';
import type { Outcome } from './lambda/environment.ts';
import type { FunctionStatus } from './lambda/environments.ts';
import type { Log } from './logs.ts';
import type { Calendar, RunningCalendar } from './running-calendar.ts';
import type { Template } from './template/template.ts';

export interface EmulatorOptions {
  readonly project: Project;
  /** The stacks to run: their templates, or the CDK app that makes them. */
  readonly stacks: readonly Template[] | CdkApp;
  /** Variables for every function, which may depend on the calendar, or name its file. @default - none */
  readonly variables?:
    | ((calendar: Calendar & { readonly file: string }) => Readonly<Record<string, string>>)
    | undefined;
  /** Starts a program beside the functions. @default - there is none */
  readonly startOtherService?: ((context: OtherServiceContext) => Promise<OtherService>) | undefined;
  /** Where everything is kept between runs. @default - a temporary folder that is removed with the emulator */
  readonly directory?: string | undefined;
  /** Keeps messages, items and the data of the other service in memory. @default - true without a directory */
  readonly memory?: boolean | undefined;
  /** How much faster than wall time the calendar runs. @default - as in the last run on this folder, or 1 */
  readonly speed?: number | undefined;
  /** Takes every log line. @default - files in the folder `logs` */
  readonly log?: Log | undefined;
  /** Takes what a person should know, such as a program that is started again. @default - only the log takes it */
  readonly report?: ((line: string) => void) | undefined;
  /** The most invocations at one time. @default - four for each processor: most wait for an answer */
  readonly capacity?: number | undefined;
  /** How long a batch stays hidden after its function failed. @default - the queue's visibility timeout, as on AWS */
  readonly redeliverAfterMs?: number | undefined;
  /** Web pages that may call the AWS services, by their origins. @default - those of the template's HTTP APIs */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Reads the bearer tokens of the template's HTTP APIs with a JWT authorizer. @default - every token is declined */
  readonly readClaims?: ReadClaims | undefined;
  /** `AWS_ENDPOINT_URL_DYNAMODB` in it replaces the embedded DynamoDB, by one without TLS. @default process.env */
  readonly callerEnvironment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The only key that the AWS services accept; it is in `environment`. @default - any key, and unsigned requests */
  readonly accessKey?: AccessKey | undefined;
  /** Ends a start that is under way. A running emulator ends by `stop` only. */
  readonly signal?: AbortSignal | undefined;
}

export interface EmulatorStatus {
  readonly functions: Readonly<Record<string, FunctionStatus>>;
  readonly queues: Readonly<
    Record<string, { readonly ready: number; readonly delayed: number; readonly inFlight: number }>
  >;
}

export interface Emulator {
  readonly directory: string;
  readonly endpoints: Endpoints;
  /** The address of each HTTP API, by its id. */
  readonly httpApiEndpoints: Readonly<Record<string, string>>;
  /** The CfnOutputs of all stacks. */
  readonly outputs: Readonly<Record<string, string>>;
  /** What an AWS client needs in its environment to work with the emulator. */
  readonly environment: Readonly<Record<string, string>>;
  /** As it was at the start. */
  readonly calendar: Calendar;
  readonly runningCalendar: RunningCalendar;
  /** Invokes a function, named by its logical id, its name, its ARN or the folder of its source file. */
  invoke(functionName: string, event: unknown): Promise<Outcome>;
  status(): EmulatorStatus;
  /** Kills the execution environments, as a crash would. */
  killEnvironments(signal?: NodeJS.Signals): void;
  /** Moves the time of the embedded queues forward, so that hours of delays pass in a test. */
  advanceQueues(milliseconds: number): void;
  stop(): Promise<void>;
}

/** What the other service gets: the AWS services already answer, and no function runs yet. */
export interface OtherServiceContext {
  /** Its calendar (see running-calendar.ts). */
  readonly calendarFile: string;
  /** What AWS clients need to reach the embedded services. */
  readonly environment: Readonly<Record<string, string>>;
  /** Nothing is kept after the emulator has stopped. */
  readonly memory: boolean;
  /** TCP ports of the last run on the folder, by name. */
  readonly tcpPorts: Readonly<Record<string, number>>;
  readonly log: Log;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal | undefined;
}

/** A program beside the functions, such as the service that they call. The emulator does not start it. */
export interface OtherService {
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

export interface Project {
  /** The folder that the other paths are relative to. */
  readonly root: string;
  /** The template metadata of a function that names its source file. */
  readonly entryMetadata: string;
  /** The files and folders that decide what the app and the functions are: when one changes, both are built again. */
  readonly sources: readonly string[];
  /** The source files of functions that the app is expected to have: they are bundled while it makes its templates. */
  readonly entries: readonly string[];
  /** Bundles that were made before, by source file, or what makes them. */
  readonly bundles: ReadonlyMap<string, string> | WriteBundles;
  /** The folder of templates, bundles and compiled code that later starts use again. */
  readonly cacheDirectory: string;
}

/** Writes `<directory>/<name>/index.mjs` for each source file in `entries`, relative to `root` or absolute. */
export type WriteBundles = (request: {
  readonly root: string;
  readonly entries: Readonly<Record<string, string>>;
  readonly directory: string;
}) => Promise<void>;

/** A CDK app, which makes the templates. */
export interface CdkApp {
  readonly program: string;
  readonly context: Readonly<Record<string, unknown>>;
}
