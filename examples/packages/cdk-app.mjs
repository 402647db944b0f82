// A CDK app with the pipeline. Synthesise it with: npx cdk synth --app "node cdk-app.mjs"
import { App, Stack } from 'aws-cdk-lib';
import { Pipeline } from 'simporter/cdk';

const service = { serviceBaseUrl: 'https://porting.example.net', serviceAccountId: 4711 };
const stack = new Stack(new App(), 'Ports', { env: { account: '123456789012', region: 'eu-west-2' } });
new Pipeline(stack, 'Pipeline', { ...service, alarmEmail: 'on-call@example.net' });
