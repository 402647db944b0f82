// The lookups wrap a list in several ways: one object, an array, `{result: …}` or null (spec gap 3).
import * as z from 'zod/mini';
import { tariff } from './contract.ts';

/** Accepts every wrapping of a list of `item` and returns an array. */
export const listOf = <Item extends z.ZodMiniType>(item: Item) => z.pipe(z.transform(unwrap), z.array(item));

function unwrap(answer: unknown): unknown {
  if (answer === null || answer === undefined) return [];
  if (Array.isArray(answer)) return answer;
  return isWrapped(answer) ? unwrap(answer.result) : [answer];
}

const isWrapped = (answer: unknown): answer is { result: unknown } =>
  typeof answer === 'object' && answer !== null && 'result' in answer;

/** Tariffs. A Type-B network has no tariff attributes: it answers `{result}` with null attributes (spec gap 5). */
export const tariffList = z.pipe(
  z.transform((answer) => ({ wrapped: isWrapped(answer), tariffs: answer })),
  z.pipe(
    z.object({ wrapped: z.boolean(), tariffs: listOf(tariff) }),
    z.transform(({ wrapped, tariffs }) => ({
      tariffs,
      hasAttributes: !(wrapped && tariffs.every((each) => each.configurationAttributes === null)),
    })),
  ),
);
