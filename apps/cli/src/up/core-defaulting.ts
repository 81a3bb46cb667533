import type { AdmissionRequest, ExtensionFactory } from "@capstan/apiserver";
import { StatusError } from "@capstan/apiserver";
import { Annotation, isCapstanError } from "@capstan/contract";
import { coreConverters, defaultObject, fillReferences, type FillOptions } from "@capstan/core";
import { Cluster } from "@capstan/core/api";
import { apiVersionOf, type KubeObject } from "@capstan/schema";

const ConfigMap = { group: "", version: "v1", plural: "configmaps" };

const newest = apiVersionOf(Cluster);

/** Versions of references are not stored, so any will do until the object is. */
const lookup = (group: string): string => `${group}/any`;

/** The defaults of an object of an older version are those of the newest one. */
const defaulted = (
  object: KubeObject,
  request: AdmissionRequest,
  findConfigMap: FillOptions["findConfigMap"],
): KubeObject => {
  const { definition, oldObject } = request;
  const name = `${definition.plural}.${definition.group}`;
  const convert = Object.hasOwn(coreConverters, name) ? coreConverters[name] : undefined;
  if (convert === undefined) return object;
  const current = convert(object, newest, lookup);
  const old = oldObject === undefined ? undefined : convert(oldObject, newest, lookup);
  const filled = fillReferences(current, { old, findConfigMap });
  if (filled.message !== "") request.warn(filled.message);
  const complete = defaultObject(filled.object, old);
  if (complete === current) return object;
  if (object.apiVersion === newest) return complete;
  const older = convert(complete, object.apiVersion, lookup);
  if (object.metadata.annotations?.[Annotation.conversionData] !== undefined) return older;
  const { [Annotation.conversionData]: _, ...annotations } = older.metadata.annotations ?? {};
  return { ...older, metadata: { ...older.metadata, annotations } };
};

/** What an object asks for and cannot have is the sender's to mend. */
const refusing = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (!isCapstanError(error) || !error.code.startsWith("core.")) throw error;
    throw new StatusError(400, "BadRequest", error.message);
  }
};

/** The defaults that upstream's core fills in by a webhook, inside the embedded server's own admission chain. */
export const coreDefaulting: ExtensionFactory = ({ store }) => ({
  name: "core-defaulting",
  admission: [
    {
      name: "core-defaulting",
      admit: async (request) => {
        const { operation, subresource, object, namespace } = request;
        if (object === undefined || subresource !== "" || operation === "DELETE") return undefined;
        const placed = { ...object, metadata: { namespace, ...object.metadata } };
        const complete = refusing(() => defaulted(placed, request, (key) => store.peek(ConfigMap, key)));
        return complete === placed ? undefined : complete;
      },
    },
  ],
});
