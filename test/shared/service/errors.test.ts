// What a failed call shows about the health of the service.
import { describe, expect, test } from 'vitest';
import { ContractBroken, outcomeOfCall, Rejected } from '#shared/service/errors.ts';

const call = 'GET /api/company';
const broken = (status: number, body: string) =>
  outcomeOfCall(new ContractBroken('what it is', { call, status, body }));

describe('a service counts as failing', () => {
  test.each([300, 302, 399])('when it redirects a lookup with %d', (status) => {
    expect(broken(status, '')).toEqual({ kind: 'failed', because: 'what it is', credentials: false });
  });

  test('when it answers with a web page', () => {
    expect(broken(200, ' <html>Back soon')).toMatchObject({ kind: 'failed' });
  });
});

describe('a service counts as up', () => {
  test('when it answers other JSON: one list is not the whole service', () => {
    expect(broken(200, '{"name":"<b>"}')).toEqual({ kind: 'ok' });
  });

  test('when it declines a call', () => {
    const decline = { message: 'no', fieldErrors: [], msisdns: [] };
    expect(outcomeOfCall(new Rejected(decline, { call, status: 400 }))).toEqual({ kind: 'ok' });
  });
});
