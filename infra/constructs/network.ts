// A function in the private subnets of the account. Lambda itself, not the code in it, makes the network interfaces, but
// with the role of the function: the rights are allowed to Lambda and denied to the code.
import type { Stack } from 'aws-cdk-lib';
import type { Permission } from './permission.ts';

const actions = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
] as const;

export const joinNetwork: Permission = {
  actions,
  resources: ['*'],
  wildcard: 'Lambda refuses a function in a network unless its role may do this with every interface.',
};

/** The condition is on requests that a function's code makes; those of Lambda itself carry no such key. */
export const keepNetworkFromCode = ({ partition, region, account }: Stack): Permission => ({
  actions,
  resources: ['*'],
  conditions: { ArnLike: { 'lambda:SourceFunctionArn': `arn:${partition}:lambda:${region}:${account}:function:*` } },
});
