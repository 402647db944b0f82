// A function whose module never finishes loading.
setInterval(() => undefined, 1_000);
await new Promise(() => undefined);

export const handler = async () => undefined;
