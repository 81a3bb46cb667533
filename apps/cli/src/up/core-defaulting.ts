import type { ExtensionFactory } from "@capstan/apiserver";
import { Annotation } from "@capstan/contract";
import { coreConverters, defaultObject } from "@capstan/core";
import { Cluster } from "@capstan/core/api";
import { apiVersionOf, type KubeObject } from "@capstan/schema";

const newest = apiVersionOf(Cluster);

/** Versions of references are not stored, so any will do until the object is. */
const lookup = (group: string): string => `${group}/any`;

/** The defaults of an object of an older version are those of the newest one. */
const defaulted = (object: KubeObject, old: KubeObject | undefined, definition: string): KubeObject => {
  const convert = Object.hasOwn(coreConverters, definition) ? coreConverters[definition] : undefined;
  if (convert === undefined) return object;
  const current = convert(object, newest, lookup);
  const complete = defaultObject(current, old === undefined ? undefined : convert(old, newest, lookup));
  if (complete === current) return object;
  if (object.apiVersion === newest) return complete;
  const older = convert(complete, object.apiVersion, lookup);
  if (object.metadata.annotations?.[Annotation.conversionData] !== undefined) return older;
  const { [Annotation.conversionData]: _, ...annotations } = older.metadata.annotations ?? {};
  return { ...older, metadata: { ...older.metadata, annotations } };
};

/** The defaults that upstream's core fills in by a webhook, inside the embedded server's own admission chain. */
export const coreDefaulting: ExtensionFactory = () => ({
  name: "core-defaulting",
  admission: [
    {
      name: "core-defaulting",
      admit: async ({ operation, subresource, object, oldObject, definition }) =>
        object === undefined || subresource !== "" || operation === "DELETE"
          ? undefined
          : defaulted(object, oldObject, `${definition.plural}.${definition.group}`),
    },
  ],
});
