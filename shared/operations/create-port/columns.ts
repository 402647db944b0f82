// The columns of a create-port file.
import { valueKinds } from '#shared/csv/column-values.ts';
import { pacAliases } from '#shared/files/secret-columns.ts';
import { servicesColumn } from '#shared/operations/columns/tariff-and-services.ts';
import type { Column } from '#shared/operations/operation.ts';
import { column, msisdnAliases, referenceColumn, repeatingColumn, simAliases } from '../kit/column.ts';
import { boltOnsColumn } from '../kit/tariff-choice.ts';

export const createPortColumns: readonly Column[] = [
  column('msisdn', {
    aliases: msisdnAliases,
    required: true,
    canonicalFormat: 'msisdn',
    help: 'The number to port: 07…, 447… or +44 7…. Spaces, hyphens and brackets are ignored.',
    example: '07700 900123',
  }),
  column('serialNo', {
    aliases: ['serial number', ...simAliases],
    asksForSimilar: true,
    looksLike: valueKinds.iccid,
    canonicalFormat: 'iccid',
    neededFor: 'the port types Port and MigrateIn',
    help: 'The serial number of the SIM (ICCID): 19 or 20 digits from 89. Not needed for MigrateInKeep.',
    example: '8944110068123456787',
  }),
  column('pac', {
    aliases: pacAliases,
    asksForSimilar: true,
    looksLike: /^(?=.*\d)[A-Z0-9+ -]{9,20}$/i,
    canonicalFormat: 'pac',
    neededFor: 'the port type Port',
    isSecret: true,
    help: 'The UK PAC or French RIO. Required for Port, optional for migrations.',
    example: 'ABC123456',
  }),
  column('pacExpiry', {
    aliases: [
      'pac expiry date',
      'pac expires',
      'pac exp',
      'pac valid until',
      'pac valid to',
      'pac validity',
      'pac end date',
      'pac expiration',
      'pac expiration date',
      'pac code expiry',
      'pac code expiry date',
    ],
    asksForSimilar: true,
    mayBeNamed: ['pac date'],
    isDate: true,
    canonicalFormat: 'date',
    help: 'The last day on which the PAC is valid, YYYY-MM-DD. Must not be before the connection date.',
    example: '2026-07-31',
  }),
  repeatingColumn('portType', {
    aliases: ['porting type'],
    required: true,
    help: 'Port, MigrateIn or MigrateInKeep.',
    example: 'Port',
  }),
  repeatingColumn('targetNetwork', {
    aliases: ['target network id', 'target network name', 'target', 'to network', 'gaining network', 'new network'],
    required: true,
    help: 'The network to port to: its id or its exact name.',
    example: 'UK Mobile A',
  }),
  repeatingColumn('sourceNetwork', {
    aliases: [
      'source network id',
      'source network name',
      'source',
      'from network',
      'donor network',
      'losing network',
      'current network',
    ],
    required: true,
    help: 'The network to port from: its id or its exact name.',
    example: 'Source Mobile One',
  }),
  repeatingColumn('connectionDate', {
    aliases: ['port date', 'porting date', 'port-in date', 'connection day', 'date'],
    isDate: true,
    required: true,
    help: 'The port date, YYYY-MM-DD, or auto for the earliest day that can be booked.',
    example: 'auto',
  }),
  repeatingColumn('tariff', {
    aliases: ['tariff id', 'tariff number', 'tariff name'],
    required: true,
    help: 'The tariff: its number or its exact name.',
    example: '2001',
  }),
  boltOnsColumn,
  servicesColumn,
  repeatingColumn('esim', {
    aliases: ['is esim'],
    asksForSimilar: true,
    mayBeNamed: ['sim type', 'type of sim', 'sim format', 'sim kind', 'physical or esim'],
    looksLike: /^(?:y|n|yes|no|true|false|1|0|e-?sim)$/i,
    help: 'Whether the SIM is an eSIM: true, false, yes or no. Empty means no.',
    example: 'false',
  }),
  repeatingColumn('provisioningOrder', {
    aliases: ['provisioning order number', 'provisioning order id', 'existing provisioning order', 'prov order'],
    neededFor: 'every SIM, unless a new provisioning order is named',
    help: 'An existing provisioning order: its number or its exact name. Type-A networks only.',
    example: '5001',
  }),
  repeatingColumn('provisioningOrderName', {
    aliases: ['new provisioning order', 'new provisioning order name', 'name of provisioning order'],
    help: 'The name of a new provisioning order, at most 255 characters. One of the two order columns is required.',
    example: 'Field team',
  }),
  repeatingColumn('groupName', {
    aliases: ['group'],
    help: 'A name for the rows with the same tariff, bolt-ons and services. If empty, it is made from the tariff.',
    example: 'Field team',
  }),
  referenceColumn,
];
