// Builds the console into static files for a strict Content-Security-Policy: no inline script, style, font or image.
import { defineConfig, type Plugin } from 'vite';

/**
 * Cloudscape's global styles embed eight fonts as data URLs. As files, a browser loads only the two that it needs.
 * Browsers slant the upright fonts themselves.
 */
const fontsAsFiles: Plugin = {
  name: 'fonts-as-files',
  enforce: 'pre',
  transform: {
    filter: { id: /global-styles\/index\.css$/ },
    handler(css) {
      const upright = css.replaceAll(/@font-face \{[^}]*italic[^}]*\}/g, '');
      return upright.replaceAll(/data:font\/woff2;base64,([A-Za-z0-9+/=]+)/g, (_url, base64: string) => {
        const file = { type: 'asset', name: 'open-sans.woff2', source: Buffer.from(base64, 'base64') } as const;
        return `__VITE_ASSET__${this.emitFile(file)}__`;
      });
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [fontsAsFiles],
  build: {
    outDir: '../build/console',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // A test limits the first view instead.
    chunkSizeWarningLimit: 1_000,
    license: { fileName: 'licences.md' },
    rolldownOptions: {
      // React's "use client" has a meaning for server components only.
      onwarn(warning, warn) {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
