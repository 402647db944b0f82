// Messages are not mutated: only a reader can check them.

interface Path {
  readonly node: {
    readonly type: string;
    readonly value?: unknown;
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
  };
}

/** States, codes, names and keys contain no space. */
function isSentence({ node }: Path): boolean {
  if (node.type === 'StringLiteral') return String(node.value).includes(' ');
  return node.type === 'TemplateLiteral' && (node.quasis ?? []).some(({ value }) => value.raw.includes(' '));
}

export const sentences = { shouldIgnore: (path: Path) => (isSentence(path) ? 'a text for people' : undefined) };
