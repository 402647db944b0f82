// The OpenAPI document, which is made from the endpoints and kept in openapi.json, so that no function has to contain
// the endpoints of the other. Loaded when somebody asks for it.
import document from './openapi.json' with { type: 'json' };

const isLocal = (path: string): boolean => path.startsWith('/simulator/');

/** @param hasSimulator whether the API has the controls of a local simulator */
export function openApiDocument(hasSimulator: boolean | undefined): object {
  if (hasSimulator) return document;
  return {
    ...document,
    tags: document.tags.filter(({ name }) => name !== 'simulator'),
    paths: Object.fromEntries(Object.entries(document.paths).filter(([path]) => !isLocal(path))),
  };
}
