// The part of DynamoDB's expressions (conditions and key conditions) that this product writes.

export type Item = Readonly<Record<string, unknown>>;

/** What `#name` and `:value` stand for. */
export interface Bindings {
  readonly names?: Readonly<Record<string, string>> | undefined;
  readonly values?: Readonly<Record<string, unknown>> | undefined;
}

/** An item that does not exist has no attribute. */
export type Condition = (item: Item | undefined, bindings: Bindings) => boolean;
type Operand = (item: Item | undefined, bindings: Bindings) => unknown;

const tokenPattern = /\s*(<=|>=|[()=<>,.]|[:#]?\w+)/y;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const pattern = new RegExp(tokenPattern);
  const trimmed = text.trim();
  while (pattern.lastIndex < trimmed.length) {
    const found = pattern.exec(trimmed);
    if (found === null) throw new Error(`the twin cannot read the expression ${text}`);
    tokens.push(found[1] ?? '');
  }
  return tokens;
}

type Compare = (left: unknown, right: unknown) => boolean;

/** DynamoDB compares values of one type only; a missing attribute compares with nothing. */
function isBelow(left: unknown, right: unknown): boolean {
  if (typeof left === 'string' && typeof right === 'string') return left < right;
  return typeof left === 'number' && typeof right === 'number' && left < right;
}

const comparisons: Readonly<Record<string, Compare>> = {
  '=': (left, right) => left === right,
  '<': isBelow,
  '<=': (left, right) => isBelow(left, right) || (left === right && left !== undefined),
  '>': (left, right) => isBelow(right, left),
  '>=': (left, right) => isBelow(right, left) || (left === right && left !== undefined),
};

/** @throws Error for anything that this product has not written so far */
export function parseCondition(text: string): Condition {
  const tokens = tokensOf(text);
  let place = 0;
  const peek = () => tokens[place]?.toUpperCase();
  const take = (): string => tokens[place++] ?? '';
  const expect = (token: string): void => {
    const found = take();
    if (found.toUpperCase() !== token) throw new Error(`${token} expected and ${found} found in ${text}`);
  };

  const nameOf = (token: string): ((bindings: Bindings) => string) =>
    token.startsWith('#') ? ({ names }) => names?.[token] ?? '' : () => token;

  const operand = (): Operand => {
    const token = take();
    if (token.startsWith(':'))
      return (_, { values = {} }) => {
        if (values[token] === undefined) throw new Error(`the expression has no value for ${token}`);
        return values[token];
      };
    const path = [nameOf(token)];
    while (peek() === '.') {
      take();
      path.push(nameOf(take()));
    }
    const [only] = path;
    // A query asks this of every item, mostly about one name.
    if (path.length === 1 && only !== undefined) return (item, bindings) => item?.[only(bindings)];
    return (item, bindings) =>
      path.reduce<unknown>((value, name) => (value as Item | undefined)?.[name(bindings)], item);
  };

  const list = (): Operand[] => {
    expect('(');
    const found = [operand()];
    while (peek() === ',') {
      take();
      found.push(operand());
    }
    expect(')');
    return found;
  };

  const called = (name: string): Condition => {
    const [of, other] = list();
    if (name === 'ATTRIBUTE_EXISTS') return (item, bindings) => of?.(item, bindings) !== undefined;
    if (name === 'ATTRIBUTE_NOT_EXISTS') return (item, bindings) => of?.(item, bindings) === undefined;
    if (name !== 'BEGINS_WITH') throw new Error(`the twin knows no function ${name}`);
    return (item, bindings) => String(of?.(item, bindings) ?? '').startsWith(String(other?.(item, bindings)));
  };

  const comparison = (): Condition => {
    const left = operand();
    const operator = take().toUpperCase();
    if (operator === 'IN') {
      const options = list();
      return (item, bindings) => options.some((option) => option(item, bindings) === left(item, bindings));
    }
    if (operator === 'BETWEEN') {
      const lowest = operand();
      expect('AND');
      const highest = operand();
      return (item, bindings) => {
        const value = left(item, bindings);
        return !isBelow(value, lowest(item, bindings)) && !isBelow(highest(item, bindings), value);
      };
    }
    const compare = comparisons[operator];
    if (compare === undefined) throw new Error(`the twin knows no operator ${operator}`);
    const right = operand();
    return (item, bindings) => compare(left(item, bindings), right(item, bindings));
  };

  const term = (): Condition => {
    if (peek() === '(') {
      take();
      const inner = either();
      expect(')');
      return inner;
    }
    return tokens[place + 1] === '(' ? called(take().toUpperCase()) : comparison();
  };

  const chain = (word: string, next: () => Condition, join: (parts: readonly Condition[]) => Condition): Condition => {
    const parts = [next()];
    while (peek() === word) {
      take();
      parts.push(next());
    }
    return join(parts);
  };
  const both = (): Condition =>
    chain('AND', term, (parts) => (item, bindings) => parts.every((part) => part(item, bindings)));
  const either = (): Condition =>
    chain('OR', both, (parts) => (item, bindings) => parts.some((part) => part(item, bindings)));

  const condition = either();
  if (place < tokens.length) throw new Error(`the twin cannot read ${tokens.slice(place).join(' ')} in ${text}`);
  return condition;
}

/** Each text is parsed once for as long as the returned function lives. */
export function rememberConditions(): (text: string | undefined) => Condition {
  const known = new Map<string, Condition>();
  return (text) => {
    if (text === undefined) return () => true;
    const found = known.get(text) ?? parseCondition(text);
    known.set(text, found);
    return found;
  };
}
