// Every operation there is, by its name: the first folder of an inbox key.
import type { OperationName } from '#shared/domain/operation-name.ts';
import { bar, unbar } from './bar.ts';
import { barServiceConfig } from './bar-service-config.ts';
import { cancelPort } from './cancel-port.ts';
import { changeProvision } from './change-provision.ts';
import { configureBundleControl } from './configure-bundle-control.ts';
import { createBundle } from './create-bundle.ts';
import { createPort } from './create-port.ts';
import type { Operation } from './operation.ts';
import { provision } from './provision.ts';
import { sendSms } from './send-sms.ts';
import { updatePort } from './update-port.ts';

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
  ].map((one) => [one.name, one]),
);

/** The operation of this folder name, if there is one. */
export const operationNamed = (name: string): Operation | undefined => operations.get(name as OperationName);
