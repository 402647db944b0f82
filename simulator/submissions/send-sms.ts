// The rules of Send SMS: SIMs on hire, all on one network that sends SMS, and binary fields in hex.
import type { SendSmsBody } from '#shared/service/contract.ts';
import type { FieldError } from '../http/problem.ts';
import { findSims, type SubmissionCheck, type ValidationContext } from './submit.ts';

const isHex = (text: string): boolean => /^([0-9A-Fa-f]{2})*$/.test(text);
const binaryFields = ['protocolId', 'dataCodingScheme', 'userDataHeader'] as const;

function checkBinary(body: SendSmsBody): FieldError[] {
  if (!body.binary) return [];
  const errors: FieldError[] = [];
  if (!isHex(body.message)) errors.push({ field: 'message', message: 'must be hex text when binary is true' });
  if (!isHex(body.userDataHeader ?? '')) errors.push({ field: 'userDataHeader', message: 'must be hex text' });
  return errors;
}

export function checkSendSms(context: ValidationContext, body: SendSmsBody): SubmissionCheck {
  const { found, errors: missing } = findSims(context, body.serialNumbers, 'serialNumbers');
  const errors: FieldError[] = [...missing, ...checkBinary(body)];
  const notOnHire = found.find(({ sim }) => sim.status !== 'on-hire');
  if (notOnHire) {
    const message = `SIM ${notOnHire.sim.serialNumber} is not on hire`;
    errors.push({ field: 'serialNumbers', message, conflict: true });
  }
  const networks = new Set(found.map(({ network }) => network));
  if (networks.size > 1) errors.push({ field: 'serialNumbers', message: 'must all be on the same network' });
  for (const network of networks) {
    if (network.sms === 'none') errors.push({ field: 'serialNumbers', message: `${network.name} does not send SMS` });
    if (network.sms !== 'text') continue;
    const given = binaryFields.filter((field) => body[field] !== undefined && body[field] !== null);
    errors.push(...given.map((field) => ({ field, message: `is not supported on ${network.name}` })));
  }
  return { errors, effects: [] };
}
