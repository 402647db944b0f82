// CommonJS has no `import.meta.url`. Injected into the libraries of the package that use it.
import { pathToFileURL } from 'node:url';

export const importMetaUrl: string = pathToFileURL(__filename).href;
