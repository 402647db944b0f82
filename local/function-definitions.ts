// From what the template says about functions to what an execution environment needs.
import { basename, dirname } from 'node:path';
import type { Calendar } from './calendar.ts';
import type { FunctionDefinition } from './lambda/environments.ts';
import type { PortingServiceAccess } from './porting-service.ts';
import type { FunctionPlan } from './template/blueprint.ts';

export interface FunctionSurroundings {
  readonly bundles: ReadonlyMap<string, string>;
  /** Endpoints, region and credentials for AWS clients. */
  readonly awsEnvironment: Readonly<Record<string, string>>;
  readonly calendar: Calendar;
  readonly service: PortingServiceAccess | undefined;
  /** Folder of compiled code: an environment that finds its bundle there starts in half the time. */
  readonly compileCache: string;
}

/** Short names for people, logs and files: the folder of the entry (`ingest`), the full name where two share one. */
export const labelFunctions = (plans: readonly FunctionPlan[]): ReadonlyMap<FunctionPlan, string> => {
  const short = (plan: FunctionPlan): string => basename(dirname(plan.entry));
  const shared = (label: string): boolean => plans.filter((plan) => short(plan) === label).length > 1;
  return new Map(plans.map((plan) => [plan, shared(short(plan)) ? plan.name : short(plan)]));
};

/** Whether the function talks to the porting service: the template gives it a place for the address. */
export const usesPortingService = ({ Environment }: FunctionPlan): boolean =>
  'SERVICE_BASE_URL' in Environment.Variables;

const serviceVariables = (plan: FunctionPlan, service: PortingServiceAccess | undefined): Record<string, string> =>
  service === undefined || !usesPortingService(plan)
    ? {}
    : {
        SERVICE_BASE_URL: service.baseUrl,
        SERVICE_AUTH_URL: service.authUrl,
        SERVICE_ACCOUNT_ID: String(service.accountId),
      };

export const defineFunction = (plan: FunctionPlan, label: string, around: FunctionSurroundings): FunctionDefinition => {
  const bundle = around.bundles.get(label);
  if (bundle === undefined) throw new Error(`There is no bundle for the function ${label}`);
  return {
    name: label,
    arn: plan.arn,
    bundle,
    exported: plan.Handler.split('.').at(-1) ?? 'handler',
    timeoutMs: plan.Timeout * 1_000,
    memoryMb: plan.MemorySize,
    concurrency: plan.ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY,
    variables: {
      ...plan.Environment.Variables,
      ...serviceVariables(plan, around.service),
      ...around.awsEnvironment,
      AWS_LAMBDA_FUNCTION_NAME: plan.name,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(plan.MemorySize),
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      CALENDAR_ORIGIN: String(around.calendar.origin),
      CALENDAR_SPEED: String(around.calendar.speed),
      TZ: 'UTC',
      NODE_COMPILE_CACHE: around.compileCache,
    },
  };
};
