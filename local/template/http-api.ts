// HTTP APIs in a template, as far as the emulator serves them: every request goes to one function. For other routes,
// authorizers and payload formats it throws a TemplateError.
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
  RouteKey: z.literal('$default'),
  AuthorizationType: z.literal('NONE').default('NONE'),
  Target: z.string(),
});
const stage = z.object({ ApiId: z.string(), StageName: z.literal('$default') });

/** Reads the template's resources of one type. */
type Read = <Schema extends z.ZodType>(
  type: string,
  schema: Schema,
) => readonly { readonly logicalId: string; readonly ref: string; readonly properties: z.output<Schema> }[];

export interface HttpApiPlan {
  readonly logicalId: string;
  /** What `Ref` of the API is. */
  readonly id: string;
  readonly functionArn: string;
}

/** The ids of the template's HTTP APIs. They are needed first: other resources contain the APIs' addresses. */
export const httpApiIds = ({ stackName, body }: Template): string[] =>
  Object.entries(template.parse(body).Resources)
    .filter(([, { Type }]) => Type === apiType)
    .map(([logicalId]) => generatedName(stackName, logicalId, 255));

/** Follows each API's default route to its function. @throws TemplateError for an API without one */
export const httpApiPlans = (stackName: string, read: Read): HttpApiPlan[] => {
  const integrations = read('AWS::ApiGatewayV2::Integration', integration);
  const routes = read('AWS::ApiGatewayV2::Route', route);
  const stages = read('AWS::ApiGatewayV2::Stage', stage);
  return read(apiType, api).map(({ logicalId, ref }) => {
    const target = routes.find(({ properties }) => properties.ApiId === ref)?.properties.Target;
    const functionArn = integrations.find((one) => `integrations/${one.ref}` === target)?.properties.IntegrationUri;
    const isStaged = stages.some(({ properties }) => properties.ApiId === ref);
    if (functionArn === undefined || !isStaged) {
      throw new TemplateError(
        `${stackName}: ${logicalId}: an HTTP API needs a stage $default, and a route $default with an integration`,
      );
    }
    return { logicalId, id: ref, functionArn };
  });
};
