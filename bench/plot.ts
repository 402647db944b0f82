// Rows per second of ingest and other programs as bars in an SVG, readable on light and dark pages, without scripts,
// fonts or colours that a reader has to distinguish.

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Whether this is simporter. */
  readonly isOurs: boolean;
}

const size = { width: 720, label: 270, bar: 26, gap: 10, top: 54, bottom: 30, right: 96 };

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const whole = (value: number): string => Math.round(value).toLocaleString('en-GB');

const style = `
    text { font: 14px system-ui, sans-serif; fill: #1f2328 }
    .small { font-size: 12px; fill: #59636e }
    .title { font-size: 16px; font-weight: 600 }
    .ours { font-weight: 600 }
    rect { fill: #8c959f }
    rect.ours { fill: #0969da }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc }
      .small { fill: #9198a1 }
      rect { fill: #656c76 }
      rect.ours { fill: #4493f8 }
    }
  `;

/** The fastest first. Every bar has its figure beside it, so no axis is needed. */
export function plotBars(title: string, note: string, bars: readonly Bar[]): string {
  const sorted = bars.toSorted((one, other) => other.value - one.value);
  const most = Math.max(...sorted.map(({ value }) => value), 1);
  const available = size.width - size.label - size.right;
  const height = size.top + sorted.length * (size.bar + size.gap) + size.bottom;
  const lines = sorted.map(({ label, value, isOurs }, place) => {
    const y = size.top + place * (size.bar + size.gap);
    const width = Math.max(2, Math.round((value / most) * available));
    const middle = y + size.bar / 2 + 5;
    const mark = isOurs ? ' class="ours"' : '';
    return [
      `  <text${mark} x="${size.label - 12}" y="${middle}" text-anchor="end">${escaped(label)}</text>`,
      `  <rect${mark} x="${size.label}" y="${y}" width="${width}" height="${size.bar}" rx="3"/>`,
      `  <text${mark} x="${size.label + width + 8}" y="${middle}">${whole(value)}</text>`,
    ].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" role="img" aria-label="${escaped(title)}">
  <style>${style}</style>
  <text class="title" x="12" y="28">${escaped(title)}</text>
${lines.join('\n')}
  <text class="small" x="12" y="${height - 12}">${escaped(note)}</text>
</svg>
`;
}
