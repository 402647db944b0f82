// The stack of the pipeline.
import { Stack } from 'aws-cdk-lib';
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { PipelineParts } from './constructs/console-functions.ts';
import { addPipeline } from './pipeline.ts';
import type { Configuration } from './settings.ts';

export class PipelineStack extends Stack {
  /** What the console's stack uses of this one. */
  readonly parts: PipelineParts;
  readonly alarmAction: IAlarmAction | undefined;

  constructor(scope: Construct, id: string, configuration: Configuration) {
    super(scope, id, {
      description: `simporter (${configuration.stage}): bulk import of mobile numbers and SIMs`,
      terminationProtection: configuration.production,
      tags: { product: 'simporter', stage: configuration.stage },
      ...(configuration.deployment ? { env: configuration.deployment } : {}),
    });
    const { parts, alarmAction } = addPipeline(this, configuration);
    this.parts = parts;
    this.alarmAction = alarmAction;
  }
}
