// The settings of the API in tests: a sandbox with the porting simulator.
import type { ApiSettings } from '#functions/api/context.ts';
import { accountId } from '../../chaos/network.ts';

export const apiSettings: ApiSettings = {
  name: 'test',
  kind: 'sandbox',
  colour: '#b00020',
  account: accountId,
  simulated: true,
  zone: 'Europe/London',
  callingCode: '44',
  approval: 'upload',
  maxFileBytes: 1_000_000_000,
  maxRowsPerRequest: 100,
};
