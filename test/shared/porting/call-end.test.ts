// What a look-up that was not answered as described says of the service's health.
import { describe, expect, test } from 'vitest';
import { endOfCall } from '#shared/porting/call-end.ts';
import { ContractBroken, Rejected } from '#shared/porting/errors.ts';

const call = 'GET /api/company';
const broken = (status: number, body: string) => endOfCall(new ContractBroken('what it is', { call, status, body }));

describe('a service is taken for down', () => {
  test.each([300, 302, 399])('that sends a look-up elsewhere with %d', (status) => {
    expect(broken(status, '')).toEqual({ kind: 'sick', because: 'what it is', credentials: false });
  });

  test('that answers with a web page', () => {
    expect(broken(200, ' <html>Back soon')).toMatchObject({ kind: 'sick' });
  });
});

describe('a service is taken for well', () => {
  test('that answers JSON of another kind: one list is not the service', () => {
    expect(broken(200, '{"name":"<b>"}')).toEqual({ kind: 'alive' });
  });

  test('that refuses', () => {
    const refusal = { message: 'no', fieldErrors: [], msisdns: [] };
    expect(endOfCall(new Rejected(refusal, { call, status: 400 }))).toEqual({ kind: 'alive' });
  });
});
