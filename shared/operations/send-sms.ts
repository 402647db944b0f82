// Send SMS: one text to many SIMs of one network (spec, Send SMS; decision 38).
import * as z from 'zod/mini';
import { describeCharacter } from '#shared/domain/cell-text.ts';
import { error } from '#shared/domain/issue.ts';
import { choose, missed } from './choice.ts';
import { column, referenceColumn } from './column.ts';
import { networkColumn } from './lookup-network.ts';
import type { Cells, ImportContext, Operation } from './operation.ts';
import { requiredCell, type ShapeReport } from './shape-report.ts';
import { serialNumberColumn } from './sim-row.ts';
import { judgeOptions, type Options, serialNumbersOf, ticketSubmission } from './ticket.ts';
import { booleanCell, hexCell, integerCell } from './typed-cells.ts';

/** The networks that send texts (spec); the last of them takes none of the fields of a binary one. */
const smsNetworks = [
  { number: 218, name: 'eSIM', takesBinaryFields: true },
  { number: 225, name: 'eSIM IoT', takesBinaryFields: true },
  { number: 232, name: 'IoT M2M-O', takesBinaryFields: true },
  { number: 233, name: 'IoT M2M-V', takesBinaryFields: true },
  { number: 240, name: 'GDSP', takesBinaryFields: false },
] as const;
type SmsNetwork = (typeof smsNetworks)[number];

const longestMessage = 160;
const binaryColumns = ['protocolId', 'dataCodingScheme', 'userDataHeader'] as const;
const octet = [0, 255] as const;

const sendSmsHead = z.object({
  /** Not sent: rows of two networks must not share a request. */
  networkNumber: z.int(),
  message: z.string(),
  binary: z.boolean(),
  protocolId: z.optional(z.int()),
  dataCodingScheme: z.optional(z.int()),
  userDataHeader: z.optional(z.string()),
});
type SendSmsHead = z.infer<typeof sendSmsHead>;

export const sendSms: Operation = {
  name: 'send-sms',
  columns: [
    serialNumberColumn,
    {
      ...networkColumn,
      help: 'The network of the SIM: 218 (eSIM), 225 (eSIM IoT), 232 (IoT M2M-O), 233 (IoT M2M-V) or 240 (GDSP).',
      example: '232',
    },
    column('message', {
      aliases: ['text', 'sms'],
      required: true,
      repeats: true,
      help: 'The text, at most 160 characters; for a binary message its octets in hex.',
      example: 'STATUS?',
    }),
    column('binary', { repeats: true, help: 'Whether the message is binary; empty means no.', example: 'false' }),
    column('protocolId', { repeats: true, help: '0 to 255; binary only, not on network 240.', example: '0' }),
    column('dataCodingScheme', { repeats: true, help: '0 to 255; binary only, not on network 240.', example: '4' }),
    column('userDataHeader', {
      repeats: true,
      help: 'In hex; binary only, not on network 240.',
      example: '0605040B84',
    }),
    referenceColumn,
  ],
  judgeShape: judgeOptions(chooseMessage),
  submission: ticketSubmission({
    path: '/api/simSubmission/SendSms',
    head: sendSmsHead,
    bodyOf: ({ networkNumber: _, binary, ...options }, request) => ({
      serialNumbers: serialNumbersOf(request),
      ...options,
      ...(binary ? { binary } : {}),
    }),
  }),
};

async function chooseMessage(
  cells: Cells,
  _context: ImportContext,
  report: ShapeReport,
): Promise<Options<SendSmsHead> | undefined> {
  const network = chooseSmsNetwork(cells, report);
  const binary = booleanCell(cells, 'binary', report) ?? false;
  const message = readMessage(cells, binary, report);
  judgeBinaryColumns(cells, binary, network, report);
  const protocolId = integerCell(cells, 'protocolId', octet, report);
  const dataCodingScheme = integerCell(cells, 'dataCodingScheme', octet, report);
  const userDataHeader = hexCell(cells, 'userDataHeader', report);
  if (network === undefined || message === undefined) return undefined;
  const { number: networkNumber, name } = network;
  return {
    head: { networkNumber, message, binary, protocolId, dataCodingScheme, userDataHeader },
    // What is written to people stays out of names and tables.
    label: `${binary ? 'Binary message' : `Text of ${message.length} characters`} to ${name}`,
  };
}

/** The spec says `GDSP network` where people say GDSP: both will do. */
function chooseSmsNetwork(cells: Cells, report: ShapeReport): SmsNetwork | undefined {
  const text = requiredCell(cells, 'network', report);
  if (text === undefined) return undefined;
  const network = choose(text.replace(/ network$/i, ''), smsNetworks);
  if (network === undefined) {
    report.add('network', error('NETWORK_NOT_SUPPORTED', missed('network', text, 'that sends texts', smsNetworks)));
  }
  return network;
}

/** A text may have line breaks, and no other control character. */
const control = /[^\P{Cc}\n\r]/u;

function readMessage(cells: Cells, binary: boolean, report: ShapeReport): string | undefined {
  const text = requiredCell(cells, 'message', report);
  if (text === undefined) return undefined;
  if (text.length > longestMessage) {
    const message = `message has ${text.length} characters; at most ${longestMessage} are allowed`;
    report.add('message', error('CELL_TOO_LONG', message));
  }
  if (binary) return hexCell(cells, 'message', report);
  const hidden = control.exec(text)?.[0];
  if (hidden !== undefined) {
    report.add('message', error('CELL_CONTROL_CHARACTER', `message contains ${describeCharacter(hidden)}`));
  }
  return text;
}

function judgeBinaryColumns(cells: Cells, binary: boolean, network: SmsNetwork | undefined, report: ShapeReport): void {
  for (const name of binaryColumns.filter((candidate) => cells(candidate) !== '')) {
    if (!binary) report.add(name, error('CELL_NOT_ALLOWED', `${name} goes with a binary message: leave it empty`));
    else if (network?.takesBinaryFields === false) {
      report.add(name, error('CELL_NOT_ALLOWED', `${name} is not supported on ${network.name}: leave it empty`));
    }
  }
}
