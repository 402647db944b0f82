// Accepting a finding of the checkers, always with its reason. A wildcard in a policy is accepted one resource at a time,
// so that a second, unintended one is still an error.
import { Stack, Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

export const acknowledge = (construct: Construct, id: string, reason: string): void =>
  Validations.of(construct).acknowledge({ id, reason });

/** Accepts that `resource` (an ARN that ends in a wildcard) stands in a policy below `construct`. */
export function acknowledgeWildcard(construct: Construct, resource: string, reason: string): void {
  const spelling = flatten(Stack.of(construct).resolve(resource));
  acknowledge(construct, `AwsSolutions-IAM5[Resource::${spelling}]`, reason);
}

/** An ARN as cdk-nag spells it: `<LogicalId.Arn>/imports/*`. */
function flatten(value: unknown): string {
  if (typeof value === 'string') return value;
  const intrinsic = value as { Ref?: string; 'Fn::GetAtt'?: string[]; 'Fn::Join'?: [string, unknown[]] };
  if (intrinsic.Ref) return `<${intrinsic.Ref}>`;
  if (intrinsic['Fn::GetAtt']) return `<${intrinsic['Fn::GetAtt'].join('.')}>`;
  const [separator, parts] = intrinsic['Fn::Join'] ?? ['', []];
  return parts.map(flatten).join(separator);
}
