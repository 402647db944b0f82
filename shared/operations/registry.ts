// All operations by name. The name is the first folder of an inbox key (shared/store/object-keys.ts).
import type { OperationName } from '#shared/text/identity.ts';
import { bar, barServiceConfig, unbar } from './bars.ts';
import { configureBundleControl, createBundle } from './bundles.ts';
import { cancelPort, updatePort } from './change-port.ts';
import { createPort } from './create-port/create-port.ts';
import type { Operation } from './operation.ts';
import { changeProvision, provision } from './provision.ts';
import { sendSms } from './send-sms.ts';

export const operations: ReadonlyMap<OperationName, Operation> = new Map(
  [
    createPort,
    updatePort,
    cancelPort,
    provision,
    changeProvision,
    barServiceConfig,
    sendSms,
    createBundle,
    configureBundleControl,
    bar,
    unbar,
  ].map((operation) => [operation.name, operation]),
);

/** The operation of this name, if there is one. */
export const operationNamed = (name: string): Operation | undefined => operations.get(name as OperationName);
