// What axe finds on a page, by WCAG 2.2 AA.
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const all = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What differs between the light and the dark mode of a page. */
export const colours: axe.RunOptions['runOnly'] = { type: 'rule', values: ['color-contrast'] };

/** `rule: element`, one for each finding. The console has no frames, which axe would not enter. */
export async function findAccessibilityProblems(
  page: Page,
  runOnly: axe.RunOptions['runOnly'] = all,
): Promise<string[]> {
  await waitForAnimations(page);
  // Only violations: everything else is most of the answer, and nobody reads it.
  const options: axe.RunOptions = { runOnly, resultTypes: ['violations'] };
  // Until the page is loaded again, it keeps the script.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const run = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const violations = await page.evaluate<axe.Result[]>(run);
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
