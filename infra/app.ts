// The CDK app: builds the stacks of one environment. `cdk` runs this file; tests and the emulator call buildApp.
import { realpathSync } from 'node:fs';
import { Annotations, App, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { featureFlags } from './cdk-conventions.ts';
import { contextNames, readConfiguration, serviceSettings } from './config.ts';
import { addConsole } from './console.ts';
import {
  consoleStackName,
  hasPlaceholderService,
  isProtected,
  simulatorStackName,
  stackName,
} from './derived-settings.ts';
import { addPipeline } from './pipeline.ts';
import type { Configuration } from './settings.ts';
import { addSimulator } from './simulator.ts';

interface BuildAppOptions {
  /** @default - context "stage", or "dev" */
  readonly stage?: string;
  /** Folder of the cloud assembly. @default - the folder that `cdk` passes, or cdk.out */
  readonly outdir?: string;
  /** More CDK context, such as `{ 'aws:cdk:bundling-stacks': [] }` or `{ environments: { dev: {…} } }`. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/**
 * Builds the app of one environment. Its `synth()` fails on each finding that is not acknowledged.
 * @throws Error that names the invalid setting
 */
export function buildApp({ stage, outdir, context }: BuildAppOptions = {}): App {
  const app = new App({
    context: { ...featureFlags, ...context },
    analyticsReporting: false,
    ...(outdir ? { outdir } : {}),
  });
  const values = Object.fromEntries(contextNames.map((name) => [name, app.node.tryGetContext(name)]));
  const configuration = readConfiguration(stage ?? app.node.tryGetContext('stage') ?? 'dev', values);
  requireDeployment(configuration);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const { retention } = configuration;
  const terminationProtection = isProtected(configuration);
  const propsOf = (content: string): StackProps => ({
    description: `simporter (${configuration.stage}): ${content}`,
    tags: { product: 'simporter', stage: configuration.stage },
    ...(configuration.deployment ? { env: configuration.deployment } : {}),
  });
  const stack = new Stack(app, stackName(configuration.stage), {
    ...propsOf('bulk import of mobile numbers and SIMs'),
    terminationProtection,
  });
  const { parts: pipeline, alarmActions } = addPipeline(stack, configuration);
  warnOfPlaceholderService(stack, configuration);
  if (configuration.console.enabled) {
    const props = { ...propsOf('the console and its API'), terminationProtection };
    const builtFiles = 'build/console';
    addConsole(new Stack(app, consoleStackName(configuration.stage), props), {
      configuration,
      pipeline,
      alarmActions,
      builtFiles,
    });
  }
  if (configuration.simulator.enabled) {
    const simulator = new Stack(app, simulatorStackName(configuration.stage), propsOf('the porting simulator'));
    const { advanceMinutes } = configuration.simulator;
    addSimulator(simulator, { logDays: retention.logDays, advanceMinutes });
  }
  return app;
}

/** The CDK sets these variables where it found credentials: without them nothing can be deployed. */
function requireDeployment({ stage, production, deployment }: Configuration): void {
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  if (!production || deployment || account === undefined) return;
  const setting = `"deployment": ${JSON.stringify({ account, region })}`;
  throw new Error(`Production environment "${stage}" must name its AWS account and region. For yours, set ${setting}`);
}

function warnOfPlaceholderService(stack: Stack, configuration: Configuration): void {
  if (!hasPlaceholderService(configuration)) return;
  const message = `Environment "${configuration.stage}" names no porting service: set ${serviceSettings}.`;
  Annotations.of(stack).addWarningV2('simporter:placeholder-service', message);
}

// Node has `import.meta.main` from 24.2 on.
if (realpathSync(process.argv[1] ?? '.') === import.meta.filename) {
  try {
    buildApp().synth();
  } catch (error) {
    // The message names the setting or the finding. The stack trace shows only CDK's own frames.
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
