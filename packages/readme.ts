// The README of the npm package: docs/packages.md without the links to files that the package does not contain.
const relativeLink = /\[([^\]]+)\]\((?!https?:|#)([^)]+)\)/g;
const examples = '../examples/';

/** @param page links are relative to docs/ */
export const packageReadme = (page: string): string =>
  page.replace(relativeLink, (_, text: string, path: string) =>
    path.startsWith(examples) ? `[${text}](${path.slice('../'.length)})` : text,
  );
