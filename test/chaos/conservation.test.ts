// What the second judge of the simulations finds: each kind of untrue result, beside the true one.
import { expect, test } from 'vitest';
import type { Port } from '#simulator/ports/port.ts';
import { double } from '../support/double.ts';
import { type AtService, conservationOf, type SeenImport } from './conservation.ts';

const number = '447700900001';

const portOf = (status: Port['status'], rowStatus: Port['rows'][number]['status'] = 'Submitted', pac = 'ABC123456') =>
  double<Port>({ id: 'port-1', name: 'July sim1-a', status, rows: [double({ number, status: rowStatus, pac })] });

const serviceWith = (ports: readonly Port[], ...texts: readonly string[]): AtService => ({
  ports,
  submissions: texts.map((message) => ({ operation: 'SendSms', body: { message, serialNumbers: ['8944'] } })),
});

interface Row {
  readonly outcome: string;
  readonly portId?: string;
  readonly whatToDo?: string;
}

const importOf = (operation: string, rows: readonly Row[], state = 'in-progress'): SeenImport => ({
  importId: 'import-a',
  operation,
  state,
  results: [
    `${operation === 'send-sms' ? 'serialNumber,message' : 'msisdn,pac'},line,outcome,portId,status,whatToDo`,
    ...rows.map(({ outcome, portId = '', whatToDo = '' }) => {
      const cells = operation === 'send-sms' ? '8944,Hello' : '07700900001,****';
      return `${cells},2,${outcome},${portId},,${whatToDo}`;
    }),
  ].join('\n'),
  upload: 'msisdn,pac\n07700900001,ABC999999',
});

/** A SIM whose setting the service accepted. */
const configured: SeenImport = {
  ...importOf('bar-service-config', [], 'finished'),
  results: 'serialNumber,services,line,outcome,portId,whatToDo\n8944,Roaming=false,2,complete,ticket-1,',
};
const withSetting = (Roaming: string): AtService => ({
  ports: [],
  submissions: [{ operation: 'BarServiceConfig', body: { serialNumbers: ['8944'] } }],
  settings: new Map([['8944', { Roaming }]]),
});

const everything = ['ImportFinished', 'ActionRequired'].map((name) => ({ name, importId: 'import-a' }));
const found = (seen: readonly SeenImport[], service: AtService, events = everything): string[] =>
  conservationOf({ imports: seen, events, concerns: [] }, service);

const ported = (outcome: string, more: Partial<Row> = {}) => [
  importOf('create-port', [{ outcome, portId: 'port-1', ...more }]),
];
const importAgain = 'Import the row again';

/** Cancels the number of `ported` in port-0. */
const cancelledIn0: SeenImport = {
  ...importOf('cancel-port', [{ outcome: 'accepted', portId: 'port-0' }]),
  importId: 'import-c',
  upload: 'msisdn,importId,line\n07700900001,import-a,2',
};
const portAgain = { ...portOf('Submitted'), id: 'port-2' };

test.each<[string, readonly SeenImport[], AtService]>([
  ['a row in its port', ported('in-progress'), serviceWith([portOf('Submitted')])],
  ['a ported row', ported('complete'), serviceWith([portOf('Complete')])],
  ['a cancelled row', ported('cancelled', { whatToDo: importAgain }), serviceWith([portOf('Cancelled')])],
  ['a text that was sent once', [importOf('send-sms', [{ outcome: 'accepted' }])], serviceWith([], 'Hello')],
  [
    'a text whose outcome is unknown',
    [importOf('send-sms', [{ outcome: 'action-required' }])],
    serviceWith([], 'Hello'),
  ],
  [
    'a text that was not sent',
    [importOf('send-sms', [{ outcome: 'not-sent', whatToDo: importAgain }])],
    serviceWith([]),
  ],
  [
    'a cancellation that was made',
    [importOf('cancel-port', [{ outcome: 'accepted' }])],
    serviceWith([portOf('Submitted', 'CancellationRequested')]),
  ],
  [
    'a cancellation of a number that another file ports afterwards',
    [
      ...ported('cancelled'),
      cancelledIn0,
      { ...importOf('create-port', [{ outcome: 'in-progress', portId: 'port-2' }]), importId: 'import-b' },
    ],
    serviceWith([portOf('Cancelled'), portAgain]),
  ],
  [
    'a PAC that was entered',
    [...ported('in-progress'), importOf('update-port', [{ outcome: 'accepted' }])],
    serviceWith([portOf('Submitted', 'Amended', 'ABC999999')]),
  ],
  ['a setting that its SIM has', [configured], withSetting('false')],
])('%s is true', (_, seen, service) => {
  expect(found(seen, service)).toEqual([]);
});

