// The text of a document that Chromium printed: each font has a table of its characters, and pages name them by number.
import { inflateSync } from 'node:zlib';

interface PdfObject {
  readonly head: string;
  /** Of a stream, decompressed. */
  readonly content: string;
}

/** In the order in which the pages draw it. Words of one line may be separated where the font changes. */
export function pdfText(pdf: Buffer): string {
  const objects = objectsOf(pdf);
  const pages = [...objects.values()].filter(({ head }) => /\/Type\s*\/Page\b/.test(head));
  return pages.map((page) => pageText(page, objects)).join('\n');
}

type Objects = ReadonlyMap<number, PdfObject>;

function objectsOf(pdf: Buffer): Objects {
  const text = pdf.toString('latin1');
  const objects = new Map<number, PdfObject>();
  for (const { 1: id, index } of text.matchAll(/(?:^|\n)(\d+) 0 obj\b/g)) {
    const end = text.indexOf('endobj', index);
    const stream = /\bstream\r?\n/g;
    stream.lastIndex = index;
    const begin = stream.exec(text);
    if (begin === null || begin.index > end) objects.set(Number(id), { head: text.slice(index, end), content: '' });
    else {
      const head = text.slice(index, begin.index);
      const length = Number(/\/Length (\d+)/.exec(head)?.[1]);
      const bytes = pdf.subarray(stream.lastIndex, stream.lastIndex + length);
      const isText = /\/FlateDecode/.test(head) && !/\/(FontFile\d?|Image|Length1)\b/.test(head);
      objects.set(Number(id), { head, content: isText ? inflateSync(bytes).toString('latin1') : '' });
    }
  }
  return objects;
}

function pageText({ head }: PdfObject, objects: Objects): string {
  const content = objects.get(Number(/\/Contents (\d+) 0 R/.exec(head)?.[1]))?.content ?? '';
  const fonts = new Map(
    [...(/\/Font\s*<<([^>]*)>>/.exec(head)?.[1] ?? '').matchAll(/\/(\w+) (\d+) 0 R/g)].map(([, name, id]) => [
      name,
      charactersOf(objects.get(Number(id))?.head ?? '', objects),
    ]),
  );
  let text = '';
  let characters: ReadonlyMap<string, string> = new Map();
  for (const [, font, glyphs, end] of content.matchAll(/\/(\w+) [\d.]+ Tf|<([0-9A-Fa-f]+)>|\b(ET)\b/g)) {
    if (font !== undefined) characters = fonts.get(font) ?? new Map();
    else if (end !== undefined) text += ' ';
    else for (const [glyph] of (glyphs ?? '').matchAll(/.{4}/g)) text += characters.get(glyph.toUpperCase()) ?? '';
  }
  return text;
}

/** The character of each glyph, by its four hexadecimal digits. */
function charactersOf(font: string, objects: Objects): ReadonlyMap<string, string> {
  const table = objects.get(Number(/\/ToUnicode (\d+) 0 R/.exec(font)?.[1]))?.content ?? '';
  const characters = new Map<string, string>();
  const character = (hexadecimal: string) => Buffer.from(hexadecimal, 'hex').swap16().toString('utf16le');
  for (const [, block = ''] of table.matchAll(/beginbfchar(.*?)endbfchar/gs)) {
    for (const [, glyph = '', code = ''] of block.matchAll(/<(\w+)> <(\w+)>/g)) {
      characters.set(glyph.toUpperCase(), character(code));
    }
  }
  for (const [, block = ''] of table.matchAll(/beginbfrange(.*?)endbfrange/gs)) {
    for (const [, first = '', last = '', code = ''] of block.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      const start = Number.parseInt(first, 16);
      for (let glyph = start; glyph <= Number.parseInt(last, 16); glyph += 1) {
        const point = Number.parseInt(code, 16) + glyph - start;
        characters.set(glyph.toString(16).toUpperCase().padStart(4, '0'), String.fromCharCode(point));
      }
    }
  }
  return characters;
}
