// Send SMS: sends one text to many SIMs of one network (spec, Send SMS; spec gap 38).
import * as z from 'zod/mini';
import { describeCharacter } from '#shared/row/did-you-mean.ts';
import { counted } from '#shared/text/wording.ts';
import { type CellReader, yesNo } from './columns/cell-reader.ts';
import { chooseOption } from './columns/named-items.ts';
import {
  checkOptions,
  networkColumn,
  type Options,
  serialNumberColumn,
  serialNumbersOf,
  ticketSubmission,
} from './columns/sim-row.ts';
import { type Operation, referenceColumn, repeatingColumn } from './operation.ts';

/**
 * The networks that send texts (spec). No lookup lists them, because no number can be ported to them. GDSP does not
 * support the fields of binary texts.
 */
export const smsNetworks = [
  { number: 218, name: 'eSIM', takesBinaryFields: true },
  { number: 225, name: 'eSIM IoT', takesBinaryFields: true },
  { number: 232, name: 'IoT M2M-O', takesBinaryFields: true },
  { number: 233, name: 'IoT M2M-V', takesBinaryFields: true },
  { number: 240, name: 'GDSP', takesBinaryFields: false },
] as const;
type SmsNetwork = (typeof smsNetworks)[number];

const longestMessage = 160;
const binaryColumns = ['protocolId', 'dataCodingScheme', 'userDataHeader'] as const;

const sendSmsHead = z.object({
  /** Not sent. It keeps rows of different networks in different requests. */
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
  purpose: 'send texts or binary messages to SIMs',
  columns: [
    serialNumberColumn,
    {
      ...networkColumn,
      help: 'The network of the SIM: 218 (eSIM), 225 (eSIM IoT), 232 (IoT M2M-O), 233 (IoT M2M-V) or 240 (GDSP).',
      example: '232',
    },
    repeatingColumn('message', {
      aliases: ['text', 'sms'],
      required: true,
      isText: true,
      help: 'The text, at most 160 characters; outer spaces are removed. For a binary message, its bytes in hex.',
      example: 'STATUS?',
    }),
    repeatingColumn('binary', {
      ...yesNo,
      mayBeNamed: ['hex', 'is hex'],
      help: 'Whether the message is binary. Empty means no.',
      example: 'false',
    }),
    repeatingColumn('protocolId', {
      mayBeNamed: ['protocol', 'pid'],
      help: '0 to 255. Only for binary messages, not on network 240.',
      example: '0',
    }),
    repeatingColumn('dataCodingScheme', {
      mayBeNamed: ['dcs', 'data coding', 'coding scheme', 'coding'],
      help: '0 to 255. Only for binary messages, not on network 240.',
      example: '4',
    }),
    repeatingColumn('userDataHeader', {
      mayBeNamed: ['udh', 'header'],
      help: 'In hex. Only for binary messages, not on network 240.',
      example: '0605040B84',
    }),
    referenceColumn,
  ],
  checkShape: checkOptions(chooseMessage),
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

async function chooseMessage(cells: CellReader): Promise<Options<SendSmsHead> | undefined> {
  const network = chooseSmsNetwork(cells);
  const binary = cells.boolean('binary') ?? false;
  const message = binary ? readBinaryMessage(cells) : readTextMessage(cells);
  for (const name of binaryColumns.filter((candidate) => cells.text(candidate) !== '')) {
    if (!binary) cells.error(name, 'CELL_NOT_ALLOWED', `${name} is only for binary messages. Leave it empty`);
    else if (network?.takesBinaryFields === false) {
      cells.error(name, 'CELL_NOT_ALLOWED', `${name} is not supported on ${network.name}. Leave it empty`);
    }
  }
  const protocolId = cells.byte('protocolId');
  const dataCodingScheme = cells.byte('dataCodingScheme');
  const userDataHeader = cells.hex('userDataHeader');
  if (network === undefined || message === undefined) return undefined;
  const { number: networkNumber, name } = network;
  return {
    head: { networkNumber, message, binary, protocolId, dataCodingScheme, userDataHeader },
    // The label goes into names and tables, so it does not contain the text.
    label: `${binary ? 'Binary message' : `Text of ${counted(lengthOf(message), 'character')}`} to ${name}`,
  };
}

/** The specification counts characters, whatever their encoding: an emoji is one. */
const lengthOf = (text: string): number => [...text].length;

/** `GDSP network` in the spec and `GDSP` are the same network. */
function chooseSmsNetwork(cells: CellReader): SmsNetwork | undefined {
  const text = cells.required('network');
  const kind = { code: 'NETWORK_NOT_SUPPORTED', what: 'network', among: 'that sends texts' } as const;
  if (text === undefined) return undefined;
  return chooseOption(text.replace(/ network$/i, ''), smsNetworks, { column: 'network', ...kind }, cells);
}

/** A text may have line breaks, but no other control characters. */
const control = /[^\P{Cc}\n\r]/u;

function readTextMessage(cells: CellReader): string | undefined {
  const text = readMessage(cells);
  const hidden = control.exec(text ?? '')?.[0];
  if (hidden !== undefined) {
    const message = `message contains ${describeCharacter(hidden)}. Remove it`;
    cells.error('message', 'CELL_CONTROL_CHARACTER', message);
  }
  return text && cells.undamaged('message', text);
}

const readBinaryMessage = (cells: CellReader): string | undefined => readMessage(cells) && cells.hex('message');

function readMessage(cells: CellReader): string | undefined {
  const text = cells.required('message');
  const length = lengthOf(text ?? '');
  if (length > longestMessage) {
    const message = `message has ${length} characters. Use at most ${longestMessage}`;
    cells.error('message', 'CELL_TOO_LONG', message);
  }
  return text;
}
