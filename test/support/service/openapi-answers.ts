// Checks answers against the OpenAPI document of the simulator that gave them: the status is declared, the body fits.
import { type AnswerChecker, createAnswerChecker, type Exchange } from '#simulator/proxy/answer-checker.ts';
import type { RunningSimulator } from '#simulator/start-simulator.ts';

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

const checkers = new Map<string, AnswerChecker>();
const checkerBySimulator = new WeakMap<object, Promise<AnswerChecker>>();

type Simulator = Pick<RunningSimulator, 'baseUrl' | 'simulator'>;

/** The checker of a running simulator; simulators with the same document share one. */
export function answerCheckerOf(service: Simulator): Promise<AnswerChecker> {
  const known = checkerBySimulator.get(service.simulator) ?? readChecker(service);
  checkerBySimulator.set(service.simulator, known);
  return known;
}

async function readChecker({ baseUrl }: Simulator): Promise<AnswerChecker> {
  const text = await (await fetch(`${baseUrl}/openapi.json`)).text();
  const checker = checkers.get(text) ?? createAnswerChecker(JSON.parse(text));
  checkers.set(text, checker);
  return checker;
}
