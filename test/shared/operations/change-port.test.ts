// Changes of existing ports: the validation of rows, and the one call of their request.
import { describe, expect, test } from 'vitest';
import { cancelPort, updatePort } from '#shared/operations/change-port.ts';
import type { Operation } from '#shared/operations/operation.ts';
import type { PortingClient } from '#shared/service/client.ts';
import type { UpdatePortBody } from '#shared/service/contract.ts';
import { locked, portId, portsContext, scheduledNumber, stranger } from '../../support/ingest/operation-ports.ts';
import { type Cells, checkRow, plannedOf } from '../../support/ingest/operation-rows.ts';

const [first, second, third] = ['07700900001', '+447700900002', '7700900003'];

interface Call {
  readonly method: 'PATCH' | 'DELETE';
  readonly portId: string;
  readonly rows?: UpdatePortBody['Rows'];
}

/** Validates the rows, revalidates their request, and makes its call. */
async function submitted(
  operation: Operation,
  rows: readonly Cells[],
  { context } = portsContext(),
  mayBeMade = false,
) {
  const request = await plannedOf(operation, rows, context);
  const revalidated = await operation.submission.revalidate(request, { ...context, mayBeMade });
  const calls: Call[] = [];
  const client = {
    updatePort: async (id: string, body: UpdatePortBody) =>
      void calls.push({ method: 'PATCH', portId: id, rows: body.Rows }),
    cancelPort: async (id: string) => void calls.push({ method: 'DELETE', portId: id }),
  };
  if ('rejection' in revalidated) throw new Error(revalidated.rejection.message);
  const changed = await operation.submission.call(client as unknown as PortingClient, revalidated.send, '');
  return { ...revalidated, changed, calls };
}

describe('a row is rejected with its column named', () => {
  const amend = { msisdn: first, pac: 'ABC123456' };
  const faults: readonly [Operation, Cells, string, RegExp][] = [
    [updatePort, { ...amend, msisdn: '' }, 'msisdn CELL_REQUIRED', /must not be empty/],
    [updatePort, { ...amend, msisdn: '12' }, 'msisdn MSISDN_SHAPE', /digits/],
    [updatePort, { ...amend, pac: '' }, 'pac PAC_REQUIRED', /write cancel as the action/],
    [updatePort, { ...amend, pac: '123456ABC' }, 'pac PAC_IS_STAC', /STAC/],
    [updatePort, { ...amend, action: 'remove' }, 'action CELL_NOT_ONE_OF', /amend, cancel/],
    [updatePort, { ...amend, action: 'cancel' }, 'pac CELL_NOT_ALLOWED', /takes no pac/],
    [updatePort, { ...amend, pac: 'OLD000000' }, 'pac LINE_NOT_CHANGEABLE', /this same PAC/],
    [updatePort, { ...amend, msisdn: third }, 'pac LINE_NOT_CHANGEABLE', /The row is PacValid/],
    [updatePort, { ...amend, msisdn: '07711900001' }, 'msisdn PORT_UNKNOWN', /Enter its portId/],
    [
      updatePort,
      { ...amend, msisdn: '07711900001', portId },
      'msisdn MSISDN_NOT_IN_PORT',
      /does not contain 447711900001/,
    ],
    [updatePort, { ...amend, portId: 'abc' }, 'portId PORT_ID_SHAPE', /is not a port id/],
    [updatePort, { ...amend, portId: stranger }, 'portId PORT_UNKNOWN', /does not know port/],
    [updatePort, { msisdn: first, action: 'cancel', portId: locked }, 'msisdn PORT_NOT_CHANGEABLE', /Locked/],
    [cancelPort, {}, 'msisdn CELL_REQUIRED', /Enter the number to cancel/],
    [cancelPort, { wholePort: 'yes' }, 'portId CELL_REQUIRED', /Enter the portId/],
    [cancelPort, { portId: locked, wholePort: 'yes' }, 'portId PORT_NOT_CHANGEABLE', /Locked/],
    [cancelPort, { msisdn: '07711900001' }, 'msisdn PORT_UNKNOWN', /Enter its portId/],
    [cancelPort, { msisdn: scheduledNumber }, 'msisdn PORT_UNKNOWN', /request july\/7 sends it on 2026-08-03/],
  ];
  test.each(
    faults.map(([operation, cells, found, message]) => [operation.name, cells, found, message, operation] as const),
  )('%s %j: %s', async (_, cells, found, message, operation) => {
    const { errors, findings, shape, row } = await checkRow(operation, cells, portsContext().context);
    expect(errors).toEqual([found]);
    expect(findings.find(({ severity }) => severity === 'error')?.message).toMatch(message);
    expect(shape === undefined || row === undefined).toBe(true);
  });

  test.each([
    [updatePort, { msisdn: '07700900003', action: 'cancel' }],
    [cancelPort, { msisdn: '07700900003' }],
  ])('a PacValid row that is cancelled alone has a warning', async (operation, cells) => {
    const { errors, findings } = await checkRow(operation, cells, portsContext().context);
    expect(errors).toEqual([]);
    expect(findings).toMatchObject([{ column: 'msisdn', code: 'LINE_NOT_CHANGEABLE', severity: 'warning' }]);
    expect(findings[0]?.message).toMatch(/The row is PacValid.+unless this file cancels every row of the port/);
  });

  test('a port is found by its id in upper case', async () => {
    const { errors, shape } = await checkRow(
      cancelPort,
      { portId: portId.toUpperCase(), wholePort: 'yes' },
      portsContext().context,
    );
    expect(errors).toEqual([]);
    expect(JSON.parse(shape?.head ?? '')).toMatchObject({ portId });
  });

  test('a number may be in a file once', async () => {
    const { context } = portsContext();
    await checkRow(updatePort, { msisdn: first, pac: 'ABC123456' }, context);
    context.line = 9;
    const { errors } = await checkRow(updatePort, { msisdn: '+44 7700 900001', action: 'cancel' }, context);
    expect(errors).toEqual(['msisdn MSISDN_DUPLICATE_IN_FILE']);
  });
});

