// Where the embedded DynamoDB is not installed, the error names the package and the setting.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findProgram, startDynamoDb } from '#local/aws/dynamodb.ts';
import { findFreeTcpPort } from '#local/http/loopback.ts';

test.each([
  ['freebsd', 'x64'],
  ['linux', 'riscv64'],
])('on %s %s the error names what is missing and what to do', (platform, architecture) => {
  const find = () => findProgram(platform, architecture);
  expect(find).toThrow(`@dynoxide/${platform}-${architecture} is not installed. Install again`);
  expect(find).toThrow('set AWS_ENDPOINT_URL_DYNAMODB');
});

test('a TCP port that a program has at another loopback address is not taken: the next address is tried', async (context) => {
  const other = createServer().listen(0, '127.0.0.1');
  context.onTestFinished(async () => void other.close());
  await once(other, 'listening');
  const host = '127.1.2.3';
  const taken = (other.address() as AddressInfo).port;
  const tcpPorts = [taken, taken, await findFreeTcpPort(host)];
  const { url, stop } = await startDynamoDb(undefined, async () => ({ host, tcpPort: tcpPorts.shift() ?? 0 }));
  context.onTestFinished(() => stop());
  expect(tcpPorts).toEqual([]);
  expect(url).not.toContain(String(taken));

  const always = startDynamoDb(undefined, async () => ({ host, tcpPort: taken }));
  await expect(always).rejects.toThrow(`port ${taken} is already in use`);
});
