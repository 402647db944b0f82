// The stack of the porting simulator.
import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Configuration } from './settings.ts';
import { addSimulator } from './simulator.ts';

export interface SimulatorStackProps {
  readonly configuration: Pick<Configuration, 'stage' | 'retention' | 'deployment'>;
  /** Minutes by which the calendar of the ports advances, every five minutes. @default 0 */
  readonly advanceMinutes?: unknown;
}

export class SimulatorStack extends Stack {
  /** @throws Error where `advanceMinutes` is not a number of minutes */
  constructor(scope: Construct, id: string, { configuration, advanceMinutes }: SimulatorStackProps) {
    const { stage, retention, deployment } = configuration;
    super(scope, id, {
      description: `simporter (${stage}): the porting simulator`,
      tags: { product: 'simporter', stage },
      ...(deployment ? { env: deployment } : {}),
    });
    addSimulator(this, { logDays: retention.logDays, advanceMinutes });
  }
}
