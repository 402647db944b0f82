// The simulator as a test starts it.
import { expect, test } from 'vitest';
import { startSimulator } from '#simulator/start-simulator.ts';

test('a stranger starts it, gets a token, calls it and stops it', async () => {
  const service = await startSimulator();
  const form = { grant_type: 'client_credentials', client_id: service.clientId, client_secret: service.clientSecret };
  const answer = await fetch(`${service.authUrl}/connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}` };
  const ports = await fetch(`${service.baseUrl}/api/porting/${service.accountId}`, { headers });
  expect(await ports.json()).toEqual({ total: 0, totalPages: 0, data: [] });
  await service.stop();
  await expect(fetch(service.baseUrl)).rejects.toThrow();
});

test('two simulators share nothing', async () => {
  const services = [await startSimulator(), await startSimulator()];
  expect(new Set(services.map(({ baseUrl }) => baseUrl)).size).toBe(2);
  expect(new Set(services.map(({ clientSecret }) => clientSecret)).size).toBe(2);
  for (const service of services) await service.stop();
});

test('a simulator without a client is an error', async () => {
  await expect(startSimulator({ clients: [] })).rejects.toThrow('The simulator needs at least one client.');
});
