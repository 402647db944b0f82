// What people mean by the rows of a file, for every operation: the values of each row, how a person may write them, and
// what must be sent for them. Nothing here is read with the code that it tests.
import { type Catalogue, createCatalogue } from '#shared/operations/catalogue.ts';
import type { OperationName } from '#shared/text/identity.ts';
import type { Dice } from '../../chaos/dice.ts';
import { countedLookups } from './catalogue.ts';
import { type IngestBench, ingestBench } from './ingest.ts';
import { portId, portsContext } from './operation-ports.ts';
import { simAt } from './valid-rows.ts';

/** What a row is to do, by field. '' is nothing. */
export type Meaning = Readonly<Record<string, string>>;

type Values = Readonly<Record<string, unknown>>;

export interface Field {
  readonly key: string;
  /** Names that are recognised. The first one is that of the column. */
  readonly names: readonly string[];
  /** Names that people use, too. A file that has one must ask, or reject its rows. */
  readonly alike?: readonly string[];
  /** `number`, `sim` and `text` may be damaged by a spreadsheet program; `mark` is yes or no. */
  readonly kind?: 'number' | 'sim' | 'text' | 'mark' | 'hex';
  /** Cells with the same meaning, for some values. */
  readonly written?: Readonly<Record<string, readonly string[]>>;
  /** What a row may mean. */
  readonly values: readonly string[];
}

export interface OperationMeaning {
  readonly operation: OperationName;
  readonly fields: readonly Field[];
  /** At most as many rows. */
  readonly mostRows: number;
  /** What must be sent for the row. */
  readonly expected: (row: Meaning) => unknown;
  /** The same of a row that is planned. */
  readonly sent: (head: Values, row: { readonly subject: string; readonly wire: Values }) => unknown;
}

const sims = Array.from({ length: 12 }, (_, index) => simAt(7 + index * 123_457));
const sim: Field = {
  key: 'sim',
  kind: 'sim',
  names: ['serialNumber', 'SIM', 'ICCID', 'Sim card number'],
  alike: ['Kartennummer', 'Numéro de carte'],
  values: sims,
};
const network: Field = {
  key: 'network',
  names: ['network', 'Network name'],
  alike: ['Netz', 'Réseau'],
  written: { '101': ['101', 'Network A', 'network a'] },
  values: ['101'],
};
const optional = (values: readonly string[]) => ['', ...values];
const numberOf = (text: string): number | undefined => (text === '' ? undefined : Number(text));
const defined = (values: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)))),
  );

/** The options of a ticket and its SIM. */
const ofSim: OperationMeaning['sent'] = ({ networkNumber: _, ...head }, { subject, wire }) =>
  defined({ ...head, sim: subject, ...wire });

const flags: readonly Field[] = [
  { key: 'gprs', names: ['gprs', 'GPRS'], alike: ['Data', 'Mobile data'] },
  { key: 'gprsRoaming', names: ['gprsRoaming', 'gprs roaming'], alike: ['Data roaming'] },
  { key: 'international', names: ['international'], alike: ['International calls'] },
  { key: 'premium', names: ['premium'], alike: ['Premium rate'] },
  { key: 'voiceRoaming', names: ['voiceRoaming', 'Voice roaming'], alike: ['Roaming'] },
].map((field) => ({ ...field, kind: 'mark', values: ['yes', 'yes', ''] }));

const barOf = (operation: OperationName & ('bar' | 'unbar')): OperationMeaning => ({
  operation,
  fields: [sim, ...flags],
  mostRows: 6,
  expected: ({ sim, ...row }) =>
    defined({ ...Object.fromEntries(Object.entries(row).flatMap(([key, yes]) => (yes ? [[key, true]] : []))), sim }),
  sent: ofSim,
});

