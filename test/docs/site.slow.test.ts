// The documentation site: every link leads somewhere, and nothing is loaded from a network.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { globFiles } from '../support/glob-files.ts';

const site = 'build/site';
let pages: { readonly path: string; readonly html: string }[] = [];
beforeAll(() => {
  execFileSync(process.execPath, ['site/build.ts'], { stdio: 'pipe' });
  pages = globFiles('**/*.html', { cwd: site }).map((path) => ({ path, html: readFileSync(join(site, path), 'utf8') }));
});

test('has every page of docs/, the decisions and the reference of the package', () => {
  const paths = pages.map(({ path }) => path);
  expect(paths.filter((path) => path.startsWith('documents')).length).toBeGreaterThanOrEqual(
    globFiles('docs/*/*.md').length,
  );
  expect(paths).toEqual(expect.arrayContaining(['index.html', 'functions/client.createPortingClient.html']));
});

test('has the five groups of docs/ in its menu, and lists their pages in llms.txt', () => {
  const [, packed = ''] = /"(.+)"/.exec(readFileSync(join(site, 'assets', 'navigation.js'), 'utf8')) ?? [];
  const menu: { readonly text: string }[] = JSON.parse(inflateSync(Buffer.from(packed, 'base64')).toString());
  expect(menu.map(({ text }) => text)).toEqual(['Start', 'Concepts', 'Guides', 'Reference', 'Contributing']);
  const listed = [...readFileSync(join(site, 'llms.txt'), 'utf8').matchAll(/\]\((.+)\)/g)].map(([, path = '']) => path);
  expect(listed).toEqual(expect.arrayContaining(globFiles('docs/{start,concepts,guides,reference,contributing}/*.md')));
  expect(listed.filter((path) => !existsSync(join(site, path)))).toEqual([]);
});

test('has no link to a page or a file that does not exist', () => {
  const broken = pages.flatMap(({ path, html }) =>
    [...html.matchAll(/(?:href|src)="(?!https?:|mailto:|data:|#)([^"#]+)/g)]
      .map(([, target = '']) => decodeURIComponent(target))
      .filter((target) => !existsSync(join(site, dirname(path), target)))
      .map((target) => `${path}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('loads nothing from a network', () => {
  for (const { path, html } of pages)
    expect(html.match(/<(?:script|img|iframe)[^>]+src="https?:|<link[^>]+href="https?:/g), path).toBeNull();
});

test('finds words of a page offline', () => {
  const [, index = ''] = /"(.+)"/.exec(readFileSync(join(site, 'assets', 'search.js'), 'utf8')) ?? [];
  expect(inflateSync(Buffer.from(index, 'base64')).toString()).toMatch(/dead-letter|redriv/);
});

test('shows the OpenAPI document of the simulator', () => {
  const html = readFileSync(join(site, 'openapi', 'simulator.html'), 'utf8');
  expect(html).toContain('SwaggerUIBundle({ spec: {"openapi"');
});