test.each<[string, RegExp, readonly SeenImport[], AtService]>([
  [
    'a row that waits in a finished import',
    /its import is finished/,
    [importOf('send-sms', [{ outcome: 'waiting' }], 'finished')],
    serviceWith([]),
  ],
  [
    'a row with two ends',
    /there twice/,
    [importOf('create-port', [{ outcome: 'skipped' }, { outcome: 'skipped' }])],
    serviceWith([]),
  ],
  ['a row in a port that has not its number', /no such number/, ported('in-progress'), serviceWith([])],
  ['a ported row whose port was cancelled', /Cancelled/, ported('complete'), serviceWith([portOf('Cancelled')])],
  ['a cancelled row that is live', /has not cancelled it/, ported('cancelled'), serviceWith([portOf('Locked')])],
  [
    'advice to import a number again that is in its port',
    /but the advice is/,
    ported('declined', { whatToDo: importAgain }),
    serviceWith([portOf('Locked')]),
  ],
  [
    'a number in a port that nobody sees',
    /people see: declined/,
    [importOf('create-port', [{ outcome: 'declined' }])],
    serviceWith([portOf('Submitted')]),
  ],
  [
    'an accepted text that was never sent',
    /submitted 0 times/,
    [importOf('send-sms', [{ outcome: 'accepted' }])],
    serviceWith([]),
  ],
  [
    'a text that was sent twice',
    /submitted 2 times/,
    [importOf('send-sms', [{ outcome: 'accepted' }])],
    serviceWith([], 'Hello', 'Hello'),
  ],
  [
    'a text that was sent and is shown as declined',
    /is declined, and was submitted 1 times/,
    [importOf('send-sms', [{ outcome: 'declined' }])],
    serviceWith([], 'Hello'),
  ],
  ['a complete setting that its SIM does not have', /has not Roaming=false/, [configured], withSetting('true')],
  [
    'an accepted cancellation of a number that is live',
    /accepted, and the number is Submitted/,
    [...ported('in-progress'), importOf('cancel-port', [{ outcome: 'accepted' }])],
    serviceWith([portOf('Submitted')]),
  ],
  [
    'an accepted cancellation of a number that its file has in another port after a move',
    /accepted, and the number is Submitted/,
    [...ported('in-progress'), cancelledIn0],
    serviceWith([portOf('Submitted')]),
  ],
  [
    'an accepted PAC that the port does not have',
    /accepted, and the number is PacInvalid/,
    [...ported('in-progress'), importOf('update-port', [{ outcome: 'accepted' }])],
    serviceWith([portOf('Pac Check Failed', 'PacInvalid')]),
  ],
])('%s is found', (_, complaint, seen, service) => {
  expect(found(seen, service)).toContainEqual(expect.stringMatching(complaint));
});

test.each([
  ['an import that is finished', importOf('send-sms', [{ outcome: 'declined' }], 'finished'), /is finished/],
  ['a row that requires action', importOf('send-sms', [{ outcome: 'action-required' }]), /requires action/],
] as const)('%s without an event is found', (_, seen, complaint) => {
  expect(found([seen], serviceWith([]), [])).toEqual([expect.stringMatching(complaint)]);
  expect(found([seen], serviceWith([]))).toEqual([]);
});
