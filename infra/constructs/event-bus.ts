// The bus on which simporter tells other systems what happened, and a log of everything that was said on it.
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnRule, EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, ResourcePolicy } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { eventSource, type StageConfiguration } from '../config.ts';
import { keepId } from '../logical-id.ts';

export class Events extends Construct {
  readonly bus: EventBus;
  readonly log: LogGroup;

  constructor(scope: Construct, id: string, configuration: StageConfiguration) {
    super(scope, id);
    const name = `simporter-${configuration.stage}`;
    this.bus = keepId(new EventBus(this, 'EventBus', { eventBusName: name, description: 'What simporter announces' }));
    this.log = new LogGroup(this, 'Log', {
      // EventBridge writes only to groups below this name.
      logGroupName: `/aws/events/${name}`,
      retention: configuration.retention.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.keepLog(configuration);
  }

  /** Written as the rule's own resource: the L2 target would add a function of its own that runs at deploy time. */
  private keepLog(configuration: StageConfiguration): void {
    const rule = new CfnRule(this, 'Everything', {
      description: 'Keeps every event for as long as logs are kept',
      eventBusName: this.bus.eventBusName,
      eventPattern: { source: [eventSource(configuration)] },
      targets: [{ id: 'Log', arn: this.log.logGroupArn }],
    });
    const policy = new ResourcePolicy(this, 'LogPolicy', {
      resourcePolicyName: `${Stack.of(this).stackName}-events`,
      policyStatements: [
        new PolicyStatement({
          sid: 'KeepEvents',
          principals: [
            new ServicePrincipal('events.amazonaws.com'),
            new ServicePrincipal('delivery.logs.amazonaws.com'),
          ],
          actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
          resources: [this.log.logGroupArn],
        }),
      ],
    });
    rule.node.addDependency(policy);
  }
}
