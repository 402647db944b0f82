// The HTTP API of the console: a JWT authorizer before every route, and one function each for what reads and what
// writes.
import { Stack } from 'aws-cdk-lib';
import { type HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Construct } from 'constructs';
import { apiPrefix } from '#shared/api/agreed-names.ts';
import type { Configuration } from '../settings.ts';
import type { ConsoleUsers } from './console-users.ts';
import { createHttpApi } from './http-api.ts';
import type { PipelineFunction } from './pipeline-function.ts';

export interface ConsoleApiProps {
  readonly read: PipelineFunction;
  readonly write: PipelineFunction;
  readonly logDays: Configuration['retention']['logDays'];
}

/** Of all persons together; the functions limit each person. */
const throttle = { rateLimit: 200, burstLimit: 400 } as const;

/** The log has no queries and paths: they contain phone numbers. */
const logged = { route: '$context.routeKey', subject: '$context.authorizer.claims.sub' };

const everything = `${apiPrefix}/{proxy+}`;

export class ConsoleApi extends Construct {
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
    const { GET, POST, PUT, DELETE } = HttpMethod;
    this.api.addRoutes({ path: everything, methods: [GET], integration: read, authorizer });
    // Only the function that writes has access to uploads.
    for (const path of ['uploads/{uploadId}', 'imports/{importId}/preview']) {
      this.api.addRoutes({ path: `${apiPrefix}/${path}`, methods: [GET], integration: write, authorizer });
    }
    this.api.addRoutes({ path: everything, methods: [POST, PUT, DELETE], integration: write, authorizer });
  }
}
