// Which addresses the client accepts, and that a path cannot lead to another host.
import { describe, expect, test } from 'vitest';
import { addressUnder, serviceAddress } from '#shared/service/service-texts.ts';

describe('an address is accepted', () => {
  test.each([
    'https://porting.example.com',
    'https://porting.example.com:8443/gateway/',
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://127.9.9.9',
    'http://[::1]:3000',
  ])('%s', (text) => {
    expect(serviceAddress('baseUrl', text).href).toContain(new URL(text).host);
  });
});

describe('an address is rejected', () => {
  test.each([
    ['without TLS', 'http://porting.example.com', 'expected https'],
    ['of a name that only looks local', 'http://127.0.0.1.example.com', 'expected https'],
    ['of another protocol', 'ftp://localhost', 'expected https'],
    ['with a password', 'https://user:hunter2@porting.example.com', 'expected an address without user'],
    ['with a query', 'https://porting.example.com/?key=1', 'expected an address without user'],
    ['that is none', 'porting', 'expected an https address, got "porting"'],
  ])('%s', (_name, text, message) => {
    expect(() => serviceAddress('authUrl', text)).toThrow(`authUrl: ${message}`);
  });

  test('without repeating the password', () => {
    expect(() => serviceAddress('authUrl', 'https://user:hunter2@porting.example.com')).toThrow(/^(?!.*hunter2)/);
  });
});

describe('a path', () => {
  const base = serviceAddress('baseUrl', 'https://porting.example.com/gateway/');

  test('is joined by exactly one slash', () => {
    expect(addressUnder(base, '/api/company').href).toBe('https://porting.example.com/gateway/api/company');
    expect(addressUnder(base, 'api/company?x=1').href).toBe('https://porting.example.com/gateway/api/company?x=1');
  });

  test.each(['@evil.example/', '//evil.example/', '\\\\evil.example/', ':80@evil.example'])(
    '%s stays on the host',
    (path) => {
      expect(addressUnder(base, path).host).toBe('porting.example.com');
      expect(addressUnder(serviceAddress('baseUrl', 'https://porting.example.com'), path).host).toBe(
        'porting.example.com',
      );
    },
  );
});
