// The CDK app: builds the stacks of one stage. `cdk` runs this file; tests and the embedded engine call buildApp.
import { createRequire } from 'node:module';
import { Annotations, App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { PipelineChecks } from './checks/plugin.ts';
import { configurationOf, hasPlaceholderService, overrideNames, type StageConfiguration } from './config.ts';
import { PipelineStack } from './pipeline-stack.ts';
import { SandboxStack, sandboxStackName } from './sandbox-stack.ts';

export interface BuildAppOptions {
  /** @default - context "stage", or "dev" */
  readonly stage?: string;
  /** Folder of the cloud assembly. @default - cdk.out, or where `cdk` says */
  readonly outdir?: string;
  /** Further CDK context, such as `{ 'aws:cdk:bundling-stacks': [] }` or `{ serviceBaseUrl: 'https://...' }`. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** How this version of CDK recommends to behave: in code, so that every way to build the app gives the same template. */
const featureFlags: Record<string, unknown> = createRequire(import.meta.url)(
  'aws-cdk-lib/recommended-feature-flags.json',
);

/**
 * The app of one stage, with its checkers attached; `synth()` fails on any finding that is not acknowledged.
 * @throws Error that says which setting of the stage is wrong
 */
export function buildApp({ stage, outdir, context }: BuildAppOptions = {}): App {
  const app = new App({
    context: { ...featureFlags, ...context },
    analyticsReporting: false,
    ...(outdir ? { outdir } : {}),
  });
  const overrides = Object.fromEntries(overrideNames.map((name) => [name, app.node.tryGetContext(name)]));
  const configuration = configurationOf(stage ?? app.node.tryGetContext('stage') ?? 'dev', overrides);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new PipelineChecks());
  const stack = new PipelineStack(app, stackName(configuration), configuration);
  remindOfService(stack, configuration);
  // Production has a real service, and the embedded engine runs the service beside the stacks.
  if (configuration.stage === 'dev') {
    const advanceMinutes = app.node.tryGetContext('sandboxAdvanceMinutes');
    new SandboxStack(app, sandboxStackName(configuration), { configuration, advanceMinutes });
  }
  return app;
}

/** The name of a stage's pipeline stack, which is also what the command line takes as `--stack`. */
export const stackName = ({ stage }: Pick<StageConfiguration, 'stage'>): string => `simporter-${stage}`;

function remindOfService(stack: PipelineStack, configuration: StageConfiguration): void {
  if (!hasPlaceholderService(configuration)) return;
  const message = `Stage "${configuration.stage}" names no porting service yet: give --context serviceBaseUrl=, serviceAuthUrl= and serviceAccountId=.`;
  Annotations.of(stack).addWarningV2('simporter:placeholder-service', message);
}

if (import.meta.main) {
  try {
    buildApp().synth();
  } catch (error) {
    // The message says which setting or finding is wrong; the way through the framework says nothing to the reader.
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
