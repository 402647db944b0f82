// The outputs of a stack.
import { CfnOutput } from 'aws-cdk-lib';
import { Construct } from 'constructs';

/** The command line finds the resources of a deployed stack by the names of these outputs. */
export function writeOutputs(stack: Construct, outputs: Readonly<Record<string, string>>): void {
  const scope = new Construct(stack, 'Outputs');
  for (const [name, value] of Object.entries(outputs)) new CfnOutput(scope, name, { value }).overrideLogicalId(name);
}
