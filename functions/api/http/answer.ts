// Turns what a handler returns into a response: JSON, a file, or nothing.
import { hash } from 'node:crypto';
import type { Description, FileAnswer } from './endpoint.ts';

/** @param knownTag the If-None-Match of the request */
export function answerOf(description: Description, answer: unknown, knownTag: string | undefined): Response {
  const { status = 200, etag } = description;
  if (description.files !== undefined) return fileResponse(answer as FileAnswer);
  if (answer === undefined) return new Response(null, { status });
  const text = JSON.stringify(answer);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (!etag) return new Response(text, { status, headers });
  headers.etag = `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
  const isKnown = knownTag?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === headers.etag) === true;
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(text, { status, headers });
}

const fileResponse = ({ fileName, contentType, content }: FileAnswer): Response =>
  new Response(content, {
    status: 200,
    headers: {
      'content-type': contentType,
      'content-disposition': `attachment; filename="${fileName}"`,
    },
  });
