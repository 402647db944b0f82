// The settings of the API on AWS, from the environment variables of its functions.
import type { Environment, EnvironmentName } from '#shared/runtime/config.ts';
import type { ApiSettings } from './dependencies.ts';

export const settingsVariables = [
  'ENVIRONMENT_NAME',
  'ENVIRONMENT_KIND',
  'ENVIRONMENT_COLOUR',
  'SIMULATED',
  'APPROVAL',
  'SERVICE_ACCOUNT_ID',
  'ACCOUNT_ZONE',
  'CALLING_CODE',
  'MAX_FILE_BYTES',
  'MAX_ROWS_PER_REQUEST',
  'RESULTS_BUCKET',
  'WORK_BUCKET',
  'RESULTS_TABLE',
] as const satisfies readonly EnvironmentName[];

type ApiEnvironment = Pick<Environment, (typeof settingsVariables)[number]>;

export const settingsOf = (environment: ApiEnvironment): ApiSettings => ({
  name: environment.ENVIRONMENT_NAME,
  kind: environment.ENVIRONMENT_KIND,
  colour: environment.ENVIRONMENT_COLOUR,
  account: environment.SERVICE_ACCOUNT_ID,
  simulated: environment.SIMULATED,
  zone: environment.ACCOUNT_ZONE,
  callingCode: environment.CALLING_CODE,
  approval: environment.APPROVAL,
  maxFileBytes: environment.MAX_FILE_BYTES,
  maxRowsPerRequest: environment.MAX_ROWS_PER_REQUEST,
});

export const resourcesOf = (environment: ApiEnvironment) => ({
  account: environment.SERVICE_ACCOUNT_ID,
  callingCode: environment.CALLING_CODE,
  resultsBucket: environment.RESULTS_BUCKET,
  workBucket: environment.WORK_BUCKET,
});

/** Of one person in one execution environment. A page polls about once a second. */
export const callerLimit = { perSecond: 20, burst: 60 } as const;
