// `npm run site`: the documentation site in build/site. TypeDoc makes it from the pages of the repository and the types
// of the package. Its search works without a server. The viewer of the OpenAPI documents is added here.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Application, TSConfigReader, TypeDocReader } from 'typedoc';

const repository = join(import.meta.dirname, '..');

// The document is part of the page: a browser loads no other file for a page that it opens from the disk.
const viewerPage = (name: string, document: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${name}</title><link rel="stylesheet" href="swagger-ui.css"></head><body><div id="viewer"></div>
<script src="swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ spec: ${document}, dom_id: '#viewer', validatorUrl: null, supportedSubmitMethods: [] });</script>
</body></html>
`;

async function writePages(): Promise<string> {
  const options = { options: join(import.meta.dirname, 'typedoc.json') };
  const app = await Application.bootstrapWithPlugins(options, [new TypeDocReader(), new TSConfigReader()]);
  const project = await app.convert();
  if (project === undefined) throw new Error('The types in test/packages/types or a page could not be read.');
  // TypeDoc names a page by its file. Its heading is more precise.
  for (const page of project.documents ?? []) page.name = headingOf(page.content) ?? page.name;
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
  return app.options.getValue('out');
}

const headingOf = (content: readonly { readonly text: string }[]): string | undefined =>
  /^# (.+)$/m.exec(content.map(({ text }) => text).join(''))?.[1]?.replaceAll(/[`:/]/g, '');

function writeViewer(site: string): void {
  const folder = join(site, 'openapi');
  mkdirSync(folder, { recursive: true });
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js'])
    cpSync(join(repository, 'node_modules', 'swagger-ui-dist', file), join(folder, file));
  for (const path of globSync('docs/reference/*.openapi.json', { cwd: repository })) {
    const name = basename(path, '.openapi.json');
    // Shorter, and without an end of the script that contains it.
    const document = JSON.stringify(JSON.parse(readFileSync(join(repository, path), 'utf8')));
    writeFileSync(join(folder, `${name}.html`), viewerPage(name, document.replaceAll('<', '\\u003c')));
  }
}

/** TypeDoc writes the links of its toolbar as they are, for pages at the top. */
function fixToolbar(site: string): void {
  for (const path of globSync('*/*.html', { cwd: site })) {
    const html = readFileSync(join(site, path), 'utf8');
    writeFileSync(join(site, path), html.replaceAll('href="openapi/', 'href="../openapi/'));
  }
}

const site = await writePages();
writeViewer(site);
fixToolbar(site);
