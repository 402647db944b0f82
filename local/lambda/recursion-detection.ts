// Recursive loop detection: each invocation adds one to its function's count in the trace header's lineage. SQS stores
// the header with the messages that the function sends, and AWS stops a chain in which a function was invoked 16 times.
import { hash, randomUUID } from 'node:crypto';
import { limits } from '../limits.ts';

/** `Lineage=a87bd80c:1|68fd508a:5`: a hash of each function, and how often it was invoked. */
const lineageOf = (header: string | undefined): Map<string, number> => {
  const [, lineage = ''] = /(?:^|;)\s*Lineage=([^;]+)/.exec(header ?? '') ?? [];
  const counts = lineage.split('|').map((part) => part.split(':'));
  return new Map(counts.map(([hash = '', count]) => [hash, Number(count) || 0]));
};

const hashOf = (functionArn: string): string => hash('sha256', functionArn).slice(0, 8);

const randomHex = (digits: number): string => randomUUID().replaceAll('-', '').slice(0, digits);

/** How often the function was invoked in the chain of a trace header. */
const invocationsIn = (header: string | undefined, functionArn: string): number =>
  lineageOf(header).get(hashOf(functionArn)) ?? 0;

/** Whether Lambda stops the next invocation of the function in this chain. */
export const isEndless = (header: string | undefined, functionArn: string): boolean =>
  invocationsIn(header, functionArn) >= limits.lambdaChain.value;

/** The trace header of an invocation that these headers lead to: that of the longest chain goes on. */
export const traceOfInvocation = (headers: readonly (string | undefined)[], functionArn: string): string => {
  const [longest] = headers.toSorted((a, b) => invocationsIn(b, functionArn) - invocationsIn(a, functionArn));
  const [, root = `1-${randomHex(8)}-${randomHex(24)}`] = /(?:^|;)\s*Root=([^;]+)/.exec(longest ?? '') ?? [];
  const lineage = lineageOf(longest);
  lineage.delete('');
  lineage.set(hashOf(functionArn), invocationsIn(longest, functionArn) + 1);
  const counts = [...lineage].map(([hash, count]) => `${hash}:${count}`).join('|');
  return `Root=${root};Parent=${randomHex(16)};Sampled=0;Lineage=${counts}`;
};
