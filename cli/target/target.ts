// Where a command works: a deployed stack, the running local emulator, or an emulator that ends with the command.
import type { S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type {
  CommandMessage,
  ExamineAnswer,
  ListPortsAnswer,
  Resolution,
  ResolveAnswer,
  SyncAnswer,
} from '#shared/request/messages.ts';
import type { AccountReader } from '#shared/store/account.ts';
import type { DeadLetters } from '#shared/store/dead-letters.ts';
import type { Audit } from '#shared/store/people.ts';
import type { Comparisons } from '#shared/store/ports.ts';
import type { CliContext } from '../context/cli-context.ts';
import type { Resources } from './stack-outputs.ts';

export interface Target extends AccountReader {
  /** temporary: an emulator that this command started, and that ends with it. */
  readonly kind: 'stack' | 'emulator' | 'temporary';
  /** The porting service is a simulator: nothing reaches a network. */
  readonly simulated: boolean;
  /** Whether the calendar of a running emulator is paused, so that no port moves until a person acts. */
  readonly isPaused?: () => Promise<boolean>;
  readonly resources: Resources;
  readonly s3: S3Client;
  readonly table: DynamoDBDocumentClient;
  readonly deadLetters: DeadLetters;
  readonly comparisons: Comparisons;
  readonly audit: Audit;
  /** Erases what deleted items left in the files of the databases of a running emulator. */
  readonly eraseDeletedBytes?: () => Promise<void>;
  /** Sends ingest the command of a person about an import. */
  command(message: CommandMessage): Promise<void>;
  /** Runs sync with a new access token and waits for its end. */
  sync(): Promise<SyncAnswer>;
  /** Makes sync examine the service. `busy`: another run of sync is in progress. */
  examine(): Promise<ExamineAnswer | 'busy'>;
  /** Makes sync resolve a request. `busy`: another run of sync is in progress. */
  resolve(resolution: Resolution): Promise<ResolveAnswer | 'busy'>;
  /** Makes sync read the list of ports. `busy`: another run of sync is in progress. */
  listPorts(): Promise<ListPortsAnswer | 'busy'>;
  close(): void;
}

/** What a command works with once its target is open. */
export interface Session extends CliContext {
  readonly target: Target;
}

export function createSession(context: CliContext, target: Target): Session {
  if (target.simulated) noteSimulator(context);
  return { ...context, target };
}

/** Every screen of a simulator begins with it. */
export function noteSimulator({ json, terminal: { note, notePaint } }: CliContext): void {
  if (!json) note(notePaint('yellow', 'SIMULATOR: the porting service is simulated, no number is ported.'));
}
