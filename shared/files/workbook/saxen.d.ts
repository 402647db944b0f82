// The part of saxen that is used here; the package has no types.
declare module 'saxen' {
  type Decode = (text: string) => string;

  export class Parser {
    on(
      hook: 'openTag',
      call: (name: string, attributes: () => Readonly<Record<string, string>>, decode: Decode) => void,
    ): this;
    on(hook: 'closeTag', call: (name: string) => void): this;
    on(hook: 'text', call: (text: string, decode: Decode) => void): this;
    on(hook: 'comment' | 'question', call: () => void): this;
    on(hook: 'cdata', call: (text: string) => void): this;
    on(hook: 'error', call: (error: Error) => void): this;
    write(text: string): this;
    end(): void;
  }
}
