import type { RegistrySnapshot, ResourceDefinition } from "../model/types.ts";
import { documentOf } from "./document.ts";
import type { Document } from "./document.ts";
import { pathsOf } from "./openapi-paths.ts";
import { schemaCollector } from "./openapi-schemas.ts";

/** Documents by their first definition; valid as long as all definitions of the version are the same. */
const made = new WeakMap<
  ResourceDefinition,
  { readonly of: readonly ResourceDefinition[]; readonly document: Document }
>();

/**
 * The OpenAPI v3 document of one group version: what kubectl needs to validate, explain and apply. Undefined when the version is not
 * served. Remembered as long as its definitions do not change.
 */
export const openApiV3 = (snapshot: RegistrySnapshot, group: string, version: string): Document | undefined => {
  const definitions = snapshot.definitions.filter(
    (definition) => definition.group === group && definition.version === version,
  );
  const [first] = definitions;
  if (first === undefined) {
    return undefined;
  }
  const known = made.get(first);
  if (known?.of.length === definitions.length && known.of.every((one, index) => one === definitions[index])) {
    return known.document;
  }
  const document = documentOf(describeVersion(definitions));
  made.set(first, { of: definitions, document });
  return document;
};

/** The OpenAPI v3 document of the definitions of one group version. */
export const describeVersion = (definitions: readonly ResourceDefinition[]) => {
  const collector = schemaCollector();
  const paths = Object.assign({}, ...definitions.map((definition) => pathsOf(definition, collector))) as object;
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "v1" },
    paths,
    components: { schemas: collector.schemas },
  };
};

/** The index at `/openapi/v3`: every group version with the URL of its document, which carries the document's hash. */
export const openApiIndex = (snapshot: RegistrySnapshot): Document =>
  documentOf({
    paths: Object.fromEntries(
      snapshot.groups.flatMap(({ group, versions }) =>
        versions.map((version) => {
          const path = group === "" ? `api/${version}` : `apis/${group}/${version}`;
          const hash = openApiV3(snapshot, group, version)?.hash ?? "";
          return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }];
        }),
      ),
    ),
  });
