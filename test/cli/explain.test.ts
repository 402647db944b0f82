import { describe, expect, it } from 'vitest';
import { explain } from '#cli/explain.ts';
import { Failure, usageFailure } from '#cli/failure.ts';
import { memoryStream } from '../support/cli-terminal.ts';

const around = (env: Record<string, string> = {}, signal = new AbortController().signal) => ({
  env,
  signal,
  stderr: memoryStream().stream,
});

describe('explain', () => {
  it('gives a failure in one line, and what to do in another', () => {
    const failure = new Failure('No engine is running.', { advice: 'Start one: npm start' });
    expect(explain(failure, around())).toEqual({
      lines: ['error: No engine is running.', '→ Start one: npm start'],
      exitCode: 3,
    });
  });

  it('tells a wrong command line from a failure by the exit code', () => {
    expect(explain(usageFailure('no'), around()).exitCode).toBe(2);
  });

  it('knows what to do about what the SDK throws', () => {
    const error = Object.assign(new Error('Could not load credentials'), { name: 'CredentialsProviderError' });
    expect(explain(error, around()).lines[1]).toContain('AWS_PROFILE');
  });

  it('finds the cause of an error that says nothing', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(explain(new AggregateError([refused]), around()).lines[0]).toContain('ECONNREFUSED 127.0.0.1');
  });

  it('shows a stack only with DEBUG', () => {
    const error = new Error('odd');
    expect(explain(error, around()).lines).toHaveLength(2);
    expect(explain(error, around({ DEBUG: '1' })).lines.join('\n')).toContain('explain.test.ts');
  });

  it('says that it was stopped, whatever the stop made fail', () => {
    expect(explain(new Error('socket closed'), around({}, AbortSignal.abort()))).toEqual({
      lines: ['Stopped.'],
      exitCode: 130,
    });
  });
});
