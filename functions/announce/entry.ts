// Wires the announce function to AWS. Only this file acts when it is imported.
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { parseEnvironment } from '#shared/runtime/config.ts';
import { createLog } from '#shared/runtime/logger.ts';
import { clientTimeouts } from '#shared/store/client-timeouts.ts';
import { createEventBus } from '#shared/store/event-bus.ts';
import { createAnnounceHandler } from './handler.ts';

const { EVENT_BUS, EVENT_SOURCE } = parseEnvironment(process.env, ['EVENT_BUS', 'EVENT_SOURCE']);

export const handler = createAnnounceHandler({
  bus: createEventBus(new EventBridgeClient(clientTimeouts), { bus: EVENT_BUS, source: EVENT_SOURCE }),
  log: createLog({ service: 'announce' }),
});
