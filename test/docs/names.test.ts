// What pages and code name exists: links, paths, folders, decisions, scripts, settings and variables.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandNames } from '#cli/context/next-command.ts';
import { settingsSchema } from '#infra/settings.ts';
import packageJson from '#package.json' with { type: 'json' };
import { globFiles } from '../support/glob-files.ts';

// Every link between pages leads somewhere, every path that they name exists, and README or CONTRIBUTING link to each
// page.
describe('pages', () => {
  const pages = globFiles('{*.md,docs/**/*.md,{bench,console,local,simulator}/*.md}');

  /** GitHub's anchor of a heading: lower case, without punctuation, a hyphen for each space. */
  const anchorOf = (heading: string): string =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');

  const anchorsOf = (path: string): string[] =>
    [...readFileSync(path, 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

  const linksOf = (page: string) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?(?:\s+"[^"]*")?\)/g)].map(
      ([, path = '', anchor]) => ({ path: path === '' ? page : join(dirname(page), path), anchor }),
    );

  test.each(pages)('every link of %s leads to a file and a heading', (page) => {
    const broken = linksOf(page).filter(
      ({ path, anchor }) => !existsSync(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor)),
    );
    expect(broken).toEqual([]);
  });

  test.each(pages)('no address in %s goes over two lines: it would be no link', (page) => {
    expect(readFileSync(page, 'utf8').match(/\]\([^)\s"]*\n(?!\s*")[^)\n]*/g)).toBeNull();
  });

  /** Paths in code spans, such as `infra/config.ts`; placeholders and patterns are left out. */
  const pathsOf = (page: string): string[] =>
    [
      ...readFileSync(page, 'utf8').matchAll(
        /`((?:infra|functions|simulator|shared|local|cli|bench|test|docs|examples)\/[\w./-]+)`/g,
      ),
    ]
      .map(([, path = '']) => path)
      .filter((path) => !/^docs\/decisions\/\d+$/.test(path));

  test.each(pages)('every path that %s names exists', (page) => {
    expect(pathsOf(page).filter((path) => !existsSync(path))).toEqual([]);
  });

  test.each(pages)('%s has no markers of a merge conflict', (page) => {
    expect(readFileSync(page, 'utf8').match(/^(<<<<<<<|>>>>>>>)/gm)).toBeNull();
  });

  test.each(pages)('every table of %s has a header: a blank line ends a table', (page) => {
    const text = readFileSync(page, 'utf8').replaceAll(/^```.*?^```/gms, '');
    expect([...text.matchAll(/(?<=\n\n)\|.*\n(?!\|[\s:|-]+\|\n).*/g)].map(([rows]) => rows)).toEqual([]);
  });

  test('the README links to every page for users, and CONTRIBUTING to those for contributors', () => {
    const linked = ['README.md', 'CONTRIBUTING.md'].flatMap(linksOf).map(({ path }) => path);
    expect(linked.length).toBeGreaterThan(8);
    expect(globFiles('docs/*/*.md', { exclude: ['docs/decisions'] }).filter((path) => !linked.includes(path))).toEqual(
      [],
    );
  });
});

