import { describe, expect, it } from 'vitest';
import { CliError, usageError } from '#cli/context/cli-error.ts';
import { formatError } from '#cli/context/format-error.ts';
import { memoryStream } from '../../support/cli/terminal.ts';

const processWith = (env: Record<string, string> = {}, signal = new AbortController().signal) => ({
  env,
  signal,
  stderr: memoryStream().stream,
});

describe('explain', () => {
  it('shows what happened on one line and what to do on another', () => {
    const failure = new CliError('No emulator is running.', { advice: 'Start one: npm start' });
    expect(formatError(failure, processWith())).toEqual({
      lines: ['error: No emulator is running.', '→ Start one: npm start'],
      exitCode: 3,
    });
  });

  it('has its own exit code for a wrong command line', () => {
    expect(formatError(usageError('no'), processWith()).exitCode).toBe(2);
  });

  it('advises what to do about an error of the SDK', () => {
    const error = Object.assign(new Error('Could not load credentials'), { name: 'CredentialsProviderError' });
    expect(formatError(error, processWith()).lines[1]).toContain('AWS_PROFILE');
  });

  it.each([
    [{ name: 'UnrecognizedClientException' }, 'check the access key'],
    [{ name: 'RequestTimeTooSkewed' }, 'clock of this computer'],
    [{ code: 'ENOTFOUND' }, 'AWS_REGION'],
    [{ code: 'ETIMEDOUT' }, 'firewall'],
    [{ name: 'DirectoryInUseError' }, 'Stop that emulator, or use another folder: --directory .local-2'],
    [{ code: 'EACCES' }, 'who may use it'],
    [{ code: 'EROFS' }, 'can be written'],
    [{ code: 'ENOSPC' }, 'Free some space'],
    [{ code: 'ENOTDIR' }, 'is a file'],
  ])('advises what to do about %j', (known, advice) => {
    expect(formatError(Object.assign(new Error('failed'), known), processWith()).lines[1]).toContain(advice);
  });

  it.each([
    [{ code: 'EROFS', syscall: 'open', path: '/a/m.json' }, '/a/m.json cannot be used: its disk is read-only.'],
    [{ code: 'ENOENT', syscall: 'mkdir', path: '/a/x' }, 'The folder /a/x cannot be created.'],
    [{ code: 'ENOSPC', syscall: 'write' }, 'A file cannot be written or read: the disk is full.'],
  ])('a file that cannot be used is a sentence: %j', (known, sentence) => {
    const { lines } = formatError(Object.assign(new Error(`${known.code}: as Node says it`), known), processWith());
    expect(lines[0]).toBe(`error: ${sentence}`);
    expect(lines[1]).not.toContain('DEBUG');
  });

  it('shows the cause of an error without a message', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(formatError(new AggregateError([cause]), processWith()).lines[0]).toContain('ECONNREFUSED 127.0.0.1');
  });

  it.each([
    [usageError('no'), 'usage'],
    [new CliError('Nothing answers.', { code: 'not-running' }), 'not-running'],
    [Object.assign(new Error('no'), { name: 'AccessDenied' }), 'AccessDenied'],
    [Object.assign(new Error('no'), { code: 'ENOSPC' }), 'ENOSPC'],
    [new Error('odd'), 'failure'],
  ])('with --json is one line of JSON with a code: %o', (error, code) => {
    const { lines } = formatError(error, processWith(), { json: true });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ error: { code, message: error.message } }]);
  });

  it('with --json, Ctrl-C has a code too', () => {
    const { lines } = formatError(new Error('socket closed'), processWith({}, AbortSignal.abort()), { json: true });
    expect(lines).toEqual(['{"error":{"code":"interrupted","message":"Stopped"}}']);
  });

  it('shows a stack only with DEBUG', () => {
    const error = new Error('odd');
    expect(formatError(error, processWith()).lines).toHaveLength(2);
    expect(formatError(error, processWith({ DEBUG: '1' })).lines.join('\n')).toContain('format-error.test.ts');
  });

  it('shows only that it was stopped, whatever failed because of it', () => {
    expect(formatError(new Error('socket closed'), processWith({}, AbortSignal.abort()))).toEqual({
      lines: ['Stopped.'],
      exitCode: 130,
    });
  });
});
