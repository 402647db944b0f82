// The embedded DynamoDB: the dynoxide program on a loopback address, in memory or in one file.
import { randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ChildProgram, startChild } from '../child-process.ts';
import { findFreeTcpPort } from '../http/loopback.ts';

/** Where a DynamoDB listens. */
export interface DynamoDbAddress {
  readonly host: string;
  readonly tcpPort: number;
}

export type FindAddress = () => Promise<DynamoDbAddress>;

export interface EmbeddedDynamoDb extends ChildProgram {
  readonly url: string;
  readonly address: DynamoDbAddress;
}

/**
 * A random address. The program accepts requests of web pages, so its address must not be easy to guess. Linux and
 * Windows have 16 million loopback addresses; macOS and some containers have one.
 */
const findDynamoDbAddress: FindAddress = async () => {
  const addressAt = async (host: string) => ({ host, tcpPort: await findFreeTcpPort(host) });
  const host = [127, randomInt(256), randomInt(256), randomInt(1, 255)].join('.');
  return addressAt(host).catch(() => addressAt('127.0.0.1'));
};

/** @throws Error that names what to install, where no program for this machine is installed */
export const findProgram = (platform: string, architecture: string): string => {
  const name = `@dynoxide/${platform}-${architecture}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return join(folder, platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch (cause) {
    throw new Error(
      `The embedded DynamoDB is missing: ${name} is not installed. Install again without --omit=optional. Where npm ` +
        'has no such package, set AWS_ENDPOINT_URL_DYNAMODB to the address of DynamoDB Local, which runs on Java.',
      { cause },
    );
  }
};

const answers = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.ListTables' },
      body: '{}',
    });
    await response.arrayBuffer();
    return true;
  } catch {
    return false;
  }
};

const startTimeoutMs = 10_000;
const mostAddresses = 5;

/**
 * Starts DynamoDB and waits until it answers.
 * @param file where the tables are kept; in memory where undefined
 * @param findAddress asked again while the TCP port of the address is taken
 * @throws Error with the file and the output of the program
 */
export const startDynamoDb = async (
  file?: string,
  findAddress: FindAddress = findDynamoDbAddress,
): Promise<EmbeddedDynamoDb> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await startAt(await findAddress(), file);
    } catch (error) {
      if (!(error instanceof TcpPortTaken) || tried === mostAddresses) throw error;
    }
  }
};

/** The program also declines a TCP port on which another program listens at another loopback address. */
class TcpPortTaken extends Error {
  override readonly name = 'TcpPortTaken';
}

const startAt = async (address: DynamoDbAddress, file: string | undefined): Promise<EmbeddedDynamoDb> => {
  const program = findProgram(process.platform, process.arch);
  const { host, tcpPort } = address;
  const words = [
    'serve',
    '--host',
    host,
    '--port',
    String(tcpPort),
    ...(file === undefined ? [] : ['--db-path', file]),
  ];
  const started = startChild(program, words, process.env, file && `${file}.lock`);
  let output = '';
  started.child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-2_000);
  });
  started.child.stdout?.resume();
  let over = false;
  void started.exited.then(() => {
    over = true;
  });

  const url = `http://${host}:${tcpPort}`;
  const deadline = performance.now() + startTimeoutMs;
  while (!(await answers(url))) {
    if (over || performance.now() > deadline) {
      await started.stop();
      const where = file === undefined ? '' : ` on ${file}`;
      const message = `The embedded DynamoDB did not start${where}: ${output.trim() || 'it gave no reason'}`;
      throw output.includes('already in use') ? new TcpPortTaken(message) : new Error(message);
    }
    await delay(10);
  }
  return { ...started, url, address };
};
