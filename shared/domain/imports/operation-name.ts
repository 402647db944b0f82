// The names of the operations. The first folder of an inbox key names one.
export const operationNames = [
  'create-port',
  'update-port',
  'cancel-port',
  'provision',
  'change-provision',
  'bar-service-config',
  'send-sms',
  'create-bundle',
  'configure-bundle-control',
  'bar',
  'unbar',
] as const;
export type OperationName = (typeof operationNames)[number];
