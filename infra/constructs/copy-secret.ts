// A command that copies the value of a secret to the AWS service that uses it. CloudFormation does so when it creates
// the resource, and then only when the template of the resource changes.

interface CopySecretProps {
  readonly secretName: string;
  /** Text: the whole value. JSON: members of it. */
  readonly holds: 'text' | 'json';
  /** The command of the AWS CLI that writes it. */
  readonly command: string;
  /** What the command writes. */
  readonly input: object;
  /** Where in the input the value belongs, and which part of it: paths of jq. */
  readonly to: string;
  readonly from: string;
}

/** The value is in no file and in no argument, which other people on a machine can read. */
export const copySecret = ({ secretName, holds, command, input, to, from }: CopySecretProps): string =>
  [
    `aws secretsmanager get-secret-value --secret-id ${secretName} --query SecretString --output text`,
    `jq ${holds === 'text' ? '--raw-input ' : ''}'. as $secret | ${JSON.stringify(input)} | ${to} = ($secret | ${from})'`,
    `aws ${command} --cli-input-json file:///dev/stdin`,
  ].join(' | ');
