// Names of columns as people, operators and programs write them. A column that changes what is sent is read, or the
// file waits for an answer: it is never left out.
import { expect, test } from 'vitest';
import { mapHeader } from '#shared/files/map-header.ts';
import { createPortColumns } from '#shared/operations/create-port/row.ts';

/** By column: a value, and its natural names. */
const natural: Readonly<Record<string, readonly [value: string, names: string]>> = {
  msisdn: [
    '07700900123',
    'MSISDN|Mobile|Mobile No|Mobile No.|Mobile Number|Mobile number(s)|Mobile Num|Number|Phone|Phone Number|Phone No|' +
      'Phone #|Telephone|Telephone Number|Telephone No.|Tel|Tel No|CTN|CLI|Mobile (MSISDN)|Number to port|' +
      'Number to be ported|Porting number|Ported number|Existing number|Current mobile number|Customer number|' +
      'User mobile|Line number|Subscriber number|Cell|Cell phone|Mobile phone|Mobile phone number|GSM|Handset number|' +
      'Service number|Mobile Telephone Number|MOBILE_NUMBER|mobileNumber|phone_number|Mobile/CTN|Msisdn*',
  ],
  serialNo: [
    '8944110068123456787',
    'serialNo|Serial|Serial No|Serial Number|SIM|SIM No|SIM No.|SIM Number|SIM Serial|SIM serial number|SIM Serial No|' +
      'ICCID|ICC ID|ICC|SIM ICCID|ICCID Number|SIM card number|SIM Card No|SIM ID|New SIM|New SIM number|' +
      'New SIM serial|SIM card|SIM SSN|SSN|SIM Serial #|ICCID (19 digits)|sim_serial|simSerialNumber|SIM-Number|' +
      'Blank SIM number|Replacement SIM|Serial # of SIM',
  ],
  pac: [
    'ABC123456',
    'PAC|PAC Code|PAC No|PAC Number|Porting Authorisation Code|Porting Authorization Code|Porting code|Port code|' +
      'PAC (porting code)|Pac code*|PAC ref|Customer PAC|RIO|RIO code|Code RIO|PAC_CODE|pacCode|Porting Auth Code|' +
      'Authorisation code|PAC/RIO|PAC / STAC|Switching code|Text PAC|PAC code (ABC123456)',
  ],
  pacExpiry: [
    '2031-07-31',
    'PAC expiry|PAC expiry date|PAC Exp|PAC exp date|PAC expires|PAC expires on|PAC Expiration|PAC expiration date|' +
      'PAC valid until|PAC validity|PAC expiry (DD/MM/YYYY)|PAC Code Expiry|PAC code expiry date|Expiry date of PAC|' +
      'PAC end date|PAC valid to|PAC date|pac_expiry|pacExpiryDate|PAC Expiry Dt|PAC Valid Till',
  ],
  portType: [
    'Port',
    'Port type|PortType|Porting type|Type of port|Port Type*|Type|Request type|Port in type|Transfer type|port_type|' +
      'Migration type|Port / Migrate|Kind of port',
  ],
  targetNetwork: [
    'UK Mobile A',
    'Target network|Target|To network|New network|Gaining network|Network|Network to|Destination network|' +
      'Receiving network|New provider|Target Network Name|Target Network ID|target_network|Port to|Recipient network|' +
      'Gaining provider|Network (new)|Our network',
  ],
  sourceNetwork: [
    'Source Mobile One',
    'Source network|Source|From network|Old network|Losing network|Donor network|Current network|Existing network|' +
      'Current provider|Network from|Losing provider|Old provider|Previous network|Source Network Name|' +
      'source_network|Port from|Donor|Existing provider|Network (old)|Donor operator',
  ],
  connectionDate: [
    '2031-07-15',
    'Connection date|Port date|Porting date|Date|Port-in date|Date of port|Requested date|Port date (DD/MM/YYYY)|' +
      'Requested port date|Preferred date|Go live date|Activation date|Start date|Transfer date|connection_date|' +
      'Porting day|Connection Date*|Switch date|Port in date|Planned date|Port Dt|Due date|Move date',
  ],
  tariff: [
    '2001',
    'Tariff|Tariff name|Tariff ID|Tariff number|Tariff code|Tariff plan|Price plan|Plan|Rate plan|Plan name|Package|' +
      'New tariff|Tariff*|Billing plan|tariff_id|Tarif|Airtime plan|Mobile plan|Bundle|Contract plan',
  ],
  boltOns: [
    '101',
    'boltOns|Bolt ons|Bolt-ons|Bolt on|Bolt-On|Bolton|Boltons|Bolt On IDs|Bolt on numbers|Bolt On(s)|Bolt-on 1|' +
      'Bolt ons / Add ons|Bolt-ons (separate with ;)|Add-ons|Add ons|Addons|Add-on|Add On|Addon|Data bolt-on|' +
      'Data bolt ons|Extra bolt-ons|New bolt ons|Roaming bolt-on|bolt_ons|boltOnIds|Tariff bolt ons|Bolt ons required|' +
      'Required bolt-ons|Bolt-on list|Bolt-on codes|BOLT ONS (IDS)|Optional bolt ons|botlOns|Bolt Onns',
  ],
  services: [
    'Roaming=on',
    'Services|Service|Service settings|Services and bars|Bars|Bars and services|Services/Bars|Services (Name=value)|' +
      'Network services|Services required|Required services|Extra services|Servcies|Service list|SIM services|' +
      'Services on|Additional services|Services & bars|Bars required|Call bars|Services to set',
  ],
  esim: [
    'yes',
    'eSIM|Is eSIM|isEsim|eSIM?|eSIM (Y/N)|eSIM Y/N|E-SIM|eSIM required|eSIM needed?|eSIM yes/no|Uses eSIM|ESIM flag|' +
      'eSIM device|Use eSIM|is_esim|Want eSIM|eSIM or not|eSim (yes/no)|eSIM requested',
  ],
  provisioningOrder: [
    '5001',
    'Provisioning order|Provisioning order number|Provisioning order ID|Provisioning order no|Prov order|Prov. order|' +
      'Provisioning Order No.|provisioning_order|Existing provisioning order|Provisioning orders|Provisioning order ref',
  ],
  provisioningOrderName: [
    'Depot',
    'Provisioning order name|New provisioning order|New provisioning order name|Name of provisioning order|' +
      'provisioning_order_name|Provisioning order (new)',
  ],
};