// What pages and code name exists: decisions, faults, pages, npm scripts, settings, variables and files.
describe('what pages and code name', () => {
  const read = (path: string): string => readFileSync(path, 'utf8');
  const pages = globFiles('{*.md,docs/**/*.md,{bench,console,local,simulator}/*.md}').filter(
    (path) => path !== 'CHANGELOG.md',
  );
  const code = globFiles(
    '{bench,cli,console,functions,infra,local,packages,shared,simulator,site,test}/**/*.{ts,tsx,mjs}',
  ).filter((path) => !/node_modules|\/dist\/|test\/docs\//.test(path));
  const codeText = code.map(read).join('\n');
  const allText = [codeText, ...pages.map(read)].join('\n');

  const matchesOf = (text: string, pattern: RegExp): string[] => [
    ...new Set([...text.matchAll(pattern)].map(([, match = '']) => match)),
  ];
  /** Code in a line, and blocks of code. */
  const codeOf = (page: string): string => matchesOf(page, /(```[\s\S]*?```|`[^`\n]+`)/g).join('\n');

  const titlesOf = (text: string): string[] => matchesOf(text, /^#+ (.+)$/gm).map((title) => title.toLowerCase());
  const numbersOf = (word: string): number[] =>
    matchesOf(allText, new RegExp(`\\b${word}s? (\\d+(?:(?:, | and | to )\\d+)*)`, 'g')).flatMap((list) =>
      list.split(/\D+/).map(Number),
    );

  describe('code names', () => {
    test('spec gaps that the page has', () => {
      const list = matchesOf(read('docs/contributing/spec-gaps.md'), /^(\d+)\. /gm).map(Number);
      expect(list).toEqual(list.map((_, index) => index + 1));
      expect(numbersOf('spec gap').filter((number) => !list.includes(number))).toEqual([]);
    });

    test('decisions that have a page with that number', () => {
      const numbers = globFiles('docs/decisions/0*.md').map((path) => Number(path.slice(15, 19)));
      expect(numbersOf('decision').filter((number) => !numbers.includes(number))).toEqual([]);
      const linked = matchesOf(pages.map(read).join('\n'), /\[((?:decision )?\d+\]\([\w./]*\d{4})-/g);
      expect(linked.length).toBeGreaterThan(20);
      const [named, led] = [/(\d+)\]/, /(\d{4})$/].map((part) => linked.map((link) => Number(part.exec(link)?.[1])));
      expect(named).toEqual(led);
    });

    test('faults that the page has', () => {
      const rows = matchesOf(read('docs/contributing/faults.md'), /^(\d+)\. /gm).map(Number);
      expect(numbersOf('fault').filter((number) => !rows.includes(number))).toEqual([]);
    });

    test('pages and headings that exist', () => {
      const named = matchesOf(codeText, /\b(docs\/[\w./-]+\.md(?:#[\w-]+)?)/g).filter((name) => !/sample/.test(name));
      expect(named.length).toBeGreaterThan(15);
      const broken = named.filter((name) => {
        const [path = '', anchor] = name.split('#');
        if (!existsSync(path)) return true;
        return anchor !== undefined && !titlesOf(read(path)).some((title) => title.replaceAll(' ', '-') === anchor);
      });
      expect(broken).toEqual([]);
    });

    test('commands that exist', () => {
      // At the end of a text or before a value; sentences have the name of the product before their verb.
      const named = matchesOf(codeText, /\bsimporter ([a-z][a-z-]+)(?= <|['`]| printed)/g);
      expect(named.length).toBeGreaterThan(4);
      const [names, words]: (readonly string[])[] = [Object.values(commandNames), ['code', 'console', 'failed']];
      expect(named.filter((name) => !names?.includes(name) && !words?.includes(name))).toEqual([]);
    });

    test('pages of decisions by their number', () => {
      const numbers = globFiles('docs/decisions/0*.md').map((path) => path.slice(15, 19));
      expect(matchesOf(codeText, /docs\/decisions\/(\d{4})/g).filter((number) => !numbers.includes(number))).toEqual(
        [],
      );
    });
  });

  test('the list of decisions has every page once, with its title', () => {
    const listed = [...read('docs/decisions/README.md').matchAll(/^- \[\d+\]\((.+)$/gm)].map(([, entry]) => entry);
    const titled = globFiles('docs/decisions/0*.md').map(
      (path) => `${path.slice(15)}) ${/^# \d+\. (.+)$/m.exec(read(path))?.[1]}`,
    );
    expect(listed.toSorted()).toEqual(titled.toSorted());
  });

  test('messages that docs/guides/troubleshooting.md explains are in the code', () => {
    const [, table = ''] =
      /<!-- messages.*?-->(.*)<!-- end of messages -->/s.exec(read('docs/guides/troubleshooting.md')) ?? [];
    const messages = matchesOf(table, /^\| `([^`]+)` \|/gm);
    expect(messages.length).toBeGreaterThan(5);
    expect(messages.filter((message) => !codeText.includes(message))).toEqual([]);
  });

  /** What the code of all pages names by `pattern` and does not exist, with its page. */
  const missing = (pattern: RegExp, exists: (name: string) => boolean, except: readonly string[] = []): string[] =>
    pages.flatMap((page) =>
      matchesOf(codeOf(read(page)), pattern)
        .filter((name) => !exists(name) && !except.includes(name))
        .map((name) => `${page}: ${name}`),
    );

  describe('pages name', () => {
    test('npm scripts that exist', () => {
      expect(missing(/\bnpm run (?:-s |--silent )?([\w:-]+)/g, (name) => name in packageJson.scripts)).toEqual([]);
    });

    test('commands that exist', () => {
      const names: readonly string[] = Object.values(commandNames);
      const wrong = missing(/\bsimporter (?:-- )?([a-z][a-z-]+)/g, (name) => names.includes(name), [
        'simporter-simulator',
      ]);
      expect(wrong).toEqual([]);
    });

    test('programs, examples and tests that exist', () => {
      expect(missing(/\b((?:bench|cli|examples|simulator|test)\/[\w./-]+\.(?:ts|mjs|csv))\b/g, existsSync)).toEqual([]);
    });

    test('variables that the code has', () => {
      const ofDelivery = ['AT_SEQUENCE_NUMBER', 'ERROR_CODE', 'ERROR_MESSAGE', 'RULE_ARN', 'TARGET_ARN'];
      const ofAws = [...ofDelivery, 'CREATE_FAILED', 'DELETE_SKIPPED'];
      const ofReaders = ['CLIENTS_ARN', 'PLAN_HASH', 'SECRET_ARN'];
      const text = codeText + read('.ci/run');
      const wrong = missing(/\b([A-Z][A-Z0-9]+_[A-Z0-9_]+)\b/g, (name) => text.includes(name), [
        ...ofAws,
        ...ofReaders,
      ]);
      expect(wrong).toEqual([]);
    });

    test('settings that exist', () => {
      const groups = Object.entries(settingsSchema.shape).flatMap(([group, schema]) => {
        const inner = 'unwrap' in schema ? schema.unwrap() : schema;
        return 'shape' in inner ? [[group, Object.keys(inner.shape)] as const] : [];
      });
      const settings = new Set(groups.flatMap(([group, names]) => names.map((name) => `${group}.${name}`)));
      const ofClient = ['service.advanceClock', 'service.control'];
      const anyGroup = groups.map(([group]) => group).join('|');
      const pattern = new RegExp(`\`"?((?:${anyGroup})\\.(?!ts\\b)\\w+)`, 'g');
      expect(missing(pattern, (name) => settings.has(name), ofClient)).toEqual([]);
    });
  });
});

