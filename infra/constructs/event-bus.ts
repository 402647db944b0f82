// The event bus for other systems, its rules, and a log group with every event that was published.
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnRule, EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, ResourcePolicy } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IConstruct } from 'constructs';
import { fixLogicalId } from '../cdk-conventions.ts';
import { eventSource, stackName } from '../derived-settings.ts';
import type { Configuration } from '../settings.ts';
import { deadLetterQueue } from './queues.ts';

interface EventRuleProps {
  readonly description: string;
  /** @default - every event of this environment */
  readonly pattern?: Readonly<Record<string, unknown>>;
  readonly target: Omit<CfnRule.TargetProperty, 'deadLetterConfig'>;
  /** What the rule delivers to or acts with: it must have its policies first, for which a reference does not wait. */
  readonly after: IConstruct;
}

export class PipelineEvents extends Construct {
  readonly bus: EventBus;
  readonly log: LogGroup;
  /** Receives the events that could not be delivered to the target of a rule. */
  readonly deadLetters: Queue;
  /** Names of the rules by their construct ids. */
  readonly ruleNames = new Map<string, string>();
  private readonly configuration: Configuration;

  constructor(scope: Construct, id: string, configuration: Configuration) {
    super(scope, id);
    this.configuration = configuration;
    const name = stackName(configuration.stage);
    const bus = new EventBus(this, 'EventBus', { eventBusName: name, description: 'Events of simporter' });
    this.bus = fixLogicalId(bus);
    this.deadLetters = deadLetterQueue(this, 'EventDeadLetters');
    this.log = new LogGroup(this, 'Log', {
      // EventBridge writes only to log groups with this prefix.
      logGroupName: `/aws/events/${name}`,
      retention: configuration.retention.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.logEvents();
  }

  /** Adds the L1 resource. Undelivered events go to the dead-letter queue. */
  addRule(id: string, { description, pattern, target, after }: EventRuleProps): void {
    // With a generated name, `Ref` of the rule is `bus|name`, which is not the dimension of its metrics.
    const name = `${stackName(this.configuration.stage)}-${id}`;
    const rule = new CfnRule(this, id, {
      name,
      description,
      state: 'ENABLED',
      eventBusName: this.bus.eventBusName,
      eventPattern: { source: [eventSource(this.configuration.stage)], ...pattern },
      targets: [{ ...target, deadLetterConfig: { arn: this.deadLetters.queueArn } }],
    });
    rule.node.addDependency(after);
    this.ruleNames.set(id, name);
    this.deadLetters.addToResourcePolicy(
      new PolicyStatement({
        sid: `DeadLettersOf${id}`,
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [this.deadLetters.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': rule.attrArn } },
      }),
    );
  }

  /** Without the L2 target, which would add a function that runs during the deployment. */
  private logEvents(): void {
    const { partition, region, account, stackName: stack } = Stack.of(this);
    // logGroupArn ends in `:*`, with which EventBridge delivers nothing.
    const arn = `arn:${partition}:logs:${region}:${account}:log-group:${this.log.logGroupName}`;
    const policy = new ResourcePolicy(this, 'LogPolicy', {
      resourcePolicyName: `${stack}-events`,
      policyStatements: [
        new PolicyStatement({
          sid: 'WriteEvents',
          principals: [
            new ServicePrincipal('events.amazonaws.com'),
            new ServicePrincipal('delivery.logs.amazonaws.com'),
          ],
          actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
          resources: [this.log.logGroupArn],
        }),
      ],
    });
    this.addRule('LogEvents', {
      description: 'Writes every event to the log group',
      target: { id: 'Log', arn },
      after: policy,
    });
  }
}
