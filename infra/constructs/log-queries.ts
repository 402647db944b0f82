// Queries of CloudWatch Logs Insights that the runbook uses, saved under "simporter/<stage>".
import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Configuration } from '../settings.ts';
import type { SimporterFunction } from './function.ts';

interface SavedQuery {
  readonly name: string;
  readonly fields: string;
  readonly filter: string;
  /** @default - newest first */
  readonly sort?: string;
}

const errors = { filter: "level in ['ERROR', 'WARN']" };
const longestInvocations = {
  fields: '@timestamp, @log, @duration, @maxMemoryUsed, @memorySize, @initDuration',
  filter: "@type = 'REPORT'",
  sort: '@duration desc',
};

/** Entries are JSON (shared/runtime/logger.ts). They never contain a number or a PAC. */
export const pipelineQueries: readonly SavedQuery[] = [
  {
    name: 'Errors and warnings',
    fields: '@timestamp, service, level, message, importId, request, portId, error.name, error.message',
    ...errors,
  },
  {
    name: 'History of one import',
    fields: '@timestamp, service, message, state, request, portId, rows, outcome',
    filter: "importId = 'ENTER THE IMPORT ID'",
  },
  {
    name: 'History of one port',
    fields: '@timestamp, service, message, status, was, actionRequired',
    filter: "portId = 'ENTER THE PORT ID'",
  },
  {
    name: 'Calls to the service and their outcomes',
    fields: '@timestamp, importId, request, attempt, rows, outcome, state, portId',
    filter: "message = 'called'",
  },
  {
    name: 'Runs of sync',
    fields: '@timestamp, polled, changed, calls, left, resent, adopted, absent, actionRequired, skipped',
    filter: "message = 'synced'",
  },
  { name: 'Longest invocations and their memory', ...longestInvocations },
];

export const apiQueries: readonly SavedQuery[] = [
  {
    name: 'Errors of the API',
    fields: '@timestamp, service, level, message, method, route, error.name, error.message',
    ...errors,
  },
  {
    name: 'Who read an import',
    fields: '@timestamp, caller, route, fileName',
    filter: "message = 'a person called' and importId = 'ENTER THE IMPORT ID'",
  },
  { name: 'Longest invocations of the API and their memory', ...longestInvocations },
];

export function saveLogQueries(
  scope: Construct,
  { stage }: Configuration,
  functions: readonly SimporterFunction[],
  queries: readonly SavedQuery[],
) {
  const queriesScope = new Construct(scope, 'Queries');
  for (const { name, fields, filter, sort = '@timestamp desc' } of queries) {
    new QueryDefinition(queriesScope, name.replaceAll(' ', ''), {
      queryDefinitionName: `simporter/${stage}/${name}`,
      queryString: new QueryString({ fields: [fields], filterStatements: [filter], sort, limit: 1000 }),
      logGroups: functions.map(({ logGroup }) => logGroup),
    });
  }
}
