// `npm run build:packages`: makes the npm package in build/package, which `npm pack ./build/package` packs.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installation } from '#cli/installation/clone.ts';
import { bundleFunctions } from '#infra/bundle.ts';
import { functionNames } from '#infra/function-names.ts';
import { hashFiles } from '#local/content-cache.ts';
import { synthesise } from '#local/template/synthesise.ts';
import { type BundledLibrary, bundlePackage } from './bundle.ts';
import { writeDeclarations } from './declarations.ts';
import { documentation, manifest } from './manifest.ts';
import { packageReadme } from './readme.ts';

const { project, readStacks } = installation;
const folder = join(project.root, 'build', 'package');
const dist = join(folder, 'dist');

/** The templates for the local emulator. */
async function readTemplates(): Promise<unknown> {
  const stacks = await readStacks();
  if (!('program' in stacks)) return stacks;
  return synthesise(stacks, project, await hashFiles(project.root, project.sources));
}

const noticesOf = (bundled: readonly BundledLibrary[]): string =>
  [
    'The files in dist/ contain these libraries.',
    ...bundled.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`),
  ].join(`\n\n${'-'.repeat(80)}\n\n`);

await rm(folder, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
bundleFunctions(project.root, join(dist, 'functions'), functionNames);
const [bundled, templates, builtConsole] = await Promise.all([
  bundlePackage(dist),
  readTemplates(),
  installation.buildConsole(),
]);
await cp(builtConsole, join(dist, 'console'), { recursive: true });
await writeFile(join(dist, 'local-templates.json'), JSON.stringify(templates));
await writeDeclarations(dist);
await cp(join(project.root, 'packages', 'bin'), join(dist, 'bin'), { recursive: true });
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js'])
  await cp(join(project.root, 'node_modules', 'swagger-ui-dist', name), join(dist, 'api-viewer', name));
for (const name of ['CHANGELOG.md', 'LICENSE', 'SECURITY.md', 'examples'])
  await cp(join(project.root, name), join(folder, name), { recursive: true });
const page = await readFile(join(project.root, 'docs', 'guides', 'package.md'), 'utf8');
await writeFile(join(folder, 'README.md'), packageReadme(page, documentation));
await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), `${noticesOf(bundled)}\n`);
await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
