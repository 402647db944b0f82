// The embedded Secrets Manager: GetSecretValue for the secrets of the template.
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { operationOf, readBody } from '../http/read-body.ts';

export interface EmbeddedSecrets {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Stores the text of a secret. */
  put(arn: string, text: string): void;
}

const getSecretValue = z.object({ SecretId: z.string() });
const largestRequestBytes = 65_536;

/** An ARN ends in `secret:NAME`; anything else is a name already. */
const nameOf = (secretId: string): string => secretId.replace(/^arn:[^:]*:secretsmanager:[^:]*:[^:]*:secret:/, '');

const declined = (__type: string, message: string) => ({ status: 400, content: { __type, message } });

export const createSecrets = (clock: () => number): EmbeddedSecrets => {
  const secrets = new Map<string, { readonly arn: string; readonly text: string; readonly createdAt: number }>();

  const answer = (operation: string, body: string): { status: number; content: unknown } => {
    if (operation !== 'GetSecretValue')
      return declined('InvalidRequestException', `${operation} is not available here`);
    const request = getSecretValue.safeParse(JSON.parse(body));
    if (!request.success) return declined('InvalidParameterException', z.prettifyError(request.error));
    const name = nameOf(request.data.SecretId);
    const secret = secrets.get(name);
    if (secret === undefined) {
      return declined('ResourceNotFoundException', `Secrets Manager can't find the specified secret: ${name}`);
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

  return {
    handle: async (request, response) => {
      const body = await readBody(request, largestRequestBytes);
      const { status, content } = answer(operationOf(request), body.toString());
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(content));
    },
    put: (arn, text) => {
      secrets.set(nameOf(arn), { arn, text, createdAt: clock() });
    },
  };
};
