// A correction that is imported with another operation than its own is recognised by its columns.
import { expect, test } from 'vitest';
import { findOtherOperation } from '#functions/ingest/correction.ts';
import { createPort } from '#shared/operations/create-port/create-port.ts';
import { operations } from '#shared/operations/registry.ts';

const updatePort = operations.get('update-port') ?? createPort;
const sendSms = operations.get('send-sms') ?? createPort;
const kinds = [createPort, updatePort];
const marks = ['importId', 'line', 'errors'];
const ports = createPort.columns.filter(({ required }) => required).map(({ name }) => name);
const settings = { defaults: {}, mapping: {} };

test('rows of create-port with all columns are for create-port', () => {
  const file = { header: [...ports, 'pac', ...marks], settings, columns: sendSms.columns };
  expect(findOtherOperation(file, kinds)?.name).toBe('create-port');
});

test('new PACs are for update-port', () => {
  const file = { header: ['msisdn', 'portId', 'pac', ...marks], settings, columns: createPort.columns };
  expect(findOtherOperation(file, kinds)?.name).toBe('update-port');
});

test('an operation whose columns are all there is right, although the file has more', () => {
  const file = { header: [...ports, 'pac', ...marks], settings, columns: updatePort.columns };
  expect(findOtherOperation(file, kinds)).toBeUndefined();
});

test('a file of create-port that misses a column is for no other operation', () => {
  const header = [...ports.filter((name) => name !== 'tariff'), 'pac', ...marks];
  expect(findOtherOperation({ header, settings, columns: createPort.columns }, kinds)).toBeUndefined();
});

test('with as many known columns in both, the operation stays', () => {
  const file = { header: ['msisdn', 'pac', ...marks], settings, columns: createPort.columns };
  expect(findOtherOperation(file, kinds)).toBeUndefined();
});

test('a column may have the name that the user gave it', () => {
  const header = ['Rufnummer', 'portId', 'pac', ...marks];
  const named = { ...settings, mapping: { Rufnummer: 'msisdn' } };
  expect(findOtherOperation({ header, settings: named, columns: createPort.columns }, kinds)?.name).toBe('update-port');
});

test('a column that the file has twice is another problem', () => {
  const file = { header: ['msisdn', 'portId', 'pac', 'PAC', ...marks], settings, columns: createPort.columns };
  expect(findOtherOperation(file, kinds)?.name).toBe('update-port');
});

test('a file without known columns is for no operation', () => {
  expect(findOtherOperation({ header: marks, settings, columns: sendSms.columns }, kinds)).toBeUndefined();
});
