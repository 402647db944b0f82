// What submit works with.
import type { Looks } from '#shared/aws/looks.ts';
import type { Numbers } from '#shared/aws/numbers.ts';
import type { Plans } from '#shared/aws/plans.ts';
import type { Ports } from '#shared/aws/ports.ts';
import type { Queues } from '#shared/aws/queues.ts';
import type { Requests } from '#shared/aws/requests.ts';
import type { OperationName } from '#shared/domain/operation-name.ts';
import type { AccountSettings, JudgeContext, Operation } from '#shared/operations/operation.ts';
import type { PortingClient } from '#shared/porting/client.ts';
import type { InTurn } from '#shared/porting/in-turn.ts';
import type { Clocks } from '#shared/runtime/clock.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { Metrics } from '#shared/runtime/metrics.ts';

export interface SubmitSettings {
  readonly account: number;
  readonly rules: AccountSettings;
  /** The hour at which the service locks the next working day's ports. @default 16 */
  readonly lockingHour?: number | undefined;
  /** How long an attempt owns its request; longer than any invocation lasts. */
  readonly leaseMs: number;
  /** How long after an unknown outcome the service is left alone before it is asked. */
  readonly quietMs: number;
  readonly callTimeoutMs: number;
  /** Whether a port that is refused for rows which the service names is asked for once more without them (decision 25). */
  readonly retryWithoutRefused: boolean;
  readonly submitQueueUrl: string;
}

export interface SubmitParts {
  readonly requests: Pick<Requests, 'get' | 'replace'>;
  readonly numbers: Pick<Numbers, 'claim' | 'takeOver' | 'get'>;
  readonly ports: Pick<Ports, 'get' | 'rows'>;
  readonly looks: Looks;
  readonly plans: Plans;
  readonly queues: Queues;
  readonly client: PortingClient;
  /** Whatever calls the service does so in here: of the messages of one batch, one calls at a time. */
  readonly inTurn: InTurn;
  /** Fresh for every batch of messages. */
  readonly judge: JudgeContext;
  readonly operationNamed: (name: OperationName) => Operation | undefined;
  readonly settings: SubmitSettings;
  readonly clocks: Clocks;
  /** Hears of the import whose port was changed by a request of another. */
  readonly alsoChanged: (importId: string) => void;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Milliseconds this invocation may still take. */
  readonly remainingMs: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
}
