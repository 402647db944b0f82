// The porting simulator as a construct.
import { Construct } from 'constructs';
import { setFeatureFlags } from '#infra/cdk-conventions.ts';
import { addSimulator } from '#infra/simulator.ts';
import { requireOwnStack } from './own-stack.ts';

export interface SimulatorProps {
  /** How many days logs are kept. @default 30 */
  readonly logDays?: 1 | 3 | 5 | 7 | 14 | 30 | 60 | 90 | 180 | 365;
  /** Minutes by which the calendar of the ports advances every five minutes, 0 to 1440. @default 0 */
  readonly advanceMinutes?: number;
}

/** The porting simulator behind an HTTP API, in a stack without other constructs of this package. */
export class Simulator extends Construct {
  /** `service.baseUrl` of a pipeline. */
  readonly url: string;
  /** `service.accountId` of a pipeline. */
  readonly accountId: number;

  constructor(scope: Construct, id: string, { logDays = 30, advanceMinutes = 0 }: SimulatorProps = {}) {
    super(scope, id);
    requireOwnStack(this);
    setFeatureFlags(this);
    const { baseUrl, accountId } = addSimulator(this, { logDays, advanceMinutes });
    this.url = baseUrl;
    this.accountId = accountId;
  }
}
