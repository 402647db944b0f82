// Accepts findings of cdk-nag, each with its reason. Wildcards are accepted one resource at a time, so that a second,
// unintended wildcard is still an error.
import { Stack, Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

export const acknowledge = (construct: Construct, id: string, reason: string): void =>
  Validations.of(construct).acknowledge({ id, reason });

/** Accepts the ARN `resource`, which ends in a wildcard, in the policies below `construct`. */
export function acknowledgeWildcard(construct: Construct, resource: string, reason: string): void {
  const arn = formatArn(Stack.of(construct).resolve(resource));
  acknowledge(construct, `AwsSolutions-IAM5[Resource::${arn}]`, reason);
}

/** Formats an ARN as cdk-nag does: `<LogicalId.Arn>/imports/*`. */
function formatArn(value: unknown): string {
  if (typeof value === 'string') return value;
  const intrinsic = value as {
    Ref?: string;
    'Fn::GetAtt'?: string[];
    'Fn::ImportValue'?: string;
    'Fn::Join'?: [string, unknown[]];
  };
  if (intrinsic.Ref) return `<${intrinsic.Ref}>`;
  if (intrinsic['Fn::GetAtt']) return `<${intrinsic['Fn::GetAtt'].join('.')}>`;
  // An export of another stack.
  if (intrinsic['Fn::ImportValue']) return intrinsic['Fn::ImportValue'];
  const [separator, values] = intrinsic['Fn::Join'] ?? ['', []];
  return values.map(formatArn).join(separator);
}
