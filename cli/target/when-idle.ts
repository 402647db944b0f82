// Calls sync, which runs once at a time, once its current run has ended.
import type { CliContext } from '../context/cli-context.ts';
import { CliError } from '../context/cli-error.ts';

const retryMs = 2_000;
const timeoutMs = 120_000;

/** @throws CliError after two minutes */
export async function whenIdle<Answer>(
  { clock, wait }: CliContext,
  call: () => Promise<Answer | 'busy'>,
): Promise<Answer> {
  for (const deadline = clock() + timeoutMs; clock() < deadline; await wait(retryMs)) {
    const answer = await call();
    if (answer !== 'busy') return answer;
  }
  throw new CliError('Nothing was changed: a run of sync has been in progress for two minutes.', {
    advice: 'Run the same command again in a few minutes.',
  });
}
