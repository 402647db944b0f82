// Questions that the runbook asks of the logs, saved in the console under "simporter/<stage>".
import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { StageConfiguration } from '../config.ts';
import type { PipelineFunction } from './pipeline-function.ts';

interface SavedQuery {
  readonly name: string;
  readonly fields: readonly string[];
  readonly filters: readonly string[];
}

/** Entries are JSON as shared/runtime/logger.ts writes them: fields of their own, never a number or a PAC. */
const queries: readonly SavedQuery[] = [
  {
    name: 'What went wrong',
    fields: [
      '@timestamp',
      'service',
      'level',
      'message',
      'importId',
      'request',
      'portId',
      'error.name',
      'error.message',
    ],
    filters: ["level in ['ERROR', 'WARN']"],
  },
  {
    name: 'One import from start to end',
    fields: ['@timestamp', 'service', 'message', 'state', 'request', 'portId', 'rows', 'outcome'],
    filters: ["importId = 'PUT THE IMPORT HERE'"],
  },
  {
    name: 'One port from start to end',
    fields: ['@timestamp', 'service', 'message', 'status', 'was', 'attention'],
    filters: ["portId = 'PUT THE PORT HERE'"],
  },
  {
    name: 'Calls to the service and what came of them',
    fields: ['@timestamp', 'importId', 'request', 'attempt', 'rows', 'outcome', 'state', 'portId'],
    filters: ["message = 'called'"],
  },
  {
    name: 'What each sync run did',
    fields: ['@timestamp', 'looked', 'changed', 'calls', 'left', 'resent', 'adopted', 'absent', 'people', 'skipped'],
    filters: ["message = 'synced'"],
  },
  {
    name: 'Longest invocations and their memory',
    fields: ['@timestamp', '@log', '@duration', '@maxMemoryUsed', '@memorySize', '@initDuration'],
    filters: ["@type = 'REPORT'"],
  },
];

export function saveLogQueries(scope: Construct, { stage }: StageConfiguration, stages: readonly PipelineFunction[]) {
  const queriesScope = new Construct(scope, 'Queries');
  for (const { name, fields, filters } of queries) {
    new QueryDefinition(queriesScope, name.replaceAll(' ', ''), {
      queryDefinitionName: `simporter/${stage}/${name}`,
      queryString: new QueryString({
        fields: [...fields],
        filterStatements: [...filters],
        sort: name.startsWith('Longest') ? '@duration desc' : '@timestamp desc',
        limit: 1000,
      }),
      logGroups: stages.map(({ logGroup }) => logGroup),
    });
  }
}