const order: Field = {
  key: 'provisioningOrderNumber',
  names: ['provisioningOrderNumber', 'Provisioning order'],
  alike: ['Prov order', 'Existing provisioning order', 'Billing order'],
  written: { '5001': ['5001', 'Head Office'], '5002': ['5002', 'field pool'] },
  values: ['5001', '5002'],
};
const tariff: Field = {
  key: 'tariffNumber',
  names: ['tariffNumber', 'Tariff', 'Tariff name'],
  alike: ['Vertrag', 'Forfait'],
  written: { '2001': ['2001', 'Unlimited'], '2003': ['2003', 'classic'] },
  values: ['2001', '2003'],
};
const boltOns: Field = {
  key: 'boltOns',
  names: ['boltOns', 'Bolt-ons', 'Add-ons'],
  alike: ['Extras', 'Data bundle'],
  written: { '101': ['101', 'Data 1 GB'], '101;102': ['101;102', '102; 101', 'Minutes;Data 1 GB'] },
  values: optional(['101', '101;102']),
};
const purchaseOrder: Field = {
  key: 'purchaseOrderNumber',
  kind: 'text',
  names: ['purchaseOrderNumber', 'PO', 'Purchase order'],
  alike: ['Customer PO'],
  values: optional(['PO-4711', '450001234567', '45000123456789012', '00000004711']),
};

const provisionOf = (operation: OperationName & ('provision' | 'change-provision')): OperationMeaning => ({
  operation,
  fields: [
    sim,
    network,
    tariff,
    boltOns,
    { ...order, values: operation === 'provision' ? optional(order.values) : order.values },
    purchaseOrder,
  ],
  mostRows: 6,
  expected: ({ sim, tariffNumber = '', boltOns = '', provisioningOrderNumber = '', purchaseOrderNumber = '' }) =>
    defined({
      sim,
      tariffNumber: Number(tariffNumber),
      boltOns: boltOns === '' ? undefined : boltOns.split(';').map(Number),
      provisioningOrderNumber: numberOf(provisioningOrderNumber),
      purchaseOrderNumber: purchaseOrderNumber || undefined,
    }),
  sent: ofSim,
});

const barServiceConfig: OperationMeaning = {
  operation: 'bar-service-config',
  fields: [
    sim,
    network,
    {
      key: 'services',
      names: ['services', 'Services and bars'],
      alike: ['Dienste'],
      written: {
        'Roaming=on': ['Roaming=on', 'roaming = ON'],
        'Premium=block;Roaming=off': ['Roaming=off;Premium=block'],
      },
      values: ['Roaming=on', 'Premium=block', 'Premium=block;Roaming=off'],
    },
  ],
  mostRows: 6,
  expected: ({ sim, services = '' }) => {
    const value: Readonly<Record<string, string>> = { on: 'true', off: 'false', block: 'false', allow: 'true' };
    const settings = services.split(';').map((entry) => entry.split('='));
    return defined({ sim, services: settings.map(([name, word = '']) => ({ name, value: value[word] })) });
  },
  sent: ofSim,
};

const sendSms: OperationMeaning = {
  operation: 'send-sms',
  fields: [
    sim,
    { ...network, written: { '232': ['232', 'IoT M2M-O'] }, values: ['232'] },
    {
      key: 'message',
      kind: 'text',
      names: ['message', 'Text'],
      alike: ['Nachricht'],
      values: ['STATUS?', 'Total: 12', '1234567890123456789', 'msisdn', 'Line one\nline two'],
    },
  ],
  mostRows: 6,
  expected: ({ sim, message }) => defined({ sim, message, binary: false }),
  sent: ofSim,
};

const sendBinary: OperationMeaning = {
  ...sendSms,
  fields: [
    sim,
    { ...network, written: { '232': ['232'] }, values: ['232'] },
    {
      key: 'message',
      kind: 'hex',
      names: ['message', 'SMS'],
      alike: ['Nachricht'],
      values: ['00480065', '0A1B', '0011'],
    },
    { key: 'binary', kind: 'mark', names: ['binary'], alike: ['Is binary'], values: ['yes'] },
  ],
  expected: ({ sim, message }) => defined({ sim, message, binary: true }),
};

