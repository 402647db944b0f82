// The README of the npm package: docs/guides/package.md, whose links lead to examples in the package, and else to the
// repository where its address is known.
const relativeLink = /\[([^\]]+)\]\((?!https?:|#)([^)]+)\)/g;
const examples = '../../examples/';

/**
 * @param page links are relative to docs/guides/
 * @param documentation the address of that folder; undefined removes the links to it
 */
export const packageReadme = (page: string, documentation: string | undefined): string =>
  page.replace(relativeLink, (_, text: string, path: string) => {
    if (path.startsWith(examples)) return `[${text}](${path.slice('../../'.length)})`;
    return documentation === undefined ? text : `[${text}](${new URL(path, documentation).href})`;
  });
