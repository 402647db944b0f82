// The part of CloudFormation that the command line calls: one stack and its outputs. The emulator is the rest of AWS.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StackServer {
  readonly url: string;
  close(): Promise<void>;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const describeStacks = (name: string, outputs: Readonly<Record<string, string>>): string => {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${escaped(value)}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName>
<CreationTime>2026-07-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus>
<Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
};

const noSuchStack = (name: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>
<Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`;

export async function startStackServer(name: string, outputs: Readonly<Record<string, string>>): Promise<StackServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked = new URLSearchParams(Buffer.concat(chunks).toString()).get('StackName');
    const known = asked === name;
    response.writeHead(known ? 200 : 400, { 'content-type': 'text/xml' });
    response.end(known ? describeStacks(name, outputs) : noSuchStack(asked ?? ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
