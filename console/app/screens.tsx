// Which screen an address shows. Every screen but the first is loaded when it is opened.

import Button from '@cloudscape-design/components/button';
import { type ComponentType, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { Empty, LoadingLine } from '../components/screen.tsx';
import { ImportsScreen } from '../screens/imports/imports-screen.tsx';
import { loadScreen } from './load-screen.tsx';

const UploadScreen = loadScreen(() => import('../screens/upload/upload-screen.tsx'));
const ImportScreen = loadScreen(() => import('../screens/import/import-screen.tsx'));
const ActionsScreen = loadScreen(() => import('../screens/actions/actions-screen.tsx'));
const NumberScreen = loadScreen(() => import('../screens/number/number-screen.tsx'));
const PortsScreen = loadScreen(() => import('../screens/ports/ports-screen.tsx'));
const PortScreen = loadScreen(() => import('../screens/port/port-screen.tsx'));
const RequestScreen = loadScreen(() => import('../screens/request/request-screen.tsx'));
const ReviewScreen = loadScreen(() => import('../screens/review/review-screen.tsx'));
const ColumnsScreen = loadScreen(() => import('../screens/columns/columns-screen.tsx'));
const ReportScreen = loadScreen(() => import('../screens/report/report-screen.tsx'));
const PeriodScreen = loadScreen(() => import('../screens/report/period-screen.tsx'));
const SavedScreen = loadScreen(() => import('../screens/saved/saved-screen.tsx'));
const SimulatorScreen = loadScreen(() => import('../screens/simulator/simulator-screen.tsx'));

export const Screens = () => (
  <Suspense fallback={<LoadingLine />}>
    <Switch>
      <Route path="/" component={ImportsScreen} />
      <Route path="/upload" component={UploadScreen} />
      <Route path="/saved" component={SavedScreen} />
      <Route path="/actions" component={ActionsScreen} />
      <Route path="/numbers/:msisdn?" component={NumberScreen} />
      <Route path="/ports" component={PortsScreen} />
      <Route path="/ports/:portId" component={PortScreen} />
      <Route path="/report" component={PeriodScreen} />
      <Route path="/simulator" component={SimulatorScreen} />
      <Route path="/imports/:importId/review">{ofImport(ReviewScreen)}</Route>
      <Route path="/imports/:importId/columns">{ofImport(ColumnsScreen)}</Route>
      <Route path="/imports/:importId/report">{ofImport(ReportScreen)}</Route>
      <Route path="/imports/:importId/requests/:request">{ofImport(RequestScreen)}</Route>
      <Route path="/imports/:importId/:tab/:request">{ofImport(ImportScreen)}</Route>
      <Route path="/imports/:importId/:tab?">{ofImport(ImportScreen)}</Route>
      <Route component={NotFound} />
    </Switch>
  </Suspense>
);

/** What a person has chosen for one import is not for another: its screen is a new one. */
const ofImport =
  <Params extends { readonly importId: string }>(Screen: ComponentType<{ readonly params: Params }>) =>
  (params: Params) => <Screen key={params.importId} params={params} />;

/** An address without a screen. */
const NotFound = () => (
  <Empty
    title="There is no such page"
    text="The address may be incomplete."
    actions={<Button href="#/">Show the imports</Button>}
  />
);
