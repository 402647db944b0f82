// An HTTP API with one stage and an access log. Its address must stay the same.
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, type HttpApiProps, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { fixLogicalId } from '../cdk-conventions.ts';
import type { Configuration } from '../settings.ts';

interface HttpApiSettings extends Pick<HttpApiProps, 'description' | 'defaultIntegration'> {
  readonly logDays: Configuration['retention']['logDays'];
  /** The limit of all clients together. Requests above it are answered 429. */
  readonly throttle: { readonly rateLimit: number; readonly burstLimit: number };
  /** What the log has of a request, beside the following. No headers and no bodies: they contain tokens and PACs. */
  readonly logged: Readonly<Record<string, string>>;
}

/** Creates the resources below `scope`. */
export function createHttpApi(scope: Construct, { logDays, throttle, logged, ...props }: HttpApiSettings): HttpApi {
  const httpApi = new HttpApi(scope, 'Api', {
    ...props,
    apiName: Stack.of(scope).stackName,
    createDefaultStage: false,
  });
  // Its id is part of its address.
  fixLogicalId(httpApi);
  const entry = {
    time: '$context.requestTime',
    requestId: '$context.requestId',
    sourceIp: '$context.identity.sourceIp',
    method: '$context.httpMethod',
    ...logged,
    status: '$context.status',
    milliseconds: '$context.responseLatency',
  };
  const accessLogs = new LogGroup(scope, 'AccessLogs', { retention: logDays, removalPolicy: RemovalPolicy.DESTROY });
  new HttpStage(scope, 'Stage', {
    httpApi,
    stageName: '$default',
    autoDeploy: true,
    throttle,
    accessLogSettings: {
      destination: new LogGroupLogDestination(accessLogs),
      format: AccessLogFormat.custom(JSON.stringify(entry)),
    },
  });
  return httpApi;
}
