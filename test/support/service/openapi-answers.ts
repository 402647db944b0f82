// Checks answers against the OpenAPI document of the simulator that gave them: the status is declared, the body fits.
import { type AnswerChecker, createAnswerChecker, type Exchange } from '#simulator/proxy/answer-checker.ts';
import type { RunningSimulator, StartOptions } from '#simulator/start-simulator.ts';

/** What is wrong with the answer by the document; null if nothing is. */
export function problemOf(checker: AnswerChecker, exchange: Exchange): string | null {
  const described = checker.operationOf(exchange.method, exchange.path);
  // The document describes the service: not what it does not have, nor the page of a gateway in front of it.
  if (described === undefined || exchange.contentType.startsWith('text/html')) return null;
  const differences = checker.differences(described.operation, exchange);
  if (differences.length === 0) return null;
  const name = `${described.operation.operationId} ${exchange.status}`;
  return `${name}: ${differences.map(({ pointer, expected }) => `${pointer} expected ${expected}`)} in ${exchange.text}`;
}

type Simulator = Pick<RunningSimulator, 'baseUrl' | 'simulator'>;

const checkers = new WeakMap<object, Promise<AnswerChecker>>();
const sharedCheckers = new Map<string, Promise<AnswerChecker>>();

/** The checker of a running simulator. */
export function answerCheckerOf(service: Simulator): Promise<AnswerChecker> {
  const known = checkers.get(service.simulator) ?? readChecker(service);
  checkers.set(service.simulator, known);
  return known;
}

/** Simulators with the same choices and controls have the same document, which takes a tenth of a second to make. */
export function shareChecker(service: Simulator, { sandbox = false, choices = {}, catalogue }: StartOptions): void {
  if (catalogue !== undefined) return;
  const options = JSON.stringify([sandbox, choices]);
  const shared = sharedCheckers.get(options) ?? answerCheckerOf(service);
  sharedCheckers.set(options, shared);
  checkers.set(service.simulator, shared);
}

async function readChecker({ baseUrl }: Simulator): Promise<AnswerChecker> {
  const document = await (await fetch(`${baseUrl}/openapi.json`)).text();
  return createAnswerChecker(JSON.parse(document));
}
