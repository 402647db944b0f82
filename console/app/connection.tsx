// Outages as notices: of the API, and of the porting service behind it.
import Button from '@cloudscape-design/components/button';
import type { FlashbarProps } from '@cloudscape-design/components/flashbar';
import type { UseQueryResult } from '@tanstack/react-query';
import { ApiUnavailable, isProblem } from '../api/errors.ts';
import type { Answer } from '../api/types.ts';
import type { Provider } from '../auth/provider.ts';
import { startSignIn } from '../auth/sign-in.ts';
import { strings } from '../strings.ts';
import { formatTime } from '../text/format.ts';
import { useSession } from './session.tsx';

const SignInButton = ({ provider }: { readonly provider: Provider }) => (
  <Button onClick={() => void startSignIn(provider)}>{strings.signIn.button}</Button>
);

export function useOutageNotices({
  data,
  error,
  dataUpdatedAt,
}: UseQueryResult<Answer<'getEvents'>>): FlashbarProps.MessageDefinition[] {
  const { environment, provider } = useSession();
  const { zone } = environment;
  const { unavailable, serviceOutage, expired } = strings.connection;
  const notices: FlashbarProps.MessageDefinition[] = [];
  if (error instanceof ApiUnavailable) {
    const shown = dataUpdatedAt === 0 ? undefined : formatTime(new Date(dataUpdatedAt).toISOString(), zone);
    notices.push({
      ...{ id: 'api', type: 'warning', loading: true, ariaRole: 'alert' },
      ...{ header: unavailable.title, content: unavailable.text(shown) },
    });
  } else if (isProblem(error, 'not-signed-in')) {
    notices.push({
      ...{ id: 'session', type: 'error', ariaRole: 'alert', header: expired.title },
      content: provider ? expired.text : expired.localText,
      ...(provider ? { action: <SignInButton provider={provider} /> } : {}),
    });
  }
  if (data?.outage) {
    const since = formatTime(data.outage.since, zone);
    notices.push({
      ...{ id: 'service', type: 'warning', ariaRole: 'status' },
      ...{ header: serviceOutage.title(since), content: serviceOutage.text(data.outage.reason) },
    });
  }
  return notices;
}
