// A CDK app with the pipeline and its console. Synthesise it with: npx cdk synth --app "node cdk-app.mjs"
import { App, Stack } from 'aws-cdk-lib';
import { Console, Pipeline } from 'simporter/cdk';

const [app, env] = [new App(), { account: '123456789012', region: 'eu-west-2' }];
const service = { baseUrl: 'https://porting.example.net', accountId: 4711 };
const settings = { service, alarms: { email: 'on-call@example.net' }, approval: 'two' };
const pipeline = new Pipeline(new Stack(app, 'Ports', { env }), 'Pipeline', settings);
const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d';
const address = { domain: 'porting.example.com', certificateArn };
new Console(new Stack(app, 'PortsConsole', { env }), 'Console', { pipeline, ...address });
