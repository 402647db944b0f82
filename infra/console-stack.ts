// The stack of the console: its page, its API and its users. It exists only with `--context console=true`, and uses the
// pipeline's buckets, table and queue.
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { functionCode } from '#function-code';
import { Alarms } from './constructs/alarms.ts';
import { apiAlarms } from './constructs/console-alarms.ts';
import { ConsoleApi } from './constructs/console-api.ts';
import { createReadFunction, createWriteFunction, type PipelineParts } from './constructs/console-functions.ts';
import { ConsoleSite } from './constructs/console-site.ts';
import { ConsoleUsers } from './constructs/console-users.ts';
import { apiFunctions } from './function-names.ts';
import type { Configuration } from './settings.ts';
import { writeOutputs } from './stack-outputs.ts';

export interface ConsoleStackProps {
  readonly configuration: Configuration;
  readonly pipeline: PipelineParts;
  /** @default - alarms notify nobody */
  readonly alarmAction?: IAlarmAction | undefined;
}

export class ConsoleStack extends Stack {
  constructor(scope: Construct, id: string, { configuration, pipeline, alarmAction }: ConsoleStackProps) {
    const { stage, production, deployment, retention, console } = configuration;
    super(scope, id, {
      description: `simporter (${stage}): the console and its API`,
      terminationProtection: production,
      tags: { product: 'simporter', stage },
      ...(deployment ? { env: deployment } : {}),
    });
    const code = functionCode(this, apiFunctions);
    const read = createReadFunction(this, { configuration, code, ...pipeline });
    const write = createWriteFunction(this, { configuration, code, ...pipeline });
    const api = new ConsoleApi(this, 'Http', { read, write, logDays: retention.logDays });

    const domainPrefix = `simporter-${stage}-${this.account}`;
    const signIn = `https://${domainPrefix}.auth.${this.region}.amazoncognito.com`;
    const { inbox, results } = pipeline.storage;
    const site = new ConsoleSite(this, 'Site', {
      console,
      apiEndpoint: api.api.apiEndpoint,
      connectTo: [signIn, `https://${inbox.bucketRegionalDomainName}`, `https://${results.bucketRegionalDomainName}`],
      removalPolicy: production ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    const consoleUrl = `https://${console.domain ?? site.distribution.distributionDomainName}`;
    const users = new ConsoleUsers(this, 'Users', { domainPrefix, consoleUrl, production });
    api.authorize(users);

    const alarms = new Alarms(this, 'Alarms', configuration, alarmAction);
    for (const definition of apiAlarms({ api, functions: [read, write], period: Duration.minutes(5) })) {
      alarms.add(definition);
    }
    const config = JSON.stringify({ signIn, clientId: users.client.userPoolClientId });
    const files = `s3://${site.bucket.bucketName}`;
    writeOutputs(this, {
      ConsoleUrl: consoleUrl,
      ConsoleConfig: config,
      UserPoolId: users.pool.userPoolId,
      UploadConsole: `aws s3 sync console/dist ${files} --delete --exclude config.json`,
      UploadConfig: `aws s3 cp config.json ${files}/config.json`,
      RefreshConsole: [
        'aws cloudfront create-invalidation --paths /index.html /config.json',
        `--distribution-id ${site.distribution.distributionId}`,
      ].join(' '),
    });
  }
}
