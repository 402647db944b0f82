// Runs a function on a schedule. Runs that fail or cannot start are dead-lettered.
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { liveAlias, type SimporterFunction } from './function.ts';
import { deadLetterQueue } from './queues.ts';

interface ScheduleProps {
  readonly target: SimporterFunction;
  readonly description: string;
  readonly everyMinutes: number;
  /** Name of the dead-letter queue. */
  readonly deadLetters: string;
  /** Retries of a run that could not start. EventBridge Scheduler's default is 185 retries within a day. */
  readonly startRetries: number;
  /** Payload of the invocation. @default - Scheduler's own event */
  readonly input?: string;
  /** @default ENABLED */
  readonly state?: 'ENABLED' | 'DISABLED';
}

export class Schedule extends Construct {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: ScheduleProps) {
    super(scope, id);
    const { target } = props.target;
    this.deadLetters = deadLetterQueue(this, props.deadLetters);
    const { queueArn } = this.deadLetters;
    const sendToDeadLetters = { actions: ['sqs:SendMessage'], resources: [queueArn] };
    props.target.allow('SendToDeadLetters', sendToDeadLetters);
    const maximumEventAgeInSeconds = 60 * props.everyMinutes;
    // No retry of a failed run: the next run does its work.
    const invocations = new CfnEventInvokeConfig(this, 'Runs', {
      functionName: props.target.lambda.functionName,
      qualifier: target === props.target.lambda ? '$LATEST' : liveAlias,
      maximumRetryAttempts: 0,
      maximumEventAgeInSeconds,
      destinationConfig: { onFailure: { destination: queueArn } },
    });
    // Lambda checks whether the alias exists, which the qualifier only names, and whether the function may send to the
    // destination.
    invocations.node.addDependency(target);
    props.target.requirePermissions(invocations);
    const role = new Role(this, 'Role', {
      description: `Starts ${props.target.name}`,
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    });
    const start = { actions: ['lambda:InvokeFunction'], resources: [target.functionArn] };
    role.addToPolicy(new PolicyStatement({ sid: 'StartRun', ...start }));
    role.addToPolicy(new PolicyStatement({ sid: 'SendToDeadLetters', ...sendToDeadLetters }));
    const schedule = new CfnSchedule(this, 'Resource', {
      description: props.description,
      scheduleExpression: `rate(${props.everyMinutes} ${props.everyMinutes === 1 ? 'minute' : 'minutes'})`,
      // Also where it is the default: drift is detected of the properties that a template has.
      state: props.state ?? 'ENABLED',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: target.functionArn,
        roleArn: role.roleArn,
        ...(props.input ? { input: props.input } : {}),
        retryPolicy: { maximumRetryAttempts: props.startRetries, maximumEventAgeInSeconds },
        deadLetterConfig: { arn: queueArn },
      },
    });
    schedule.node.addDependency(role);
  }
}
