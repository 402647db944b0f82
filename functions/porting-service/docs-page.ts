// The documentation as one page of HTML, made of the OpenAPI document. No script, no font, no address outside: it works
// offline, and a browser's search finds everything.
import { moveHead, portMoveRows, rowMoveRows } from './lifecycle-drawing.ts';
import type { OpenApiDocument } from './openapi.ts';

type Json = Readonly<Record<string, unknown>>;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: unknown): string => String(text).replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
const code = (text: unknown): string => `<code>${escaped(text)}</code>`;
const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);

const style = `
  :root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #0a7a5c; }
  body { font: 15px/1.55 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1rem 1.5rem 6rem; }
  code { font: 13px/1.5 ui-monospace, monospace; background: var(--soft); padding: .1em .3em; border-radius: 3px; }
  table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
  th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
  th { font-weight: 600; } a { color: var(--accent); }
  nav ul { columns: 2; padding-left: 1.2rem; } section { border-top: 1px solid var(--line); margin-top: 1.5rem; }
  .method { display: inline-block; min-width: 4.2em; font-weight: 700; color: var(--accent); }
  h3 { margin-bottom: .2rem; }`;

/** A schema in a few characters: its name, or its type with what bounds it. */
function typeText(schema: Json): string {
  const reference = String(schema.$ref ?? '')
    .split('/')
    .pop();
  if (reference) return `<a href="#${escaped(reference)}">${escaped(reference)}</a>`;
  const choices = listOf(schema.anyOf ?? schema.oneOf);
  if (choices.length > 0) return choices.map(typeText).join(' or ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => code(value)).join(', ');
  if (schema.type === 'array') return `array of ${typeText(objectOf(schema.items))}`;
  const fields = Object.entries(objectOf(schema.properties));
  if (fields.length > 0)
    return `{ ${fields.map(([name, field]) => `${escaped(name)}: ${typeText(objectOf(field))}`).join(', ')} }`;
  return escaped(schema.type ?? 'anything');
}

const bounds: Readonly<Record<string, string>> = {
  minLength: 'at least {} characters',
  maxLength: 'at most {} characters',
  minimum: 'at least {}',
  maximum: 'at most {}',
  minItems: 'at least {}',
  maxItems: 'at most {}',
  pattern: 'matches {}',
};
/** What zod writes for any whole number; it tells a reader nothing. */
const unbounded = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

function noteText(schema: Json): string {
  const limits = Object.entries(bounds)
    .filter(([key]) => schema[key] !== undefined && !unbounded.includes(schema[key] as number))
    .map(([key, words]) => words.replace('{}', code(schema[key])));
  return [escaped(schema.description ?? ''), limits.join(', ')].filter(Boolean).join(' ');
}

function fieldTable(schema: Json): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const rows = Object.entries(objectOf(schema.properties)).map(([name, field]) => {
    const of = objectOf(field);
    return `<tr><td>${code(name)}${required.includes(name) ? '' : ' (optional)'}</td><td>${typeText(of)}</td><td>${noteText(of)}</td></tr>`;
  });
  return rows.length === 0
    ? `<p>${typeText(schema)}</p>`
    : `<table><tr><th>Field</th><th>Type</th><th></th></tr>${rows.join('')}</table>`;
}

const schemaIn = (holder: unknown): Json | undefined => {
  const [media] = Object.values(objectOf(objectOf(holder).content));
  return media === undefined ? undefined : objectOf(objectOf(media).schema);
};

function parameterTable(parameters: readonly Json[]): string {
  const rows = parameters.map(({ name, in: place, required, schema }) => {
    const of = objectOf(schema);
    return `<tr><td>${code(name)}${required ? '' : ' (optional)'}</td><td>${escaped(place)}</td><td>${typeText(of)}</td><td>${noteText(of)}</td></tr>`;
  });
  return rows.length === 0
    ? ''
    : `<table><tr><th>Parameter</th><th>In</th><th>Type</th><th></th></tr>${rows.join('')}</table>`;
}

function operationSection(method: string, path: string, operation: Json): string {
  const body = schemaIn(operation.requestBody);
  const answers = Object.entries(objectOf(operation.responses)).map(([status, answer]) => {
    const schema = schemaIn(answer);
    return `<tr><td>${code(status)}</td><td>${escaped(objectOf(answer).description)}</td><td>${schema ? typeText(schema) : ''}</td></tr>`;
  });
  return `<section id="${escaped(operation.operationId)}"><h3>${escaped(operation.summary)}</h3>
<p><span class="method">${method.toUpperCase()}</span> ${code(path)}</p>
${parameterTable(listOf(operation.parameters))}${body ? `<p>Body:</p>${fieldTable(body)}` : ''}
<table><tr><th>Answer</th><th></th><th>Body</th></tr>${answers.join('')}</table></section>`;
}

const moveTable = (rows: readonly string[][]): string => {
  const line = (tag: string, cells: readonly string[]): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  return `<table>${line('th', moveHead)}${rows.map((cells) => line('td', cells)).join('')}</table>`;
};

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
}

const operationsOf = ({ paths }: OpenApiDocument, tag: string): Operation[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation })))
    .filter(({ operation }) => Array.isArray(operation.tags) && operation.tags.includes(tag));

/** The whole page. */
export function docsPage(document: OpenApiDocument): string {
  const groups = document.tags.map(({ name }) => ({ name, operations: operationsOf(document, name) }));
  const links = groups.map(({ name, operations }) => {
    const items = operations.map(
      ({ operation }) => `<li><a href="#${escaped(operation.operationId)}">${escaped(operation.summary)}</a></li>`,
    );
    return `<h4>${escaped(name)}</h4><ul>${items.join('')}</ul>`;
  });
  const sections = groups.map(({ name, operations }) => {
    const each = operations.map(({ method, path, operation }) => operationSection(method, path, operation));
    return `<h2>${escaped(name)}</h2>${each.join('\n')}`;
  });
  const schemas = Object.entries(document.components.schemas).map(
    ([id, schema]) => `<section id="${escaped(id)}"><h3>${escaped(id)}</h3>${fieldTable(schema)}</section>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(document.info.title)}</title><style>${style}</style></head>
<body><h1>${escaped(document.info.title)}</h1>
<p>${escaped(document.info.description)} Machine-readable: <a href="openapi.json">openapi.json</a> (OpenAPI ${escaped(document.openapi)}).</p>
<nav>${links.join('')}</nav>
${sections.join('\n')}
<h2>States of a port</h2>${moveTable(portMoveRows())}
<h2>States of a row</h2>${moveTable(rowMoveRows())}
<h2>Shapes</h2>
${schemas.join('\n')}
</body></html>
`;
}
