// simporter doctor: whether the service answers as simporter expects, and whether the stack can work. Reads only.
import type { ServiceCheck } from '#shared/request/messages.ts';
import { counted } from '#shared/text/wording.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { printJson } from '../output/json.ts';
import type { Style } from '../output/paint.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import { countDeadLettered } from '../target/dead-lettered.ts';
import type { Session, Target } from '../target/target.ts';
import { whenIdle } from '../target/when-idle.ts';

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command.action(
    onTarget<[]>(async (session) => {
      const { stack } = session.options;
      const checks = [
        ...(await whenIdle(session, () => session.target.examine())).checks,
        await findDeadLettered(session.target),
        ...(session.target.kind === 'stack' && stack !== undefined
          ? await (await import('../target/examine-stack.ts')).examineStack(stack)
          : []),
      ];
      if (session.json) await printJson(session, { checks });
      else await print(session, checks);
      return checks.some(isProblem) ? exitCodes.actionRequired : exitCodes.done;
    }),
  );

const isProblem = ({ state }: ServiceCheck): boolean => state === 'warning' || state === 'error';

async function findDeadLettered(target: Target): Promise<ServiceCheck> {
  const counts = await countDeadLettered(target);
  const messages = counts.reduce((sum, { deadLettered }) => sum + deadLettered, 0);
  if (messages === 0) return { check: 'dead-letters', state: 'ok', answer: 'no message is dead-lettered' };
  const answer = `${counted(messages, 'message')} dead-lettered`;
  return { check: 'dead-letters', state: 'error', answer, advice: `To see them: ${nextCommand('redrive')}` };
}

const colours: Readonly<Record<string, Style>> = { ok: 'green', warning: 'yellow', error: 'red', unknown: 'dim' };
const columns: readonly TableColumn[] = [
  { header: 'state', style: (state) => colours[state] },
  { header: 'check' },
  { header: 'answer', wraps: true },
];

async function print({ terminal }: Session, checks: readonly ServiceCheck[]): Promise<void> {
  const cells = checks.map(({ state, check, answer, advice }) => [
    state,
    check,
    advice === undefined ? answer : `${answer}. ${advice}`,
  ]);
  await terminal.lines(formatTable(columns, cells, terminal));
  const problems = checks.filter(isProblem).length;
  terminal.note(problems === 0 ? 'Nothing to do.' : `${counted(problems, 'check')} failed or has a warning.`);
}
