// The sandbox's calendar: on a schedule, an event moves it on, so that a port that takes days takes hours. It stands still
// (in step with the clock on the wall) unless asked: the pipeline on AWS books days by the wall.
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { PipelineFunction } from './pipeline-function.ts';
import { deadLetterQueue } from './work-queue.ts';

export interface SandboxClockProps {
  readonly service: PipelineFunction;
  readonly everyMinutes: number;
  /** How far each event moves the calendar; 0 switches the schedule off. */
  readonly advanceMinutes: number;
}

export class SandboxClock extends Construct {
  constructor(scope: Construct, id: string, { service, everyMinutes, advanceMinutes }: SandboxClockProps) {
    super(scope, id);
    const missed = deadLetterQueue(this, 'ClockMissed');
    acknowledge(missed, 'AwsSolutions-SQS3', 'This is the dead-letter queue of the clock.');
    const putAside = { actions: ['sqs:SendMessage'], resources: [missed.queueArn] };
    service.allow('PutAside', putAside);
    // A repeated event would move the calendar twice.
    new CfnEventInvokeConfig(this, 'Runs', {
      functionName: service.lambda.functionName,
      qualifier: '$LATEST',
      maximumRetryAttempts: 0,
      maximumEventAgeInSeconds: 60 * everyMinutes,
      destinationConfig: { onFailure: { destination: missed.queueArn } },
    });
    const role = new Role(this, 'Role', {
      description: 'Moves the calendar of the sandbox',
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    });
    const statements = [
      { sid: 'MoveClock', actions: ['lambda:InvokeFunction'], resources: [service.lambda.functionArn] },
      { sid: 'PutAside', ...putAside },
    ];
    for (const statement of statements) role.addToPolicy(new PolicyStatement(statement));
    new CfnSchedule(this, 'Schedule', {
      description: 'Moves the calendar of the sandbox ahead of the clock on the wall',
      scheduleExpression: `rate(${everyMinutes} minutes)`,
      state: advanceMinutes > 0 ? 'ENABLED' : 'DISABLED',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: service.lambda.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify({ advanceMs: advanceMinutes * 60_000 }),
        retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: 60 * everyMinutes },
        deadLetterConfig: { arn: missed.queueArn },
      },
    });
  }
}
