// A deployed stack: where its resources are, by the outputs of CloudFormation.
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { Failure } from './failure.ts';

/**
 * The outputs of a stack by name, with the usual AWS credentials and region.
 * @throws Failure when there is no such stack in that account and region
 */
export async function stackOutputs(
  name: string,
  client = new CloudFormationClient({}),
): Promise<Record<string, string>> {
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name })).catch((cause: unknown) => {
    if (!(cause instanceof Error && cause.name === 'ValidationError')) throw cause;
    throw new Failure(`There is no stack "${name}" here.`, {
      advice: 'Check the name, AWS_PROFILE and AWS_REGION: `aws cloudformation list-stacks` shows what there is.',
      cause,
    });
  });
  const outputs: Record<string, string> = {};
  for (const { OutputKey, OutputValue } of Stacks?.[0]?.Outputs ?? []) {
    if (OutputKey !== undefined && OutputValue !== undefined) outputs[OutputKey] = OutputValue;
  }
  return outputs;
}
