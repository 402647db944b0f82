// The embedded DynamoDB exists for one kind of machine. On every other one, the error is a command and a setting.
import { expect, test } from 'vitest';
import { findProgram } from '#local/aws/dynamodb.ts';

test.each([
  ['darwin', 'arm64'],
  ['darwin', 'x64'],
  ['linux', 'arm64'],
  ['win32', 'x64'],
])('on %s %s the error names what is missing, one command, and how to use it', (platform, architecture) => {
  const find = () => findProgram(platform, architecture);
  expect(find).toThrow(`@dynoxide/${platform}-${architecture} is not installed`);
  expect(find).toThrow('docker run --detach --publish 8000:8000 amazon/dynamodb-local');
  expect(find).toThrow('AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000');
});
