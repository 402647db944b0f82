// The sandbox's address: an HTTP API that hands every request to the service, which knows its own paths and tokens.
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { StageConfiguration } from '../config.ts';
import { keepId } from '../logical-id.ts';
import type { PipelineFunction } from './pipeline-function.ts';

export interface SandboxApiProps {
  readonly service: PipelineFunction;
  readonly logDays: StageConfiguration['retention']['logDays'];
  /** What all clients together may ask for before they are answered 429. */
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** One line per request. No header and no body: they carry tokens, secrets and PACs. */
const accessLine = JSON.stringify({
  time: '$context.requestTime',
  requestId: '$context.requestId',
  sourceIp: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  path: '$context.path',
  status: '$context.status',
  milliseconds: '$context.responseLatency',
});

export class SandboxApi extends Construct {
  /** `https://…` without a slash at its end: both the base and the token address. */
  readonly apiEndpoint: string;

  constructor(scope: Construct, id: string, { service, logDays, requestsPerSecond, burst }: SandboxApiProps) {
    super(scope, id);
    const api = new HttpApi(this, 'Api', {
      apiName: Stack.of(this).stackName,
      description: 'The porting service, to rehearse against',
      createDefaultStage: false,
      defaultIntegration: new HttpLambdaIntegration('Integration', service.lambda),
    });
    acknowledge(
      api,
      'AwsSolutions-APIG4',
      'The service gives out and checks bearer tokens itself, as its specification says.',
    );
    // The address is made of the API's own id: a new API would have another.
    keepId(api);
    const accessLogs = new LogGroup(this, 'AccessLogs', { retention: logDays, removalPolicy: RemovalPolicy.DESTROY });
    new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: requestsPerSecond, burstLimit: burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(accessLine),
      },
    });
    this.apiEndpoint = api.apiEndpoint;
  }
}
