// The API behind an HTTP API: what an answer with a text and one with bytes look like to API Gateway.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createApi } from '#functions/api/http/app.ts';
import { endpoint } from '#functions/api/http/endpoint.ts';
import { createApiHandler, maxAnswerBytes } from '#functions/api/http/lambda.ts';
import { limits } from '#local/limits.ts';
import { apiPrefix } from '#shared/api/agreed-names.ts';
import { openUpload } from '#shared/files/open-upload.ts';
import { startApiWorld } from '../../../support/api/simulated-api.ts';
import { silentLog } from '../../../support/steps/test-pipeline.ts';

const person = {
  sub: 'v',
  token_use: 'id',
  email: 'v@example.com',
  email_verified: 'true',
  'cognito:groups': '[viewer]',
};

const answerTo = (
  path: string,
  query = '',
  claims: Record<string, string> = person,
  { api }: Pick<ReturnType<typeof startApiWorld>, 'api'> = startApiWorld(),
) =>
  createApiHandler(api)({
    rawPath: `${apiPrefix}${path}`,
    rawQueryString: query,
    requestContext: {
      domainName: 'console.example',
      http: { method: 'GET' },
      authorizer: { jwt: { claims } },
    },
  });

test('a template as a workbook arrives byte for byte, and has the columns of the CSV, which has its mark', async () => {
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
  // Excel reads UTF-8 without a mark as the encoding of the country.
  expect(csv.body.split('\r\n')[0]).toBe(`\uFEFF${opened.ok && opened.value.header.join(',')}`);
});

test.each(['50%', '#12', '%41%41', 'a b'])('a path is the text that an HTTP API has decoded: %s', async (text) => {
  const { statusCode, body } = await answerTo(`/numbers/${text}`);
  expect([statusCode, JSON.parse(body).code]).toEqual([400, 'invalid-request']);
});

test('JSON and an answer without a body stay texts', async () => {
  const { isBase64Encoded, body } = await answerTo('/me');
  expect([isBase64Encoded, JSON.parse(body).name]).toEqual([false, 'v@example.com']);
});

/** An API whose answer is a text of so many quotes, each of which takes four bytes of the answer of the function. */
function apiOfQuotes(count: number) {
  const description = {
    at: 'GET /quotes',
    role: 'viewer',
    summary: 'Quotes',
    accepts: {},
    answer: z.string(),
  } as const;
  const { run } = endpoint(description, async () => '"'.repeat(count));
  const endpoints = [
    {
      name: 'quotes',
      description,
      run: () => run({ path: {}, query: {}, body: () => ({}), caller: undefined as never, writeId: '' }, undefined),
    },
  ];
  return createApi({ endpoints, limit: { perSecond: 9, burst: 9 }, wall: () => 0, log: silentLog });
}

test('an answer that Lambda cannot send is a problem that says so, and one that just fits is sent', async () => {
  expect(maxAnswerBytes).toBe(limits.lambdaAnswerBytes.value);
  const empty = await answerTo('/quotes', '', person, { api: apiOfQuotes(0) });
  const most = Math.floor((maxAnswerBytes - Buffer.byteLength(JSON.stringify(empty))) / 4);
  expect((await answerTo('/quotes', '', person, { api: apiOfQuotes(most) })).statusCode).toBe(200);
  const { statusCode, headers, body } = await answerTo('/quotes', '', person, { api: apiOfQuotes(most + 1) });
  expect([statusCode, headers['content-type']]).toEqual([422, 'application/problem+json']);
  expect(JSON.parse(body)).toMatchObject({
    code: 'answer-too-large',
    detail: expect.stringContaining('smaller limit'),
  });
});

test.each([
  ['false', 'Company_v-17', 'Company_v-17'],
  ['', '', 'v'],
])('an address that nobody verified (%s) names no person in the audit trail', async (verified, username, shown) => {
  const claims = { ...person, email: 'boss@example.com', email_verified: verified, 'cognito:username': username };
  const { body } = await answerTo('/me', '', claims);
  expect(JSON.parse(body).name).toBe(shown);
});

test.each(['access', ''])('a token of another kind (%j), which names nobody, is declined', async (kind) => {
  const { statusCode } = await answerTo('/me', '', { ...person, token_use: kind, client_id: 'the console' });
  expect(statusCode).toBe(401);
});