const day: Field = {
  key: 'startDate',
  names: ['startDate', 'Start'],
  alike: ['Beginn', 'Début'],
  written: { '2026-07-01': ['2026-07-01', '1 July 2026', '01-Jul-2026'], '2026-07-13': ['2026-07-13', '13/07/2026'] },
  values: ['2026-07-01', '2026-07-13'],
};
const size: Field = {
  key: 'size',
  names: ['bundleSizeMb', 'Bundle size'],
  alike: ['Volumen'],
  written: { '1024': ['1024', '1 GB'] },
  values: ['1024', '100'],
};

const createBundle: OperationMeaning = {
  operation: 'create-bundle',
  fields: [
    sim,
    network,
    day,
    size,
    { key: 'period', names: ['bundlePeriod'], alike: ['Zeitraum'], values: ['monthly'] },
    {
      key: 'template',
      names: ['provisioningTemplateId', 'Template'],
      alike: ['Vorlage'],
      written: { '11': ['11', 'Europe', 'esim-eu'] },
      values: ['11'],
    },
  ],
  mostRows: 6,
  expected: ({ sim, startDate, size, period, template }) =>
    defined({
      sim,
      startDate: `${startDate}T00:00:00`,
      bundleSizeMb: Number(size),
      bundlePeriod: period,
      provisioningTemplateId: Number(template),
    }),
  sent: ofSim,
};

const control: OperationMeaning = {
  operation: 'configure-bundle-control',
  fields: [
    sim,
    network,
    { key: 'zone', names: ['zone', 'Roaming zone'], alike: ['Gebiet'], values: ['EU', 'WORLD'] },
    { key: 'period', names: ['bundleControlPeriod', 'Period'], alike: ['Zeitraum'], values: ['monthly', 'daily'] },
    { ...size, names: ['sizeMb', 'Size'] },
    day,
    {
      key: 'endDate',
      names: ['endDate', 'End'],
      alike: ['Valid until', 'Expiry date', 'Contract end date'],
      values: optional(['2026-12-31']),
    },
    { key: 'endAction', names: ['bundleControlEndAction', 'End action'], alike: ['Aktion'], values: ['cutoff'] },
  ],
  mostRows: 6,
  expected: ({ sim, zone, period, size, startDate, endDate, endAction }) =>
    defined({
      sim,
      zone,
      bundleControlPeriod: period,
      sizeMb: Number(size),
      startDate: `${startDate}T00:00:00`,
      endDate: endDate ? `${endDate}T00:00:00` : undefined,
      bundleControlEndAction: endAction,
    }),
  sent: ofSim,
};

const numbers = Array.from({ length: 12 }, (_, index) => `07700900${String(121 + index * 7)}`);
const number: Field = {
  key: 'number',
  kind: 'number',
  names: ['msisdn', 'Mobile', 'Phone number'],
  alike: ['Rufnummer', 'Numéro', 'Ligne', 'GSM', 'Subscriber'],
  written: Object.fromEntries(
    numbers.map((text) => [text, [text, text.slice(1), `+44 ${text.slice(1, 5)} ${text.slice(5)}`]]),
  ),
  values: numbers,
};

