// Which failures prove that nothing was sent: only then is it safe to send again.
import { describe, expect, test } from 'vitest';
import { createHttpExchange, wasNeverSent } from '#shared/service/http-exchange.ts';

const systemError = (code: string, syscall?: string) => Object.assign(new Error(code), { code, syscall });

describe('nothing was sent', () => {
  test.each([
    ['a refused connection', systemError('ECONNREFUSED', 'connect')],
    ['a connection that timed out', systemError('ETIMEDOUT', 'connect')],
    ['an unreachable host', systemError('EHOSTUNREACH', 'connect')],
    ['an unknown name', systemError('ENOTFOUND', 'getaddrinfo')],
    ['a name server that is down', systemError('EAI_AGAIN', 'getaddrinfo')],
    ["fetch's own connect time-out", systemError('UND_ERR_CONNECT_TIMEOUT')],
    ['a certificate that has expired', systemError('CERT_HAS_EXPIRED')],
    ['a certificate for another name', systemError('ERR_TLS_CERT_ALTNAME_INVALID')],
    [
      'two addresses, both refused',
      new AggregateError([systemError('ECONNREFUSED', 'connect'), systemError('ETIMEDOUT', 'connect')]),
    ],
  ])('%s', (_name, error) => {
    expect(wasNeverSent(error)).toBe(true);
  });
});

describe('something may have been sent', () => {
  test.each([
    ['a reset while reading', systemError('ECONNRESET', 'read')],
    ['a time-out while reading', systemError('ETIMEDOUT', 'read')],
    ['a broken pipe', systemError('EPIPE', 'write')],
    ['a socket closed by the other side', systemError('UND_ERR_SOCKET')],
    ['a time-out for headers', systemError('UND_ERR_HEADERS_TIMEOUT')],
    [
      'two addresses, one reset',
      new AggregateError([systemError('ECONNREFUSED', 'connect'), systemError('ECONNRESET', 'read')]),
    ],
    ['no address at all', new AggregateError([])],
    ['our own time-out', new DOMException('late', 'TimeoutError')],
    ['an error without a code', new Error('who knows')],
    ['something that is no error', 'ECONNREFUSED'],
  ])('%s', (_name, error) => {
    expect(wasNeverSent(error)).toBe(false);
  });
});

test('a host name that does not resolve: nothing was sent, as fetch reports it', async () => {
  const cause = systemError('ENOTFOUND', 'getaddrinfo');
  const exchange = createHttpExchange({ fetch: () => Promise.reject(new TypeError('fetch failed', { cause })) });

  const outcome = await exchange({ method: 'POST', url: new URL('https://nowhere.invalid/'), headers: {} });

  expect(outcome).toEqual({ kind: 'not-sent', reason: 'no connection to nowhere.invalid (ENOTFOUND)', cause });
});
