// The HTTP API of the porting simulator. It passes every request to the function, which has its own paths and tokens.
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import { fixLogicalId } from '../fixed-logical-id.ts';
import type { Configuration } from '../settings.ts';
import type { PipelineFunction } from './pipeline-function.ts';

export interface SimulatorApiProps {
  readonly service: PipelineFunction;
  readonly logDays: Configuration['retention']['logDays'];
  /** Limits for all clients together. Requests above them are answered 429. */
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** No headers and no bodies: they contain tokens, secrets and PACs. */
const accessLogEntry = JSON.stringify({
  time: '$context.requestTime',
  requestId: '$context.requestId',
  sourceIp: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  path: '$context.path',
  status: '$context.status',
  milliseconds: '$context.responseLatency',
});

export class SimulatorApi extends Construct {
  /** `https://…` without a slash at its end. It is the base URL and the token URL. */
  readonly apiEndpoint: string;

  constructor(scope: Construct, id: string, { service, logDays, requestsPerSecond, burst }: SimulatorApiProps) {
    super(scope, id);
    const api = new HttpApi(this, 'Api', {
      apiName: Stack.of(this).stackName,
      description: 'The porting simulator',
      createDefaultStage: false,
      defaultIntegration: new HttpLambdaIntegration('Integration', service.lambda),
    });
    acknowledge(
      api,
      'AwsSolutions-APIG4',
      'The simulator issues and checks bearer tokens, as the specification requires.',
    );
    // The API's id is part of its address.
    fixLogicalId(api);
    const accessLogs = new LogGroup(this, 'AccessLogs', { retention: logDays, removalPolicy: RemovalPolicy.DESTROY });
    new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: requestsPerSecond, burstLimit: burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(accessLogEntry),
      },
    });
    this.apiEndpoint = api.apiEndpoint;
  }
}
