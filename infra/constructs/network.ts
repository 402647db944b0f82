// A function in the private subnets of the account. Lambda itself, not the code in it, makes the network interfaces, but
// with the role of the function: the rights are allowed to Lambda and denied to the code.
import { Stack } from 'aws-cdk-lib';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { StageConfiguration } from '../config.ts';
import type { PipelineFunction } from './pipeline-function.ts';

const interfaceActions = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
] as const;

/** Puts the function into the subnets; from there it needs a way to the service and to AWS (docs/runbook.md). */
export function joinNetwork(
  to: PipelineFunction,
  resource: CfnFunction,
  { subnetIds, securityGroupIds }: NonNullable<StageConfiguration['network']>,
): void {
  resource.vpcConfig = { subnetIds: [...subnetIds], securityGroupIds: [...securityGroupIds] };
  to.allow('JoinNetwork', {
    actions: interfaceActions,
    resources: ['*'],
    wildcard: 'Lambda refuses a function in a network unless its role may do this with every interface.',
  });
  const { partition, region, account } = Stack.of(to);
  to.deny('KeepNetworkFromCode', {
    actions: interfaceActions,
    resources: ['*'],
    conditions: { ArnLike: { 'lambda:SourceFunctionArn': `arn:${partition}:lambda:${region}:${account}:function:*` } },
  });
}
