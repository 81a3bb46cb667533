import type { AdmissionRequest, ExtensionFactory } from "@capstan/apiserver";
import { StatusError } from "@capstan/apiserver";
import { Annotation, isCapstanError } from "@capstan/contract";
import { coreConverters, defaultObject, fillReferences, type FillOptions } from "@capstan/core";
import { coreVersion } from "@capstan/contract/wire";
import { apiVersionOf, type KubeObject } from "@capstan/schema";

const ConfigMap = { group: "", version: "v1", plural: "configmaps" };

/** Versions of references are not stored, so any will do until the object is. */
const lookup = (group: string): string => `${group}/any`;

/** The defaults of an object of an older version are those of the newest one. */
const defaulted = async (
  object: KubeObject,
  request: AdmissionRequest,
  findConfigMap: FillOptions["findConfigMap"],
): Promise<KubeObject> => {
  const { definition, oldObject } = request;
  const name = `${definition.plural}.${definition.group}`;
  const convert = Object.hasOwn(coreConverters, name) ? coreConverters[name] : undefined;
  if (convert === undefined) return object;
  const newest = apiVersionOf({ group: definition.group, version: coreVersion });
  const current = convert(object, newest, lookup);
  const old = oldObject === undefined ? undefined : convert(oldObject, newest, lookup);
  const filled = await fillReferences(current, { old, findConfigMap });
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
const refusing = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
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
        const complete = await refusing(defaulted(placed, request, (key) => store.peek(ConfigMap, key)));
        return complete === placed ? undefined : complete;
      },
    },
  ],
});
