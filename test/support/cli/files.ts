// CSV files for tests of the command line: rows that the simulator accepts, and rows with known errors.
const header =
  'msisdn,serialNo,pac,portType,targetNetwork,sourceNetwork,connectionDate,tariff,provisioningOrder,reference';

export interface RowValues {
  readonly msisdn: string;
  readonly pac?: string;
  readonly tariff?: string;
  readonly reference?: string;
  /** @default 'auto' */
  readonly connectionDate?: string;
}

export const createPortRow = ({
  msisdn,
  pac = 'ABC123456',
  tariff = '2001',
  reference = '',
  connectionDate = 'auto',
}: RowValues): string =>
  [
    msisdn,
    `8944001011001${msisdn.slice(-6)}`,
    pac,
    'Port',
    'UK Mobile A',
    'Source Mobile One',
    connectionDate,
    tariff,
    '5001',
    reference,
  ].join(',');

export const createPortFile = (rows: readonly RowValues[]): string =>
  `${[header, ...rows.map(createPortRow)].join('\r\n')}\r\n`;