const createPort: OperationMeaning = {
  operation: 'create-port',
  fields: [
    number,
    { ...sim, names: ['serialNo', 'SIM', 'ICCID'] },
    { key: 'pac', names: ['pac', 'PAC code'], alike: ['Portierungscode'], values: ['ABC123456', 'XYZ654321'] },
    { key: 'portType', names: ['portType'], alike: ['Art'], values: ['Port'] },
    {
      key: 'target',
      names: ['targetNetwork'],
      alike: ['Ziel'],
      written: { '11': ['11', 'Network A'] },
      values: ['11'],
    },
    {
      key: 'source',
      names: ['sourceNetwork'],
      alike: ['Quelle'],
      written: { '1': ['1', 'Source One'], '2': ['2', 'source two'] },
      values: ['1', '2'],
    },
    { key: 'day', names: ['connectionDate', 'Port date'], alike: ['Datum'], values: ['2026-07-02', '2026-07-15'] },
    { ...tariff, names: ['tariff', 'Tariff number'] },
    boltOns,
    { ...order, key: 'order', names: ['provisioningOrder', 'Prov order'], alike: ['Auftrag'] },
    { key: 'esim', kind: 'mark', names: ['esim', 'Is eSIM'], alike: ['SIM type'], values: ['yes', ''] },
  ],
  mostRows: 6,
  expected: ({ number = '', sim, pac, source, day, tariffNumber, boltOns = '', order, esim }) =>
    defined({
      number: `44${number.slice(1)}`,
      sim,
      pac,
      esim: esim === 'yes',
      source: Number(source),
      day,
      tariff: Number(tariffNumber),
      order: Number(order),
      target: 11,
      services: null,
      boltOns: boltOns === '' ? [] : boltOns.split(';').map(Number),
    }),
  sent: (head, { subject, wire }) =>
    defined({
      number: subject,
      sim: wire.serialNo,
      pac: wire.pac,
      esim: wire.esim,
      source: head.sourceNetworkId,
      day: head.connectionDate,
      tariff: head.tariffId,
      order: head.provisioningOrder,
      target: head.targetNetworkId,
      services: head.services,
      boltOns: head.boltOns,
    }),
};

/** The numbers of the port of `portsContext`, of which not all are in a file. */
const ported: Field = { ...number, written: {}, values: ['07700900001', '07700900002'] };
const port: Field = { key: 'port', names: ['portId', 'Request id'], alike: ['Auftragsnummer'], values: [portId] };

const cancelPort: OperationMeaning = {
  operation: 'cancel-port',
  fields: [ported, port],
  mostRows: 2,
  expected: ({ number = '' }) => defined({ number: `44${number.slice(1)}`, portId, action: 'cancel', whole: false }),
  sent: (head, { subject }) => defined({ ...head, number: subject }),
};

const updatePort: OperationMeaning = {
  operation: 'update-port',
  fields: [
    ported,
    port,
    { key: 'pac', names: ['pac', 'New PAC'], alike: ['Code'], values: ['ABC123456', 'XYZ654321'] },
  ],
  mostRows: 2,
  expected: ({ number = '', pac }) =>
    defined({ number: `44${number.slice(1)}`, portId, action: 'amend', whole: false, pac }),
  sent: (head, { subject, wire }) => defined({ ...head, number: subject, ...wire }),
};

export const operationMeanings: readonly OperationMeaning[] = [
  barOf('bar'),
  barOf('unbar'),
  provisionOf('provision'),
  provisionOf('change-provision'),
  barServiceConfig,
  sendSms,
  sendBinary,
  createBundle,
  control,
  createPort,
  cancelPort,
  updatePort,
];

/** Knows what the rows name. `hasSharedName`: order 4711 is named like order 5001. */
export function benchFor({ operation }: OperationMeaning, { hasSharedName = false } = {}): IngestBench {
  const lookups = countedLookups();
  if (hasSharedName) lookups.orders.push({ number: 4711, name: '5001' });
  const catalogues: Partial<Record<OperationName, () => Catalogue>> = {
    'cancel-port': () => portsContext('Submitted', ['Submitted', 'Submitted', 'Submitted']).context.catalogue,
    'update-port': () => portsContext().context.catalogue,
  };
  const openCatalogue = catalogues[operation] ?? (() => createCatalogue(lookups));
  return ingestBench({ openCatalogue, settings: { bundleControlNetworks: ['101'] } });
}

/** Rows of distinct SIMs and numbers. Each means something. */
export function meanRows({ fields, mostRows, operation }: OperationMeaning, dice: Dice): Meaning[] {
  const start = dice.between(0, 11);
  return Array.from({ length: dice.between(1, mostRows) }, (_, index) => {
    const row = Object.fromEntries(
      fields.map(({ key, kind, values }) => [
        key,
        kind === 'sim' || kind === 'number' ? (values[(start + index) % values.length] ?? '') : dice.pick(values),
      ]),
    );
    const isEmpty = (operation === 'bar' || operation === 'unbar') && flags.every(({ key }) => row[key] === '');
    return isEmpty ? { ...row, gprs: 'yes' } : row;
  });
}
