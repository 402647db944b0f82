// A person on a phone reads a row without scrolling sideways.
import type { Page } from 'playwright-core';

/** Tables that are wider than their place, each with its widths and its first words. */
export const tablesThatScroll = (page: Page): Promise<string[]> =>
  page.locator('main table').evaluateAll((tables) =>
    tables.flatMap((table) => {
      const { scrollWidth = 0, clientWidth = 0 } = table.parentElement ?? {};
      return scrollWidth > clientWidth + 1
        ? [`${scrollWidth} in ${clientWidth}: ${table.textContent?.slice(0, 60)}`]
        : [];
    }),
  );
