// The API behind an HTTP API: what an answer with a text and one with bytes look like to API Gateway.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createApiHandler } from '#functions/api/http/lambda.ts';
import { apiPrefix } from '#shared/api/agreed-names.ts';
import { openUpload } from '#shared/files/open-upload.ts';
import { startApiWorld } from '../../../support/api/simulated-api.ts';

const person = { sub: 'v', email: 'v@example.com', email_verified: 'true', 'cognito:groups': '[viewer]' };

const answerTo = (path: string, query = '', claims: Record<string, string> = person) =>
  createApiHandler(startApiWorld().api)({
    rawPath: `${apiPrefix}${path}`,
    rawQueryString: query,
    requestContext: {
      domainName: 'console.example',
      http: { method: 'GET' },
      authorizer: { jwt: { claims } },
    },
  });

test('a template as a workbook arrives byte for byte, and has the columns of the CSV', async () => {
  const { statusCode, headers, body, isBase64Encoded } = await answerTo(
    '/operations/create-port/template',
    'format=xlsx',
  );
  expect([statusCode, isBase64Encoded]).toEqual([200, true]);
  expect(headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  expect(headers['content-disposition']).toContain('create-port.xlsx');
  const opened = await openUpload(Readable.from([Buffer.from(body, 'base64')]));
  const csv = await answerTo('/operations/create-port/template');
  expect(csv.isBase64Encoded).toBe(false);
  expect(opened.ok && opened.value.header.join(',')).toBe(csv.body.split('\r\n')[0]);
});

test('JSON and an answer without a body stay texts', async () => {
  const { isBase64Encoded, body } = await answerTo('/me');
  expect([isBase64Encoded, JSON.parse(body).name]).toEqual([false, 'v@example.com']);
});

test.each([
  ['false', 'Company_v-17', 'Company_v-17'],
  ['', '', 'v'],
])('an address that nobody verified (%s) names no person in the audit trail', async (verified, username, shown) => {
  const claims = { ...person, email: 'boss@example.com', email_verified: verified, 'cognito:username': username };
  const { body } = await answerTo('/me', '', claims);
  expect(JSON.parse(body).name).toBe(shown);
});
