// A tick of the schedule, or a command of a person: resolves one request, examines the service, lists the ports, or
// runs once, whatever else the event contains.
import {
  type ExamineAnswer,
  examineCommand,
  type ListPortsAnswer,
  listPortsCommand,
  type Resolution,
  type ResolveAnswer,
  resolveCommand,
  syncCommand,
} from '#shared/request/messages.ts';
import { createStepHandler, type Invocation, type StepScope } from '#shared/runtime/step.ts';
import type { SyncResult } from './sync.ts';

export interface SyncTick extends Invocation {
  /** A person asks whether the service accepts the secret. */
  readonly checkSecret: boolean;
}

interface SyncStep extends StepScope {
  readonly runSync: (tick: SyncTick) => Promise<SyncResult>;
  readonly resolve: (resolution: Resolution, invocation: Invocation) => Promise<ResolveAnswer>;
  readonly examine: () => Promise<ExamineAnswer>;
  readonly listPorts: (invocation: Invocation) => Promise<ListPortsAnswer>;
}

export function createSyncHandler(step: SyncStep) {
  const { runSync, resolve, examine, listPorts, log } = step;
  type Answer = SyncResult | ResolveAnswer | ExamineAnswer | ListPortsAnswer;
  return createStepHandler(step, async (event: unknown, invocation): Promise<Answer> => {
    if (isResolveCommand(event)) {
      const command = resolveCommand.safeParse(event);
      return command.success ? resolve(command.data.resolve, invocation) : unreadableCommand;
    }
    if (examineCommand.safeParse(event).success) return examine();
    if (listPortsCommand.safeParse(event).success) return listPorts(invocation);
    const result = await runSync({ ...invocation, checkSecret: syncCommand.safeParse(event).success });
    log.info('synced', { ...result });
    return result;
  });
}

const isResolveCommand = (event: unknown): boolean => typeof event === 'object' && event !== null && 'resolve' in event;

const unreadableCommand: ResolveAnswer = {
  resolved: false,
  why: 'the command cannot be read',
  advice: 'use the simporter of the version that is deployed',
};
