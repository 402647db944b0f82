// Reads the text of a body, up to a limit.
import { readAtMost } from '#shared/domain/text/read-at-most.ts';
import { ApiProblem } from './api-problem.ts';

/** A correction of 10,000 rows has about 2 MB. */
const maxBytes = 4 * 1024 * 1024;

/** @throws ApiProblem for a body that is larger, or whose type is not JSON */
export async function readJsonText(request: Request): Promise<string> {
  if (request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new ApiProblem('unsupported-content', 'Send the body with content-type: application/json.');
  }
  const bytes = request.body === null ? Buffer.alloc(0) : await readAtMost(request.body, maxBytes);
  if (bytes === undefined) throw new ApiProblem('body-too-large', `Send at most ${maxBytes} bytes.`);
  return bytes.toString('utf8');
}
