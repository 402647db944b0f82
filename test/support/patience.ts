// How long a test of a program waits for what it expects, as long as the test itself says nothing else: ten times as
// long as on an idle machine. It fails for what it checks, and not because others use the machine.
export const patienceMs = 90_000;
