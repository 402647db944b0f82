// The embedded DynamoDB: the dynoxide program on a loopback port, in memory or in one file.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startGuarded } from '../guarded-process.ts';
import { findFreeTcpPort } from '../loopback.ts';

export interface EmbeddedDynamoDb {
  readonly url: string;
  readonly tcpPort: number;
  readonly guardPid: number | undefined;
  stop(): Promise<void>;
}

/** @throws Error that says what to do where no program exists for this machine. */
const findProgram = (platform: string, architecture: string): string => {
  const name = `@dynoxide/${platform}-${architecture}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'dynoxide');
  } catch (cause) {
    throw new Error(
      `There is no embedded DynamoDB for this machine (${name} is not installed). ` +
        'Start DynamoDB Local or LocalStack and set AWS_ENDPOINT_URL_DYNAMODB to its address, for instance http://127.0.0.1:8000.',
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

/**
 * Starts DynamoDB and waits until it answers.
 *
 * @param file where the tables are kept; in memory where undefined.
 * @param preferredTcpPort taken where it is free.
 */
export const startDynamoDb = async (file?: string, preferredTcpPort = 0): Promise<EmbeddedDynamoDb> => {
  const program = findProgram(process.platform, process.arch);
  const tcpPort = await findFreeTcpPort(preferredTcpPort);
  const storage = file === undefined ? [] : ['--db-path', file];
  const guarded = startGuarded(
    program,
    ['serve', '--host', '127.0.0.1', '--port', String(tcpPort), ...storage],
    process.env,
  );
  let complaint = '';
  guarded.child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2_000);
  });
  guarded.child.stdout?.resume();
  let over = false;
  void guarded.exited.then(() => {
    over = true;
  });

  const url = `http://127.0.0.1:${tcpPort}`;
  const deadline = performance.now() + startTimeoutMs;
  while (!(await answers(url))) {
    if (over || performance.now() > deadline) {
      await guarded.stop();
      throw new Error(`The embedded DynamoDB did not start: ${complaint.trim() || 'it gave no reason'}`);
    }
    await delay(10);
  }
  return { url, tcpPort, guardPid: guarded.child.pid, stop: guarded.stop };
};
