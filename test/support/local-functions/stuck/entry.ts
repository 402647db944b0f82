// A function that logs its process id and never ends.
export const handler = async () => {
  console.log(process.pid);
  await new Promise(() => setInterval(() => undefined, 1_000));
};
