// Opens an address in the browser of the person at the terminal. Where there is none, the printed address remains.
import { spawn } from 'node:child_process';

const commands: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
};

export function openBrowser(address: string): void {
  const [command, ...options] = commands[process.platform] ?? [];
  if (command === undefined) return;
  const child = spawn(command, [...options, address], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
