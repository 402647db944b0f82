// Colour on a terminal: never in a pipe, never with NO_COLOR.
import { styleText } from 'node:util';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = (style: Style, text: string) => string;

export const noPaint: Paint = (_style, text) => text;
export const ansiPaint: Paint = (style, text) => styleText(style, text, { validateStream: false });

/** https://no-color.org: set and not empty turns colour off. FORCE_COLOR turns it on, also in a pipe. */
export function paintFor(
  stream: { isTTY?: boolean | undefined },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  if (env.NO_COLOR) return noPaint;
  if (env.FORCE_COLOR) return env.FORCE_COLOR === '0' ? noPaint : ansiPaint;
  return stream.isTTY === true && env.TERM !== 'dumb' ? ansiPaint : noPaint;
}
