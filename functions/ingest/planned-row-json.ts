// The JSON of a row, ten million times over: put together from its pieces wherever no piece needs an escape.

/** What JSON writes otherwise than it stands: quotes, backslashes, control characters, halves of surrogate pairs. */
const escaped = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** Exactly `JSON.stringify({ line, subject, wire })`, whatever `wire` is. */
export function plannedRowJson(line: number, subject: string, wire: unknown): string {
  const json = wireJson(wire);
  const rest = json === undefined ? '' : `,"wire":${json}`;
  return `{"line":${line},"subject":${textJson(subject)}${rest}}`;
}

const textJson = (text: string): string => (escaped.test(text) ? JSON.stringify(text) : `"${text}"`);

/** Most operations send an object of a few texts and flags for each row. */
function wireJson(wire: unknown): string | undefined {
  if (wire === null || typeof wire !== 'object' || Object.getPrototypeOf(wire) !== Object.prototype) {
    return JSON.stringify(wire);
  }
  let json = '';
  for (const name in wire) {
    const value = (wire as Readonly<Record<string, unknown>>)[name];
    const text = valueJson(value);
    if (text === undefined || escaped.test(name)) return JSON.stringify(wire);
    json += json === '' ? `{"${name}":${text}` : `,"${name}":${text}`;
  }
  return json === '' ? '{}' : `${json}}`;
}

/** Undefined where it takes more than putting a text in quotes. */
function valueJson(value: unknown): string | undefined {
  if (typeof value === 'string') return escaped.test(value) ? undefined : `"${value}"`;
  if (value === null) return 'null';
  return typeof value === 'boolean' ? String(value) : undefined;
}
