// A function behind an HTTP API: the path decides what it answers.
interface Event {
  readonly rawPath: string;
}

export const handler = async (event: Event) => {
  switch (event.rawPath) {
    case '/throw':
      throw new Error('thrown on purpose');
    case '/never':
      return new Promise(() => setInterval(() => undefined, 60_000));
    case '/plain':
      return { any: 'thing' };
    case '/nonsense':
      return { statusCode: 'fine' };
    case '/empty':
      return { statusCode: 204 };
    case '/bytes':
      return { statusCode: 200, body: Buffer.from([0, 255, 10]).toString('base64'), isBase64Encoded: true };
    case '/cookies':
      return { statusCode: 202, headers: { 'x-answer': 42 }, cookies: ['a=1', 'b=2'], body: 'done' };
    default:
      return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(event) };
  }
};
