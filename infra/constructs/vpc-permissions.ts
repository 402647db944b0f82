// Permissions of a function in private subnets. Lambda creates the network interfaces with the role of the function, so
// the role allows it, and a deny statement keeps the function's own code from it.
import type { Stack } from 'aws-cdk-lib';
import type { Permission } from './permissions.ts';

const actions = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
] as const;

export const createNetworkInterfaces: Permission = {
  actions,
  resources: ['*'],
  wildcard: 'Lambda requires these permissions for all network interfaces.',
};

/** Requests of the function's code carry the key of this condition. Those of Lambda do not. */
export const denyNetworkInterfacesToCode = ({ partition, region, account }: Stack): Permission => ({
  actions,
  resources: ['*'],
  conditions: { ArnLike: { 'lambda:SourceFunctionArn': `arn:${partition}:lambda:${region}:${account}:function:*` } },
});
