// A CDK app with the pipeline and its console. Synthesise it with: npx cdk synth --app "node cdk-app.mjs"
import { App, Stack } from 'aws-cdk-lib';
import { Console, Pipeline } from 'simporter/cdk';

const [app, env] = [new App(), { account: '123456789012', region: 'eu-west-2' }];
const service = { serviceBaseUrl: 'https://porting.example.net', serviceAccountId: 4711 };
const settings = { ...service, alarmEmail: 'on-call@example.net', approval: 'two' };
const pipeline = new Pipeline(new Stack(app, 'Ports', { env }), 'Pipeline', settings);
new Console(new Stack(app, 'PortsConsole', { env }), 'Console', { pipeline });
