// The console: its page, its API and its users. It uses the pipeline's buckets, table and queue.
import { Duration, Stack } from 'aws-cdk-lib';
import { type CfnRoute, type CfnStage, type HttpApi, HttpMethod, type HttpRoute } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import type { IUserPool } from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { functionCode } from '#function-code';
import { apiPrefix } from '#shared/api/agreed-names.ts';
import { removalOfData, writeOutputs } from './cdk-conventions.ts';
import { type AlarmDefinition, Alarms } from './constructs/alarms.ts';
import { allowUploadsFrom } from './constructs/buckets.ts';
import { createReadFunction, createWriteFunction, type PipelineParts } from './constructs/console-functions.ts';
import { ConsoleSite } from './constructs/console-site.ts';
import { ConsoleUsers } from './constructs/console-users.ts';
import type { SimporterFunction } from './constructs/function.ts';
import { createHttpApi } from './constructs/http-api.ts';
import { apiQueries, saveLogQueries } from './constructs/log-queries.ts';
import { errorsOf, throttlesOf } from './constructs/metrics.ts';
import { consoleOrigin, isMonitored } from './derived-settings.ts';
import { apiFunctions } from './function-names.ts';
import type { Configuration } from './settings.ts';

/** Without it, a browser decides how long it shows an old page. */
const revalidate = '--cache-control no-cache';
/** The names of these files change with their content. */
const immutable = `--cache-control 'public, max-age=31536000, immutable'`;

interface ConsoleSettings {
  readonly configuration: Configuration;
  readonly pipeline: PipelineParts;
  readonly alarmActions: readonly IAlarmAction[];
  /** The folder with the built page, for the command that uploads it. */
  readonly builtFiles: string;
}

interface ConsoleResources {
  /** `https://…` */
  readonly url: string;
  readonly userPool: IUserPool;
}

/** Creates the resources of the console below `scope`, and outputs with its address and the commands that upload it. */
export function addConsole(scope: Construct, settings: ConsoleSettings): ConsoleResources {
  const { configuration, pipeline, alarmActions, builtFiles } = settings;
  const { stage, retention, console } = configuration;
  const { account, region } = Stack.of(scope);
  const code = functionCode(Stack.of(scope), apiFunctions);
  const read = createReadFunction(scope, { configuration, code, ...pipeline });
  const write = createWriteFunction(scope, { configuration, code, ...pipeline });
  const api = new ConsoleApi(scope, 'Http', { read, write, logDays: retention.logDays });

  const domainPrefix = `simporter-${stage}-${account}`;
  const signIn = `https://${domainPrefix}.auth.${region}.amazoncognito.com`;
  const { inbox, results } = pipeline.storage;
  const site = new ConsoleSite(scope, 'Site', {
    stage,
    console,
    apiEndpoint: api.api.apiEndpoint,
    connectTo: [signIn, `https://${inbox.bucketRegionalDomainName}`, `https://${results.bucketRegionalDomainName}`],
    removalPolicy: removalOfData(configuration),
  });
  const url = `https://${console.domain ?? site.distribution.distributionDomainName}`;
  const users = new ConsoleUsers(scope, 'Users', { domainPrefix, consoleUrl: url, configuration });
  api.authorize(users);
  allowUploadsFrom(inbox, consoleOrigin(configuration));

  if (isMonitored(configuration)) {
    const alarms = new Alarms(scope, 'Alarms', configuration, alarmActions);
    for (const definition of apiAlarms({ api, functions: [read, write], period: Duration.minutes(5) })) {
      alarms.add(definition);
    }
    saveLogQueries(scope, configuration, [read, write], apiQueries);
  }
  const config = JSON.stringify({ signIn, clientId: users.client.userPoolClientId });
  const files = `s3://${site.bucket.bucketName}`;
  writeOutputs(scope, {
    ConsoleUrl: url,
    UserPoolId: users.pool.userPoolId,
    ...(users.updateSignIn && { UpdateSignIn: users.updateSignIn }),
    // The page last, because it names the assets. None is deleted: open tabs load those of their version.
    UploadConsole: [
      `aws s3 sync ${builtFiles}/assets ${files}/assets ${immutable}`,
      `aws s3 sync ${builtFiles} ${files} --exclude 'assets/*' --exclude config.json ${revalidate}`,
    ].join(' && '),
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
  readonly functions: readonly SimporterFunction[];
  readonly period: Duration;
}

/** Answers 5xx in five minutes. */
const toleratedErrors = 5;
/** The slowest of a hundred answers, in milliseconds. A cold start takes about one second. */
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

interface ConsoleApiProps {
  readonly read: SimporterFunction;
  readonly write: SimporterFunction;
  readonly logDays: Configuration['retention']['logDays'];
}

/** The limit of all people together. */
const throttle = { rateLimit: 200, burstLimit: 400 } as const;

/** The log has no queries and paths: they contain phone numbers. */
const logged = { route: '$context.routeKey', subject: '$context.authorizer.claims.sub' };

const everything = `${apiPrefix}/{proxy+}`;

/** The limit of one route of the function that also writes. */
const routeThrottle = { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 } as const;

class ConsoleApi extends Construct {
  readonly api: HttpApi;
  private readonly integrations: Readonly<Record<'read' | 'write', HttpLambdaIntegration>>;

  constructor(scope: Construct, id: string, { read, write, logDays }: ConsoleApiProps) {
    super(scope, id);
    this.api = createHttpApi(this, { description: 'The API of the simporter console', logDays, throttle, logged });
    this.integrations = {
      read: new HttpLambdaIntegration('Read', read.target),
      write: new HttpLambdaIntegration('Write', write.target),
    };
  }

  /** After the distribution exists, whose address the users' client names. */
  authorize({ pool, client }: ConsoleUsers): void {
    const { region } = Stack.of(this);
    const issuer = `https://cognito-idp.${region}.amazonaws.com/${pool.userPoolId}`;
    const authorizer = new HttpJwtAuthorizer('Users', issuer, { jwtAudience: [client.userPoolClientId] });
    const { read, write } = this.integrations;
    const { GET, POST, PUT, DELETE, PATCH } = HttpMethod;
    this.api.addRoutes({ path: everything, methods: [GET], integration: read, authorizer });
    const routes: HttpRoute[] = [];
    // Only the function that writes has access to uploads and drafts.
    for (const path of ['uploads/{uploadId}', 'imports/{importId}/preview', 'imports/{importId}/drafts/{draftId}']) {
      routes.push(
        ...this.api.addRoutes({ path: `${apiPrefix}/${path}`, methods: [GET], integration: write, authorizer }),
      );
    }
    routes.push(
      ...this.api.addRoutes({ path: everything, methods: [POST, PUT, DELETE, PATCH], integration: write, authorizer }),
    );
    this.limitRoutes(routes);
  }

  private limitRoutes(routes: readonly HttpRoute[]): void {
    const stage = this.node.findChild('Stage').node.defaultChild as CfnStage;
    stage.routeSettings = Object.fromEntries(
      routes.map(({ node }) => {
        const route = node.defaultChild as CfnRoute;
        stage.addResourceDependency(route);
        return [route.routeKey, routeThrottle];
      }),
    );
  }
}
