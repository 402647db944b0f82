// Opens what reading needs: no queue, no client of the porting service. Only this file acts when it is imported.

import { readEndpoints } from '#functions/api/read/endpoints.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { parseEnvironment } from '#shared/runtime/config.ts';
import { createLog } from '#shared/runtime/logger.ts';
import { readSettings } from '#shared/runtime/settings.ts';
import { openStores } from '#shared/store/account.ts';
import { createLinks } from '#shared/store/browser-files.ts';
import { createAwsClients } from '#shared/store/clients.ts';
import { portingAccount } from '#shared/text/identity.ts';
import { type ApiReader, apiSettingsOf, apiVariables, callerLimit } from '../api/context.ts';
import { bindEndpoints, createApi } from '../api/http/app.ts';
import { createApiHandler } from '../api/http/lambda.ts';

const environment = parseEnvironment(process.env, [...apiVariables, 'RESULTS_BUCKET', 'WORK_BUCKET', 'RESULTS_TABLE']);
const clients = createAwsClients(process.env);
const configured = readSettings(process.env);
const settings = apiSettingsOf(environment, configured);
const { callingCode } = settings;
const account = portingAccount(configured.service);
const reader: ApiReader = {
  ...openStores(clients, { resultsTable: environment.RESULTS_TABLE, account }),
  links: createLinks(clients.s3),
  settings,
  recordRetentionDays: configured.retention.recordDays,
  resources: {
    account,
    callingCode,
    resultsBucket: environment.RESULTS_BUCKET,
    workBucket: environment.WORK_BUCKET,
  },
  wall: wallClock,
};
const endpoints = bindEndpoints(readEndpoints, reader);
const document = async () => {
  const { openApiDocument } = await import('../api/openapi-document.ts');
  // `simporter start` answers the routes of the simulator itself.
  return openApiDocument({ hasSimulator: settings.kind === 'local' && settings.simulated });
};
const log = createLog({ service: 'api-read' });

export const handler = createApiHandler(createApi({ endpoints, document, limit: callerLimit, wall: wallClock, log }));
