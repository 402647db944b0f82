// A function that fails in the way that the event names.
export const handler = async ({ how }: { how: 'throw' | 'exit' | 'memory' }) => {
  if (how === 'exit') process.exit(3);
  if (how === 'throw') throw new TypeError('thrown on purpose');
  const kept: number[][] = [];
  for (;;) kept.push(new Array(1_000_000).fill(kept.length));
};
