// The console as a construct.
import type { IUserPool } from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { readConfiguration } from '#infra/config.ts';
import { addConsole } from '#infra/console.ts';
import { setFeatureFlags } from '#infra/feature-flags.ts';
import { requireOwnStack } from './own-stack.ts';
import type { Pipeline } from './pipeline.ts';
import { resourcesOfPipeline } from './pipeline-resources.ts';
import { withoutUndefined } from './without-undefined.ts';

export interface ConsoleProps {
  /** Whose imports the console shows: in another stack of the same app. */
  readonly pipeline: Pipeline;
  /** An own domain, such as porting.example.com. @default - an address of CloudFront */
  readonly domain?: string;
  /** The ARN of its certificate in us-east-1; required with `domain`. */
  readonly certificateArn?: string;
  /** The colour of the banner with the name of the environment. @default #d91515 */
  readonly colour?: string;
}

/**
 * The console: its page behind CloudFront, its API, and a user pool with the groups `viewer`, `uploader`, `approver`
 * and `operator`. Its stack must contain no other construct of this package. After a deployment, run the commands in
 * the outputs `UploadConsole`, `UploadConfig` and `RefreshConsole`.
 */
export class Console extends Construct {
  /** `https://…` of the page. */
  readonly url: string;
  /** The people who may sign in. */
  readonly userPool: IUserPool;

  /** @throws Error that names every invalid property */
  constructor(scope: Construct, id: string, props: ConsoleProps) {
    super(scope, id);
    requireOwnStack(this);
    setFeatureFlags(this);
    const { pipeline, ...console } = props;
    const { environment, settings, resources } = resourcesOfPipeline(pipeline);
    if (settings.production !== false && settings.approval === undefined) {
      throw new Error(
        'Set `approval` of the Pipeline: with a console, people can require a second person (`two`) or not (`one`).',
      );
    }
    const all = { ...settings, console: withoutUndefined(console) };
    const { url, userPool } = addConsole(this, {
      configuration: readConfiguration(environment, { environments: { [environment]: all } }),
      pipeline: resources.parts,
      alarmAction: resources.alarmAction,
      builtFiles: 'node_modules/simporter/dist/console',
    });
    this.url = url;
    this.userPool = userPool;
  }
}
