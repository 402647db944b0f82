// The console: its page, its API and its users. It uses the pipeline's buckets, table and queue.
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import type { IUserPool } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import { functionCode } from '#function-code';
import { type AlarmDefinition, Alarms } from './constructs/alarms.ts';
import { ConsoleApi } from './constructs/console-api.ts';
import { createReadFunction, createWriteFunction, type PipelineParts } from './constructs/console-functions.ts';
import { ConsoleSite } from './constructs/console-site.ts';
import { ConsoleUsers } from './constructs/console-users.ts';
import { apiQueries, saveLogQueries } from './constructs/log-queries.ts';
import { errorsOf, throttlesOf } from './constructs/metrics.ts';
import type { PipelineFunction } from './constructs/pipeline-function.ts';
import { allowUploadsFrom } from './constructs/private-bucket.ts';
import { consoleOrigin } from './derived-settings.ts';
import { apiFunctions } from './function-names.ts';
import type { Configuration } from './settings.ts';
import { writeOutputs } from './stack-outputs.ts';

/** Without it, a browser decides how long it shows an old page whose files the next upload deletes. */
const revalidate = '--cache-control no-cache';

export interface ConsoleSettings {
  readonly configuration: Configuration;
  readonly pipeline: PipelineParts;
  /** @default - alarms notify nobody */
  readonly alarmAction?: IAlarmAction | undefined;
  /** The folder with the built page, for the command that uploads it. */
  readonly builtFiles: string;
}

export interface ConsoleResources {
  /** `https://…` */
  readonly url: string;
  readonly userPool: IUserPool;
}

/** Creates the resources of the console below `scope`, and outputs with its address and the commands that upload it. */
export function addConsole(scope: Construct, settings: ConsoleSettings): ConsoleResources {
  const { configuration, pipeline, alarmAction, builtFiles } = settings;
  const { stage, production, retention, console } = configuration;
  const { account, region } = Stack.of(scope);
  const code = functionCode(Stack.of(scope), apiFunctions);
  const read = createReadFunction(scope, { configuration, code, ...pipeline });
  const write = createWriteFunction(scope, { configuration, code, ...pipeline });
  const api = new ConsoleApi(scope, 'Http', { read, write, logDays: retention.logDays });

  const domainPrefix = `simporter-${stage}-${account}`;
  const signIn = `https://${domainPrefix}.auth.${region}.amazoncognito.com`;
  const { inbox, results } = pipeline.storage;
  const site = new ConsoleSite(scope, 'Site', {
    console,
    apiEndpoint: api.api.apiEndpoint,
    connectTo: [signIn, `https://${inbox.bucketRegionalDomainName}`, `https://${results.bucketRegionalDomainName}`],
    removalPolicy: production ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
  const url = `https://${console.domain ?? site.distribution.distributionDomainName}`;
  const users = new ConsoleUsers(scope, 'Users', { domainPrefix, consoleUrl: url, production });
  api.authorize(users);
  allowUploadsFrom(inbox, consoleOrigin(configuration));

  const alarms = new Alarms(scope, 'Alarms', configuration, alarmAction);
  for (const definition of apiAlarms({ api, functions: [read, write], period: Duration.minutes(5) })) {
    alarms.add(definition);
  }
  saveLogQueries(scope, configuration, [read, write], apiQueries);
  const config = JSON.stringify({ signIn, clientId: users.client.userPoolClientId });
  const files = `s3://${site.bucket.bucketName}`;
  writeOutputs(scope, {
    ConsoleUrl: url,
    UserPoolId: users.pool.userPoolId,
    UploadConsole: `aws s3 sync ${builtFiles} ${files} --delete --exclude config.json ${revalidate}`,
    UploadConfig: `echo '${config}' | aws s3 cp - ${files}/config.json --content-type application/json ${revalidate}`,
    RefreshConsole: [
      'aws cloudfront create-invalidation --paths /index.html /config.json',
      `--distribution-id ${site.distribution.distributionId}`,
    ].join(' '),
  });
  return { url, userPool: users.pool };
}

interface ApiAlarmSources {
  readonly api: ConsoleApi;
  readonly functions: readonly PipelineFunction[];
  readonly period: Duration;
}

/** Answers 5xx in five minutes. */
const toleratedErrors = 5;
/** Of the slowest of a hundred answers, in milliseconds. A cold start takes about one second. */
const slowMs = 3_000;

const apiAlarms = ({ api, functions, period }: ApiAlarmSources): readonly AlarmDefinition[] => [
  {
    id: 'ApiErrors',
    meaning: `More than ${toleratedErrors} answers of the API were 5xx in five minutes: people see errors.`,
    metric: api.api.metricServerError({ period, statistic: 'Sum', label: 'server errors' }),
    breachingPeriods: 2,
    above: toleratedErrors,
  },
  {
    id: 'ApiLatency',
    meaning: `One of a hundred answers of the API takes more than ${slowMs / 1_000} seconds.`,
    metric: api.api.metricLatency({ period, statistic: 'p99', label: 'latency' }),
    breachingPeriods: 2,
    above: slowMs,
  },
  ...functions.flatMap((one): AlarmDefinition[] => [
    {
      id: `${one.node.id}Errors`,
      section: 'api-errors',
      meaning: `The function ${one.name} crashed, or ran out of memory or time: people see errors.`,
      metric: errorsOf(one),
      breachingPeriods: 1,
    },
    {
      id: `${one.node.id}Throttles`,
      section: 'function-throttles',
      meaning: `Lambda throttled ${one.name}: the concurrency limit of the account is used up.`,
      metric: throttlesOf(one),
      breachingPeriods: 2,
    },
  ]),
];
