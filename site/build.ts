// `npm run site`: the documentation site in build/site. TypeDoc makes it from the pages of the repository and the types
// of the package. Its search works without a server. The viewer of the OpenAPI documents is added here.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Application, Comment, CommentTag, Converter, ReflectionKind, TSConfigReader, TypeDocReader } from 'typedoc';
import { writeDeclarations } from '../packages/declarations.ts';

const repository = join(import.meta.dirname, '..');

// The document is part of the page: a browser loads no other file for a page that it opens from the disk.
const viewerPage = (name: string, document: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${name}</title><link rel="stylesheet" href="swagger-ui.css"></head><body><div id="viewer"></div>
<script src="swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ spec: ${document}, dom_id: '#viewer', validatorUrl: null, supportedSubmitMethods: [] });</script>
</body></html>
`;

const groups = ['Start', 'Concepts', 'Guides', 'Reference', 'Contributing'];
const titleOf = (path: string): string => /^# (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? basename(path);

/** The menu has the folders of docs/ as groups, and the types of the package below the reference. */
function arrange(app: Application): void {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, page) => {
    const path = page.project.files.getReflectionPath(page) ?? '';
    const folder = basename(dirname(path));
    page.name = titleOf(path).replaceAll(/[`:/]/g, '');
    page.frontmatter.group = groups.find((group) => group.toLowerCase() === folder) ?? 'Contributing';
    if (page.frontmatter.group === 'Contributing')
      page.frontmatter.category = folder === 'decisions' ? 'Decisions' : 'Design and project';
  });
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_, reflection) => {
    if (reflection.kind !== ReflectionKind.Module) return;
    reflection.comment ??= new Comment();
    reflection.comment.blockTags.push(new CommentTag('@group', [{ kind: 'text', text: 'Reference' }]));
  });
}

async function writePages(): Promise<string> {
  const options = { options: join(import.meta.dirname, 'typedoc.json') };
  const app = await Application.bootstrapWithPlugins(options, [new TypeDocReader(), new TSConfigReader()]);
  arrange(app);
  const project = await app.convert();
  if (project === undefined) throw new Error('The types of the package or a page could not be read.');
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
  return app.options.getValue('out');
}

/** The pages as Markdown, and llms.txt, which lists them for programs that read text. */
function writeText(site: string): void {
  const lines = groups.flatMap((group) => {
    const paths = globSync(`docs/${group.toLowerCase()}/*.md`, { cwd: repository }).sort();
    for (const path of paths) cpSync(join(repository, path), join(site, path));
    return ['', `## ${group}`, '', ...paths.map((path) => `- [${titleOf(join(repository, path))}](${path})`)];
  });
  const [, summary = ''] = readFileSync(join(repository, 'README.md'), 'utf8').split('\n\n');
  writeFileSync(join(site, 'llms.txt'), `# simporter\n\n> ${summary.replaceAll('\n', ' ')}\n${lines.join('\n')}\n`);
}

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

await writeDeclarations(join(repository, 'build', 'types'));
const site = await writePages();
writeViewer(site);
writeText(site);
fixToolbar(site);