describe('the request of the rows of one port', () => {
  test('is one request, however the port is named', async () => {
    const { context } = portsContext();
    const keyOf = async (cells: Cells) => (await checkRow(updatePort, cells, context)).shape?.head;
    const key = await keyOf({ msisdn: first, pac: 'ABC123456' });
    expect(await keyOf({ msisdn: second, pac: 'ABC123457', portId: portId.toUpperCase(), action: 'AMEND' })).toBe(key);
    expect(await keyOf({ msisdn: second, action: 'cancel' })).not.toBe(key);
  });

  test('sends new PACs, with each number as Port Detail writes it', async () => {
    const rows = [
      { msisdn: first, pac: 'abc 123456' },
      { msisdn: second, pac: 'ABC123457' },
    ];
    expect((await submitted(updatePort, rows)).calls).toEqual([
      {
        method: 'PATCH',
        portId,
        rows: [
          { Msisdn: '07700900001', Pac: 'ABC123456', PortRowStatus: 'Amended' },
          { Msisdn: '07700900002', Pac: 'ABC123457', PortRowStatus: 'Amended' },
        ],
      },
    ]);
  });

  test('cancels some rows with PATCH, without a PAC', async () => {
    const { context } = portsContext('Submitted', ['Submitted', 'Submitted', 'Submitted']);
    const { calls, note } = await submitted(cancelPort, [{ msisdn: third }], { context, ports: new Map() });
    const rows = [{ Msisdn: '07700 900 003', PortRowStatus: 'CancellationRequested' }];
    expect(calls).toEqual([{ method: 'PATCH', portId, rows }]);
    expect(note).toBe('Cancelled. The other rows of the port continue');
  });

  test.each([
    [cancelPort, [{ portId, wholePort: 'yes' }]],
    [cancelPort, [{ msisdn: first }, { msisdn: second }, { msisdn: third }]],
    [updatePort, [first, second, third].map((msisdn) => ({ msisdn: msisdn ?? '', action: 'cancel' }))],
  ] as const)('cancels the whole port with DELETE (%#)', async (operation, rows) => {
    const { calls, note, changed } = await submitted(operation, rows);
    expect(calls).toEqual([{ method: 'DELETE', portId }]);
    expect(note).toBe('Cancelled with the whole port');
    expect(changed).toBe(portId);
  });

  test('excludes a row that cannot be cancelled by itself, with the reason', async () => {
    const { calls, send, excludedRows } = await submitted(cancelPort, [{ msisdn: first }, { msisdn: third }]);
    expect(calls).toMatchObject([{ rows: [{ Msisdn: '07700900001' }] }]);
    expect(send.rows.map(({ line }) => line)).toEqual([2]);
    expect(excludedRows).toMatchObject([{ line: 3, subject: '447700900003', code: 'LINE_NOT_CHANGEABLE' }]);
  });

  test('makes no call for a change that is done already, so a repeat after a crash is harmless', async () => {
    const amended = portsContext('Pac Check Failed', ['Amended', 'PacInvalid', 'PacValid']);
    const rows = [{ msisdn: first, pac: 'OLD000000' }];
    expect(await submitted(updatePort, rows, amended, true)).toMatchObject({ calls: [], changed: portId });
    const cancelled = portsContext('Cancelled', ['Cancelled', 'Cancelled', 'Cancelled']);
    expect(await submitted(cancelPort, [{ portId, wholePort: 'yes' }], cancelled, true)).toMatchObject({
      calls: [],
      note: 'An earlier call has made this change, so nothing was sent again',
    });
  });

  test('excludes the rows of a change that somebody else has made', async () => {
    const amended = portsContext('Pac Check Failed', ['Amended', 'PacInvalid', 'PacValid']);
    const skipped = async (...about: Parameters<typeof submitted>) => {
      const { calls, send, excludedRows = [] } = await submitted(...about);
      expect([calls, send.rows]).toEqual([[], []]);
      return excludedRows.map(({ message }) => message);
    };
    expect(await skipped(updatePort, [{ msisdn: first, pac: 'OLD000000' }], amended)).toEqual([
      'The port had this PAC before, so nothing was sent',
    ]);
    const cancelled = portsContext('Cancelled', ['Cancelled', 'Cancelled', 'Cancelled']);
    const rows: Cells[] = [{ portId, wholePort: 'yes' }, { msisdn: first }];
    for (const row of rows)
      expect(await skipped(cancelPort, [row], cancelled)).toEqual([expect.stringContaining('cancelled before')]);
  });

  test('is validated again just before it is sent', async () => {
    const ports = portsContext();
    const request = await plannedOf(cancelPort, [{ portId, wholePort: 'yes' }], ports.context);
    const port = ports.ports.get(portId);
    if (port) ports.ports.set(portId, { ...port, statusName: 'Locked' });
    expect(await cancelPort.submission.revalidate(request, ports.context)).toMatchObject({
      rejection: { code: 'PORT_NOT_CHANGEABLE' },
    });
    ports.ports.delete(portId);
    expect(await cancelPort.submission.revalidate(request, ports.context)).toMatchObject({
      rejection: { code: 'PORT_UNKNOWN' },
    });
  });
});
