// Checks of functions: recursive loops and the heap. By default Lambda stops a chain of about 16 invocations and
// dead-letters its message, so a function that may send to its own event source must allow recursion explicitly.
import { heapMegabytes } from '#infra/derived-settings.ts';
import { formatValue, functionIn, referencedId } from '#local/template/references.ts';
import { statementsOf } from './permissions.ts';
import { alarmMetricsOf, type Check, checkEach, type Properties, resourcesOf, type Template } from './read-template.ts';

const lambda = 'AWS::Lambda::Function';
const isAllowed = ({ RecursiveLoop }: Properties): boolean => RecursiveLoop === 'Allow';

export const functionChecks: readonly Check[] = [
  checkEach(
    lambda,
    'heap-limit',
    'With NODE_OPTIONS Lambda may set no heap limit: add --max-old-space-size, at most 75 % of the memory.',
    ({ Environment, MemorySize = 128 }) => {
      const options: string | undefined = Environment?.Variables?.NODE_OPTIONS;
      const limit = Number(/--max-old-space-size=(\d+)/.exec(options ?? '')?.[1]);
      return options === undefined || limit <= heapMegabytes(MemorySize);
    },
  ),
  checkEach(
    lambda,
    'recursive-loop',
    'The function may send to its own event source: after 16 invocations Lambda stops it, without RecursiveLoop Allow.',
    (properties, template, id) => isAllowed(properties) || !mayReach(template, id, id),
  ),
  checkEach(
    lambda,
    'needless-recursion',
    'The function cannot send to its own event source: RecursiveLoop must be Terminate.',
    (properties, template, id) => !isAllowed(properties) || mayReach(template, id, id),
  ),
  checkEach(
    lambda,
    'recursion-alarm',
    'RecursiveLoop can be changed outside of the template: the function needs an alarm on RecursiveInvocationsDropped.',
    (properties, template, id) =>
      !isAllowed(properties) ||
      alarmMetricsOf(template).some(
        ({ MetricName, FunctionName }) => MetricName === 'RecursiveInvocationsDropped' && FunctionName === `<${id}>`,
      ),
  ),
];

/** Whether messages of the function `from` may invoke the function `to`, directly or through other functions. */
function mayReach(template: Template, from: string, to: string): boolean {
  const reached = new Set<string>();
  const waiting = [from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const next = invokedBy(template, id).filter((one) => !reached.has(one));
    for (const one of next) reached.add(one);
    waiting.push(...next);
  }
  return reached.has(to);
}

/** The functions whose queues the role of the function `id` may send to. */
function invokedBy(template: Template, id: string): readonly string[] {
  const role = referencedId(template.Resources[id]?.Properties.Role);
  const queues = statementsOf(template)
    .filter((statement) => statement.role === role && statement.effect === 'Allow')
    .filter(({ actions }) => actions.some((action) => action === 'sqs:SendMessage' || action === 'sqs:*'))
    .flatMap(({ resources }) => resources);
  return resourcesOf(template, 'AWS::Lambda::EventSourceMapping')
    .filter(([, { EventSourceArn }]) => queues.includes(formatValue(EventSourceArn)))
    .flatMap(([, { FunctionName }]) => functionIn(template, FunctionName) ?? []);
}
