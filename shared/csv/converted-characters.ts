// Which characters of a file were read as Windows-1252, so that a person can see whether that was right.
import { type Issue, notice } from '#shared/domain/imports/issue.ts';

const shownCharacters = 20;

export class ConvertedCharacters {
  readonly #found = new Set<string>();

  add(text: string): void {
    if (this.#found.size >= shownCharacters) return;
    for (const [character] of text.matchAll(/[^\0-\x7f]/g)) this.#found.add(character);
  }

  notices(): Issue[] {
    if (this.#found.size === 0) return [];
    const shown = [...this.#found].slice(0, shownCharacters).join(' ');
    const message =
      `the file is not UTF-8, so it was read as Windows-1252, with the characters ${shown}. ` +
      'If they are wrong, save the file as "CSV UTF-8" or name its encoding: --encoding NAME';
    return [{ line: 0, column: null, ...notice('FILE_ENCODING_DETECTED', message) }];
  }
}
