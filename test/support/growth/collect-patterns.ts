// A program that prints the regular expressions that modules build from texts: `node collect-patterns.ts FILE...`. It
// has a process of its own, because it replaces RegExp.
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where it was built: `shared/row/pac.ts:13`. */
const placeOf = (stack = ''): string => {
  const [, file = '', line = ''] = /\n.*\n\s+at .*?(?:file:\/\/)?(\/[^\s:]+):(\d+):\d+/.exec(stack) ?? [];
  return `${relative(process.cwd(), file)}:${line}`;
};

const built: { readonly place: string; readonly source: string; readonly flags: string }[] = [];
globalThis.RegExp = new Proxy(RegExp, {
  construct(target, given, created) {
    const made: RegExp = Reflect.construct(target, given, created);
    built.push({ place: placeOf(new Error().stack), source: made.source, flags: made.flags });
    return made;
  },
});

for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
const { openUpload } = await import('#shared/files/open-upload.ts');
// It builds its own when it is called.
const content = (async function* () {
  yield Buffer.from('title\nmsisdn,pac\n1,2\n');
})();
await openUpload(content, { isHeader: (cells) => cells.includes('pac') });
process.stdout.write(JSON.stringify(built));
