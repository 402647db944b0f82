// The OpenAPI document, and Swagger UI to read and try it. The viewer's files come from the package swagger-ui-dist, so
// that the page works offline. Its dependency with an install script is replaced by an empty package in package.json.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Hono } from 'hono';

const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
};

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>SIM Management and Porting Service</title><link rel="stylesheet" href="docs/swagger-ui.css"></head>
<body><div id="viewer"></div>
<script src="docs/swagger-ui-bundle.js"></script><script src="docs/start.js"></script></body></html>
`;

// Without validatorUrl the viewer would send the document to a validator on the internet.
const start = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#viewer', validatorUrl: null, tryItOutEnabled: true });\n`;

const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/** Undefined on AWS, where the function is one file without packages. */
function readViewerFile(name: string): string | undefined {
  try {
    return readFileSync(createRequire(import.meta.url).resolve(`#api-viewer/${name}`), 'utf8');
  } catch {
    return undefined;
  }
}

/** The document is built when it is first asked for: most processes never are. */
export function mountViewer(app: Hono, build: () => object): void {
  let document: object | undefined;
  app.get('/openapi.json', (context) => {
    document ??= build();
    return context.json(document);
  });
  app.get('/docs', (context) =>
    readViewerFile('swagger-ui.css') === undefined
      ? context.redirect('openapi.json')
      : context.html(page, 200, { 'content-security-policy': policy }),
  );
  app.get('/docs/start.js', (context) => context.body(start, 200, { 'content-type': 'text/javascript' }));
  for (const [name, contentType] of Object.entries(files)) {
    app.get(`/docs/${name}`, (context) => {
      const text = readViewerFile(name);
      return text === undefined ? context.notFound() : context.body(text, 200, { 'content-type': contentType });
    });
  }
}
