// The embedded Secrets Manager: GetSecretValue over the wire for the few secrets a stack has.

import * as z from 'zod';
import { serveOnLoopback } from '../loopback.ts';

export interface EmbeddedSecrets {
  readonly url: string;
  readonly tcpPort: number;
  /** Stores the text of a secret; `name` is what its ARN ends in. */
  put(arn: string, text: string): void;
  stop(): Promise<void>;
}

const getSecretValue = z.object({ SecretId: z.string() });

/** The secret's name: an ARN ends in `secret:NAME`; anything else is a name already. */
const nameOf = (secretId: string): string => secretId.replace(/^arn:[^:]*:secretsmanager:[^:]*:[^:]*:secret:/, '');

export const startSecrets = async (clock: () => number, preferredTcpPort = 0): Promise<EmbeddedSecrets> => {
  const secrets = new Map<string, { readonly arn: string; readonly text: string; readonly createdAt: number }>();

  const answer = (target: string | undefined, body: string): { status: number; content: unknown } => {
    if (target !== 'secretsmanager.GetSecretValue') {
      return {
        status: 400,
        content: { __type: 'InvalidRequestException', message: `${target} is not available here` },
      };
    }
    const request = getSecretValue.safeParse(JSON.parse(body));
    if (!request.success) {
      return { status: 400, content: { __type: 'InvalidParameterException', message: z.prettifyError(request.error) } };
    }
    const name = nameOf(request.data.SecretId);
    const secret = secrets.get(name);
    if (secret === undefined) {
      const message = `Secrets Manager can't find the specified secret: ${name}`;
      return { status: 400, content: { __type: 'ResourceNotFoundException', message } };
    }
    const content = {
      ARN: secret.arn,
      Name: name,
      SecretString: secret.text,
      VersionId: '00000000-0000-0000-0000-000000000001',
      VersionStages: ['AWSCURRENT'],
      CreatedDate: secret.createdAt / 1_000,
    };
    return { status: 200, content };
  };

  const server = await serveOnLoopback(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const target = request.headers['x-amz-target'];
    const { status, content } = answer(target?.toString(), Buffer.concat(chunks).toString() || '{}');
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(content));
  }, preferredTcpPort);

  return {
    url: server.url,
    tcpPort: server.tcpPort,
    put: (arn, text) => {
      secrets.set(nameOf(arn), { arn, text, createdAt: clock() });
    },
    stop: server.close,
  };
};
