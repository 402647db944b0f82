// What axe finds on a page, by WCAG 2.2 AA.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** `rule: element`, one for each finding. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  await waitForAnimations(page);
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target} ${html.slice(0, 120)}`),
  );
}

/** What a test reads of the browser's `Animation`. */
interface BrowserAnimation {
  readonly effect: { getComputedTiming(): { readonly endTime: number } } | null;
  readonly finished: Promise<unknown>;
}

/** While a colour changes, axe measures the contrast of a colour that nobody reads. A spinner never ends. */
const waitForAnimations = (page: Page) =>
  page.locator('html').evaluate(async ({ ownerDocument }) => {
    const running: BrowserAnimation[] = ownerDocument.getAnimations();
    const ending = running.filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