// CONTRIBUTING.md lists every folder, and the files that it names for a change exist.
describe('CONTRIBUTING', () => {
  const page = readFileSync('CONTRIBUTING.md', 'utf8');
  const chapter = (title: string): string[] =>
    page
      .split(/^## /m)
      .find((text) => text.startsWith(title))
      ?.split('\n') ?? [];

  test('every folder with code is in the table of folders', () => {
    const [above = '', below = ''] = chapter('Where things are').join('\n').split('Where does new code belong?');
    expect(below).not.toBe('');
    const listed = [...above.matchAll(/^\| `([\w/-]+)/gm)].map(([, folder = '']) => folder.replace(/\/$/, ''));
    const foldersIn = (path: string) =>
      readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory() && /^[a-z]/.test(entry.name));
    const ignored = readFileSync('.gitignore', 'utf8')
      .split('\n')
      .map((line) => line.replaceAll('/', ''));
    const folders = [
      ...foldersIn('.').map(({ name }) => name),
      ...foldersIn('shared').map(({ name }) => `shared/${name}`),
      ...foldersIn('functions').map(({ name }) => `functions/${name}`),
    ].filter((folder) => ![...ignored, 'docs', 'shared'].includes(folder));
    // `functions/<step>/` stands for all steps.
    expect(
      folders.filter(
        (folder) =>
          !listed.some((name) => folder === name || (name === 'functions' && folder.startsWith('functions/'))),
      ),
    ).toEqual([]);
  });

  test('every file that a change needs exists', () => {
    const rows = chapter('What to change for what').filter((line) => line.startsWith('| '));
    expect(rows.length).toBeGreaterThan(12);
    const named = rows.flatMap((row) => {
      let folder = '';
      return (row.split(' | ')[1] ?? '').match(/`[\w./-]+`/g)?.map((span) => {
        const name = span.slice(1, -1);
        if (name.includes('/')) folder = name.endsWith('/') ? name : dirname(name);
        return name.includes('/') || existsSync(name) ? name : join(folder, name);
      });
    });
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => path !== undefined && !existsSync(path))).toEqual([]);
  });
});
