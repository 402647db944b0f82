// The HTTP API of the porting simulator. It passes every request to the function, which has its own paths and tokens.
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { Configuration } from '../settings.ts';
import { createHttpApi } from './http-api.ts';
import type { PipelineFunction } from './pipeline-function.ts';

export interface SimulatorApiProps {
  readonly service: PipelineFunction;
  readonly logDays: Configuration['retention']['logDays'];
  /** Limits for all clients together. Requests above them are answered 429. */
  readonly requestsPerSecond: number;
  readonly burst: number;
}

export class SimulatorApi extends Construct {
  /** `https://…` without a slash at its end. It is the base URL and the token URL. */
  readonly apiEndpoint: string;

  constructor(scope: Construct, id: string, { service, logDays, requestsPerSecond, burst }: SimulatorApiProps) {
    super(scope, id);
    const api = createHttpApi(this, {
      description: 'The porting simulator',
      defaultIntegration: new HttpLambdaIntegration('Integration', service.lambda),
      logDays,
      throttle: { rateLimit: requestsPerSecond, burstLimit: burst },
      logged: { path: '$context.path' },
    });
    acknowledge(
      api,
      'AwsSolutions-APIG4',
      'The simulator issues and checks bearer tokens, as the specification requires.',
    );
    this.apiEndpoint = api.apiEndpoint;
  }
}
