// What an execution environment needs of a function of the template.
import { basename, dirname } from 'node:path';
import type { FunctionDefinition } from './lambda/environment.ts';
import type { FunctionPlan } from './template/blueprint.ts';

export interface FunctionContext {
  /** Bundles by the functions' source files. */
  readonly bundles: ReadonlyMap<string, string>;
  /** Variables of every function: endpoints, region and credentials for AWS clients, and those of the project. */
  readonly variables: Readonly<Record<string, string>>;
  /** Values of variables, for functions whose template has a variable of that name. */
  readonly knownVariables: Readonly<Record<string, string>>;
  /** The folder of compiled code: an environment that finds its bundle there starts in half the time. */
  readonly compileCache: string;
  /** The ARNs of the functions for whose answer a person waits: those of HTTP APIs. */
  readonly interactive: ReadonlySet<string>;
}

/** Short names for people, logs and files: the folder of the source file, or the full name where two share it. */
export const labelFunctions = (plans: readonly FunctionPlan[]): ReadonlyMap<FunctionPlan, string> => {
  const short = (plan: FunctionPlan): string => basename(dirname(plan.entry));
  const isShared = (label: string): boolean => plans.filter((plan) => short(plan) === label).length > 1;
  return new Map(plans.map((plan) => [plan, isShared(short(plan)) ? plan.name : short(plan)]));
};

export const defineFunction = (plan: FunctionPlan, label: string, context: FunctionContext): FunctionDefinition => {
  const known = Object.entries(context.knownVariables).filter(([name]) => name in plan.Environment.Variables);
  return {
    name: label,
    arn: plan.arn,
    bundle: context.bundles.get(plan.entry) ?? '',
    exported: plan.Handler.split('.').at(-1) ?? 'handler',
    timeoutMs: plan.Timeout * 1_000,
    memoryMb: plan.MemorySize,
    concurrency: plan.ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY,
    isInteractive: context.interactive.has(plan.arn),
    variables: {
      ...plan.Environment.Variables,
      ...Object.fromEntries(known),
      ...context.variables,
      AWS_LAMBDA_FUNCTION_NAME: plan.name,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(plan.MemorySize),
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      TZ: 'UTC',
      NODE_COMPILE_CACHE: context.compileCache,
    },
  };
};
