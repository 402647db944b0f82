// What a person sends who makes a port in the portal.
import { createPortBodyOf } from '#shared/operations/create-port/submission.ts';
import type { PlannedRow } from '#shared/request/request.ts';

const head = {
  portType: 'Port',
  targetNetworkId: 11,
  networkNumber: 101,
  sourceNetworkId: 1,
  connectionDate: '2026-07-16',
  auto: false,
  groupName: 'Field team',
  tariffId: 2001,
  boltOns: [101],
  services: null,
  provisioningOrder: 5001,
  provisioningOrderName: null,
};

export function bodyElsewhere(name: string, rows: readonly PlannedRow[]) {
  const about = { importId: '', request: 1, operation: 'create-port', token: '', label: '' } as const;
  return createPortBodyOf({ ...about, head, rows: [...rows] }, name);
}
