// Rows of a create-port file as cells, for the grid, the API and workbooks.
import { numberAt, simAt } from './valid-rows.ts';

const valid = {
  msisdn: '',
  serialNo: '',
  pac: 'ABC123456',
  portType: 'Port',
  targetNetwork: 'UK Mobile A',
  sourceNetwork: 'Source Mobile One',
  connectionDate: 'auto',
  tariff: '2001',
  provisioningOrder: '5001',
};

export const createPortHeader: readonly string[] = Object.keys(valid);

/** The number and the SIM of the index, in a valid row but for `changed`. */
export const createPortCells = (index: number, changed: Partial<typeof valid> = {}): string[] =>
  Object.values({ ...valid, msisdn: numberAt(index), serialNo: simAt(index), ...changed });
