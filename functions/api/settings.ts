// The settings of the API on AWS, from the environment variables of its functions.
import type { Environment, EnvironmentName } from '#shared/runtime/config.ts';
import type { FunctionSettings } from '#shared/runtime/settings.ts';
import type { ApiSettings } from './context.ts';

export const settingsVariables = [
  'ENVIRONMENT_NAME',
  'ENVIRONMENT_KIND',
  'ENVIRONMENT_COLOUR',
  'SIMULATED',
  'RESULTS_BUCKET',
  'WORK_BUCKET',
  'RESULTS_TABLE',
] as const satisfies readonly EnvironmentName[];

type ApiEnvironment = Pick<Environment, (typeof settingsVariables)[number]>;

export const settingsOf = (environment: ApiEnvironment, settings: FunctionSettings): ApiSettings => ({
  name: environment.ENVIRONMENT_NAME,
  kind: environment.ENVIRONMENT_KIND,
  colour: environment.ENVIRONMENT_COLOUR,
  account: settings.service.accountId,
  simulated: environment.SIMULATED,
  zone: settings.account.zone,
  callingCode: settings.account.callingCode,
  approval: settings.approval,
  maxFileBytes: settings.limits.fileBytes,
  maxRowsPerRequest: settings.limits.rowsPerRequest,
});

export const resourcesOf = (environment: ApiEnvironment, settings: FunctionSettings) => ({
  account: settings.service.accountId,
  callingCode: settings.account.callingCode,
  resultsBucket: environment.RESULTS_BUCKET,
  workBucket: environment.WORK_BUCKET,
});

/** Of one person in one execution environment. A page polls about once a second. */
export const callerLimit = { perSecond: 20, burst: 60 } as const;
