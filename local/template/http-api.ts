// HTTP APIs in a template, as far as the emulator serves them: routes by method and path, or `$default`, to functions,
// and JWT authorizers of bearer tokens. For other authorizers and payload formats it throws a TemplateError.
import * as z from 'zod';
import { generatedName } from './identities.ts';
import { type Template, TemplateError, template } from './template.ts';

const apiType = 'AWS::ApiGatewayV2::Api';

const api = z.object({ ProtocolType: z.literal('HTTP') });
const integration = z.object({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
});
const route = z.object({
  ApiId: z.string(),
  RouteKey: z.string().regex(/^(\$default|(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \/\S*)$/),
  AuthorizationType: z.enum(['NONE', 'JWT']).default('NONE'),
  Target: z.string(),
});
const authorizer = z.object({
  AuthorizerType: z.literal('JWT'),
  IdentitySource: z.tuple([z.literal('$request.header.Authorization')]),
});
const stage = z.object({ ApiId: z.string(), StageName: z.literal('$default') });

/** Reads the template's resources of one type. */
type Read = <Schema extends z.ZodType>(
  type: string,
  schema: Schema,
) => readonly { readonly logicalId: string; readonly ref: string; readonly properties: z.output<Schema> }[];

export interface HttpRoutePlan {
  /** `$default`, or a method and a path, such as `GET /files/{name}`. */
  readonly key: string;
  readonly needsToken: boolean;
  readonly functionArn: string;
}

export interface HttpApiPlan {
  readonly logicalId: string;
  /** What `Ref` of the API is. */
  readonly id: string;
  readonly routes: readonly HttpRoutePlan[];
}

/** The ids of the template's HTTP APIs. They are needed first: other resources contain the APIs' addresses. */
export const httpApiIds = ({ stackName, body }: Template): string[] =>
  Object.entries(template.parse(body).Resources)
    .filter(([, { Type }]) => Type === apiType)
    .map(([logicalId]) => generatedName(stackName, logicalId, 255));

/** Follows each API's routes to their functions. @throws TemplateError for an API or a route that leads nowhere */
export const httpApiPlans = (stackName: string, read: Read): HttpApiPlan[] => {
  const integrations = read('AWS::ApiGatewayV2::Integration', integration);
  const routes = read('AWS::ApiGatewayV2::Route', route);
  const stages = read('AWS::ApiGatewayV2::Stage', stage);
  read('AWS::ApiGatewayV2::Authorizer', authorizer);
  return read(apiType, api).map(({ logicalId, ref }) => {
    const plans = routes
      .filter(({ properties }) => properties.ApiId === ref)
      .map(({ properties: { RouteKey: key, AuthorizationType, Target } }) => ({
        key,
        needsToken: AuthorizationType === 'JWT',
        functionArn: integrations.find((one) => `integrations/${one.ref}` === Target)?.properties.IntegrationUri,
      }));
    const isComplete = (plan: (typeof plans)[number]): plan is HttpRoutePlan => plan.functionArn !== undefined;
    const isStaged = stages.some(({ properties }) => properties.ApiId === ref);
    if (plans.length === 0 || !plans.every(isComplete) || !isStaged) {
      throw new TemplateError(
        `${stackName}: ${logicalId}: an HTTP API needs a stage $default, and routes with an integration`,
      );
    }
    return { logicalId, id: ref, routes: plans };
  });
};
