// The cost of work, measured so that others who use the machine make no difference.

/** Milliseconds of the processor that this process uses for `work`, whatever else the machine does. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
