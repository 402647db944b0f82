// What every function that calls the porting service is wired with.
import type { CallPriority } from '#shared/domain/requests/rate-limit.ts';
import { createAwsClients } from '#shared/store/clients.ts';
import { clockVariables, createClocks } from '../clocks.ts';
import type { Environment } from '../config.ts';
import { createLog } from '../logger.ts';
import { createMetrics } from '../metrics.ts';
import type { FunctionSettings } from '../settings.ts';
import { portingVariables, wirePortingClient } from './porting-client.ts';

export const callingVariables = [...portingVariables, ...clockVariables] as const;

export function wireCallingFunction(
  environment: Pick<Environment, (typeof callingVariables)[number]>,
  settings: FunctionSettings,
  service: string,
  priority?: CallPriority,
) {
  const log = createLog({ service });
  const metrics = createMetrics({ service });
  const clients = createAwsClients(process.env);
  return {
    ...{ log, metrics, clients },
    clocks: createClocks(environment),
    ...wirePortingClient(environment, settings, clients.table, { log, metrics, priority }),
  };
}
