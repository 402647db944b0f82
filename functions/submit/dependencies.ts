// Everything that submit is wired with.

import type { ActiveStop } from '#shared/import/import-state.ts';
import type { Operation, ValidationContext } from '#shared/operations/operation.ts';
import type { SnapshotSettings } from '#shared/pipeline/observe-port.ts';
import type { Clocks, Deadline } from '#shared/runtime/clock.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { Metrics } from '#shared/runtime/metrics.ts';
import type { PortingClient } from '#shared/service/client.ts';
import type { Numbers } from '#shared/store/numbers.ts';
import type { Plans } from '#shared/store/plans.ts';
import type { PortSnapshots, Ports } from '#shared/store/ports.ts';
import type { Queues } from '#shared/store/queues.ts';
import type { FindMove, Requests } from '#shared/store/requests.ts';
import type { OperationName } from '#shared/text/identity.ts';

export interface SubmitSettings extends SnapshotSettings {
  /** How long an attempt owns its request; longer than any invocation lasts. */
  readonly leaseMs: number;
  /** How long after an unknown outcome sync waits before it asks the service. */
  readonly quietMs: number;
  readonly callTimeoutMs: number;
  /** Sends a request again without the rows that the service names when it declines the request (spec gap 25). */
  readonly retryWithoutDeclined: boolean;
  readonly submitQueueUrl: string;
}

/** undefined: nobody has stopped the import. */
export type ReadStop = (importId: string) => Promise<ActiveStop | undefined>;

export interface SubmitDependencies {
  readonly requests: Requests;
  readonly numbers: Numbers;
  readonly ports: Ports;
  readonly snapshots: PortSnapshots;
  readonly plans: Plans;
  readonly queues: Queues;
  readonly client: PortingClient;
  /** Whether created ports are read at once; otherwise sync reads them. */
  readonly readsBack: () => boolean;
  /** Fresh for every batch of messages. */
  readonly validation: ValidationContext;
  /** Fresh for every batch of messages. */
  readonly findMove: FindMove;
  /** Fresh for every batch of messages. */
  readonly readStop: ReadStop;
  readonly operationNamed: (name: OperationName) => Operation | undefined;
  readonly settings: SubmitSettings;
  readonly clocks: Clocks;
  /** Called with the import whose port was changed by a request of another import. */
  readonly onImportChanged: (importId: string) => void;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly deadline: Deadline;
  readonly log: Log;
  readonly metrics: Metrics;
}
