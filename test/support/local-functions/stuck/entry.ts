// A function that writes down its process and then never ends.
export const handler = async () => {
  console.log(process.pid);
  await new Promise(() => setInterval(() => undefined, 1_000));
};
