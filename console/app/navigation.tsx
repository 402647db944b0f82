// The navigation beside every screen.
import Badge from '@cloudscape-design/components/badge';
import SideNavigation, { type SideNavigationProps } from '@cloudscape-design/components/side-navigation';
import { useLocation } from 'wouter';
import { count } from '#shared/domain/text/counted.ts';
import { strings } from '../strings.ts';
import { useMay, useSession } from './session.tsx';

export function Navigation({ actionRequired }: { readonly actionRequired: number }) {
  const [location] = useLocation();
  const { environment } = useSession();
  const mayUpload = useMay('uploader');
  const mayControl = useMay('operator');
  const { navigation } = strings;
  const items: SideNavigationProps.Item[] = [
    { type: 'link', text: navigation.imports, href: '#/' },
    ...(mayUpload ? [{ type: 'link', text: navigation.upload, href: '#/upload' } as const] : []),
    {
      ...{ type: 'link', text: navigation.actions, href: '#/actions' },
      ...(actionRequired > 0 ? { info: <Badge color="severity-medium">{count(actionRequired)}</Badge> } : {}),
    },
    { type: 'link', text: navigation.number, href: '#/numbers' },
    ...(environment.kind === 'local' && environment.simulated && mayControl
      ? [{ type: 'divider' } as const, { type: 'link', text: navigation.simulator, href: '#/simulator' } as const]
      : []),
  ];
  return <SideNavigation activeHref={activeHref(location)} items={items} />;
}

/** The page of an import belongs to the list of imports. */
function activeHref(location: string): string {
  const [, first = ''] = location.split('/');
  return first === '' || first === 'imports' ? '#/' : `#/${first}`;
}
