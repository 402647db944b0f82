// The columns of a create-port file.
import { column, referenceColumn } from './column.ts';
import type { Column } from './operation.ts';

export const createPortColumns: readonly Column[] = [
  column('msisdn', {
    aliases: ['mobile number', 'mobile', 'phone number', 'number', 'telephone number', 'ctn'],
    required: true,
    form: 'msisdn',
    help: 'The number to port: 07…, 447…, +44 7…; spaces, hyphens and brackets do not matter.',
    example: '07700 900123',
  }),
  column('serialNo', {
    aliases: ['iccid', 'sim', 'sim number', 'sim serial', 'sim serial number', 'serial number', 'serial'],
    form: 'iccid',
    help: 'The serial number of the SIM (ICCID), 19 or 20 digits from 89. Not needed for MigrateInKeep.',
    example: '8944110068123456787',
  }),
  column('pac', {
    aliases: ['pac code', 'porting authorisation code', 'porting code', 'rio', 'rio code'],
    form: 'pac',
    help: 'The porting code: a UK PAC or a French RIO. Needed for Port, optional for migrations.',
    example: 'ABC123456',
  }),
  column('pacExpiry', {
    aliases: ['pac expiry date', 'pac expires', 'pac valid until'],
    help: 'The last day on which the PAC is valid, YYYY-MM-DD. It must not lie before the connection date.',
    example: '2026-07-31',
  }),
  column('portType', {
    required: true,
    repeats: true,
    help: 'Port, MigrateIn or MigrateInKeep.',
    example: 'Port',
  }),
  column('targetNetwork', {
    aliases: ['target network id', 'target network name', 'target', 'to network'],
    required: true,
    repeats: true,
    help: 'The network to port to: its id or its exact name.',
    example: 'UK Mobile A',
  }),
  column('sourceNetwork', {
    aliases: ['source network id', 'source network name', 'source', 'from network', 'donor network'],
    required: true,
    repeats: true,
    help: 'The network to port from: its id or its exact name.',
    example: 'Source Mobile One',
  }),
  column('connectionDate', {
    aliases: ['port date', 'connection day', 'date'],
    required: true,
    repeats: true,
    help: 'The day of the port, YYYY-MM-DD, or auto for the earliest day that can be booked.',
    example: 'auto',
  }),
  column('tariff', {
    aliases: ['tariff id', 'tariff number', 'tariff name'],
    required: true,
    repeats: true,
    help: 'The tariff: its number or its exact name.',
    example: '2001',
  }),
  column('boltOns', {
    aliases: ['bolt on', 'bolt on ids', 'bolt on numbers'],
    repeats: true,
    help: 'Bolt-ons by number or exact name, separated by semicolons. Type-A networks only.',
    example: '101;102',
  }),
  column('services', {
    aliases: ['service', 'services and bars', 'bars'],
    repeats: true,
    help: 'Services on or off, bars block or allow, separated by semicolons.',
    example: 'Roaming=on;Premium Rate Calls=block',
  }),
  column('esim', {
    aliases: ['is esim'],
    repeats: true,
    help: 'Whether the SIM is an eSIM: true, false, yes or no; empty means no.',
    example: 'false',
  }),
  column('provisioningOrder', {
    aliases: ['provisioning order number', 'provisioning order id'],
    repeats: true,
    help: 'An existing provisioning order: its number or its exact name. Type-A networks only.',
    example: '5001',
  }),
  column('provisioningOrderName', {
    aliases: ['new provisioning order', 'new provisioning order name'],
    repeats: true,
    help: 'The name of a new provisioning order, at most 255 characters. One of the two order columns is needed.',
    example: 'Field team',
  }),
  column('groupName', {
    aliases: ['group'],
    repeats: true,
    help: 'A name for the lines with the same tariff, bolt-ons and services; made from them where it is empty.',
    example: 'Field team',
  }),
  referenceColumn,
];
