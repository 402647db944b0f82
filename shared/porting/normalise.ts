// The look-ups answer a list in several wrappings: one object, an array, `{result: …}` or null (decision 3).
import * as z from 'zod/mini';
import { tariff } from './contract.ts';

/** Accepts every wrapping of a list of `item`, gives an array. */
export const listOf = <Item extends z.ZodMiniType>(item: Item) => z.pipe(z.transform(unwrapped), z.array(item));

function unwrapped(answer: unknown): unknown {
  if (answer === null || answer === undefined) return [];
  if (Array.isArray(answer)) return answer;
  return isWrapped(answer) ? unwrapped(answer.result) : [answer];
}

const isWrapped = (answer: unknown): answer is { result: unknown } =>
  typeof answer === 'object' && answer !== null && 'result' in answer;

/** Tariffs, and whether their wrapping is a Type-B network's: `{result}` with null attributes throughout (decision 5). */
export const tariffList = z.pipe(
  z.transform((answer) => ({ wrapped: isWrapped(answer), tariffs: answer })),
  z.pipe(
    z.object({ wrapped: z.boolean(), tariffs: listOf(tariff) }),
    z.transform(({ wrapped, tariffs }) => ({
      tariffs,
      typeB: wrapped && tariffs.every((each) => each.configurationAttributes === null),
    })),
  ),
);