/** Exports of German and British operators, of CRMs and of portals: abbreviations, units and other cells. */
const exported: readonly (readonly [column: string, value: string, names: string])[] = [
  [
    'msisdn',
    '07700900123',
    'Rufnummer (MSISDN)|Customer MSISDN|MSISDN (07\u2026)|Mob. No.|Mobile No (UK)|Line / CTN|Port-in number',
  ],
  [
    'serialNo',
    '8944110068123456787',
    'SIM-Karte (ICCID)|SIM Nr.|ICCID / SIM|SIM ser. no.|Serial No. (SIM)|SIM_CARD_NO',
  ],
  ['pac', 'ABC123456', 'PAC-Code|PAC Code (9 chars)|Customer PAC code|PAC__c|PAC [text to 65075]|PAC / RIO code'],
  [
    'pacExpiry',
    '2031-07-31',
    'PAC valid to (30 days)|PAC_EXP_DT|PAC Code Valid Until|PAC exp. (dd/mm/yyyy)|PAC Expiry__c|Date PAC expires',
  ],
  ['connectionDate', '2031-07-15', 'Port Date__c|Portierungsdatum|Port date (working day)|Req. port dt|CRD'],
  ['tariff', '2001', 'Tarifname|Tariff (GBP/month)|Tariff__c|Price plan (net)|Commercial plan'],
  [
    'boltOns',
    '101',
    'Bolt-on(s) (IDs)|Bolt_Ons__c|Extras|Add-on codes (;)|Optionen / Bolt-ons|Data pack|Bolt-on [GB]|Bolt ons - data',
  ],
  ['boltOns', 'Data 5 GB', 'Options|Roaming pack|VAS|Data allowance (GB) bolt on|Bundle|Add-on name'],
  [
    'services',
    'Roaming=on',
    'Services__c|Network features|SIM Services (on/off)|Features|Restrictions|Service options',
  ],
  ['services', 'International Calls', 'Barring|Call barring|Blocked services|Bars to apply'],
  ['esim', 'Y', 'eSIM [Y/N]|eSIM__c|eSIM (tick)|is e-SIM?|eSIM ja/nein'],
  ['esim', 'eSIM', 'SIM type|SIM Format|Type of SIM|SIM type (eSIM/physical)'],
  ['provisioningOrder', '5001', 'Prov. order no.|Provisioning Order #|Provisioning_Order__c|Provisioning order (ID)'],
];

const cases = [
  ...Object.entries(natural).map(([column, [value, names]]) => [column, value, names] as const),
  ...exported,
].flatMap(([column, value, names]) => names.split('|').map((name) => [name, column, value] as const));

test('are 360', () => {
  expect(cases.length).toBeGreaterThanOrEqual(360);
  expect(new Set(cases.map(([name, column]) => `${name} ${column}`)).size).toBe(cases.length);
});

test('none that changes what is sent is left out', () => {
  const leftOut = cases.filter(([name, column, value]) => {
    // A file has one of the two columns of the order.
    const others = createPortColumns.filter((one) => one.name !== column && !one.name.startsWith('provisioningOrder'));
    const known = others.filter(
      ({ name: one }) => one in natural && !['boltOns', 'services', 'esim', 'pacExpiry'].includes(one),
    );
    const header = [...known.map((one) => one.name), name];
    const samples = [[...known.map((one) => natural[one.name]?.[0] ?? ''), value]];
    const { indexes, issues } = mapHeader(header, createPortColumns, { samples });
    const isRead = indexes.get(column) === header.length - 1;
    return !isRead && !issues.some(({ severity }) => severity === 'error');
  });
  expect(leftOut.map(([name, column]) => `${name} (${column})`)).toEqual([]);
});

test('most are read without a question', () => {
  const read = cases.filter(([name, column]) => mapHeader([name], createPortColumns).indexes.has(column));
  expect(read.length / cases.length).toBeGreaterThan(0.4);
});
