// Releases by CodeDeploy: the alias of a function moves to its new version, and back if an alarm fires.
import { Duration } from 'aws-cdk-lib';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
  TimeBasedCanaryTrafficRouting,
} from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { acknowledgeWildcard } from '../cdk-conventions.ts';
import { releaseMode, stackName } from '../derived-settings.ts';
import type { Configuration } from '../settings.ts';
import type { Alarms } from './alarms.ts';
import type { MonitoringSources } from './monitoring-sources.ts';

/** A release that ends work wrongly does not crash: it declines requests, or asks people to act. */
const watched = ['DuplicatePorts', 'DeclinedRequests', 'ActionRequiredRows'] as const;

interface ReleasesProps {
  readonly functions: MonitoringSources['functions'];
  readonly configuration: Configuration;
  /** Required for a canary release. */
  readonly alarms: Alarms | undefined;
}

export class Releases extends Construct {
  constructor(scope: Construct, id: string, { configuration, functions, alarms }: ReleasesProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application', { applicationName: stackName(configuration.stage) });
    const role = this.createRole(Object.values(functions).map(({ lambda }) => lambda.functionArn));
    const isCanary = releaseMode(configuration) === 'canary';
    const { CANARY_10PERCENT_10MINUTES, ALL_AT_ONCE } = LambdaDeploymentConfig;
    const deploymentConfig = isCanary ? CANARY_10PERCENT_10MINUTES : ALL_AT_ONCE;
    const deploymentConfigOfSync = isCanary ? this.halfOfTheRuns() : ALL_AT_ONCE;
    for (const one of Object.values(functions)) {
      if (!(one.target instanceof Alias)) throw new Error(`${one.node.path} has no alias`);
      new LambdaDeploymentGroup(this, one.node.id, {
        application,
        alias: one.target,
        role,
        deploymentConfig: one === functions.sync ? deploymentConfigOfSync : deploymentConfig,
        alarms: alarms?.named(`${one.node.id}Errors`, ...watched) ?? [],
        // A fix must be deployable while an alarm is firing.
        ignoreAlarmConfiguration: !isCanary,
      });
    }
  }

  /** Sync runs every few minutes, so a tenth of its invocations would be no sample. */
  private halfOfTheRuns(): ILambdaDeploymentConfig {
    return new LambdaDeploymentConfig(this, 'HalfFor15Minutes', {
      trafficRouting: new TimeBasedCanaryTrafficRouting({ interval: Duration.minutes(15), percentage: 50 }),
    });
  }

  /** What AWSCodeDeployRoleForLambdaLimited allows, for these functions only. */
  private createRole(functionArns: readonly string[]) {
    const role = new Role(this, 'Role', {
      description: 'Moves the aliases of the functions to their new versions',
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    });
    const qualified = functionArns.map((arn) => `${arn}:*`);
    role.addToPolicy(
      new PolicyStatement({
        sid: 'MoveAliases',
        actions: ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
        resources: [...functionArns, ...qualified],
      }),
    );
    role.addToPolicy(
      new PolicyStatement({ sid: 'ReadAlarms', actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }),
    );
    for (const arn of qualified) acknowledgeWildcard(role, arn, 'the versions and aliases of the function');
    acknowledgeWildcard(role, '*', 'CodeDeploy lists alarms, as its managed policy allows');
    // Otherwise the deployment groups would attach the managed policy.
    return role.withoutPolicyUpdates();
  }
}
