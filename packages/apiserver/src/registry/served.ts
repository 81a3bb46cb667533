import { jsonText } from "@capstan/schema/structural";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import type { StoredObject } from "../storage/stored-object.ts";
import type { ResourceDefinition } from "../model/types.ts";

/** An object as a client sees it, with its JSON text. */
export interface Served {
  readonly object: KubeObject;
  readonly text: string;
}

/** An object that is not stored as it is shown (converted, dry run). */
export const servedObject = (object: KubeObject): Served => {
  let text: string | undefined;
  return {
    object,
    get text() {
      text ??= jsonText(object);
      return text;
    },
  };
};

const conversions = new WeakMap<ResourceDefinition, WeakMap<StoredObject, Served>>();

/** True when stored objects are served without any change. */
export const isServedAsStored = (definition: ResourceDefinition): boolean =>
  definition.storage.onRead === undefined && definition.storage.apiVersion === apiVersionOf(definition);

/** Without a conversion function only the names change. */
const renamed = (definition: ResourceDefinition, object: KubeObject): KubeObject => {
  const apiVersion = apiVersionOf(definition);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion, kind: definition.kind };
};

const remember = (definition: ResourceDefinition): WeakMap<StoredObject, Served> => {
  const known = conversions.get(definition) ?? new WeakMap<StoredObject, Served>();
  conversions.set(definition, known);
  return known;
};

const convert = async (definition: ResourceDefinition, stored: readonly StoredObject[]): Promise<readonly Served[]> => {
  const { onRead, fromStorage } = definition.storage;
  const read = stored.map(({ object }) => (onRead === undefined ? object : onRead(object)));
  const isOwnVersion = definition.storage.apiVersion === apiVersionOf(definition);
  const converted =
    isOwnVersion || fromStorage === undefined
      ? read.map((object) => renamed(definition, object))
      : await fromStorage(read);
  return converted.map((object, index) => {
    const origin = stored[index] as StoredObject;
    return object === origin.object ? origin : servedObject(object);
  });
};

/** Objects in the definition's version; same order. Conversions are remembered as long as the stored object lives. */
export const serve = async (
  definition: ResourceDefinition,
  stored: readonly StoredObject[],
): Promise<readonly Served[]> => {
  if (isServedAsStored(definition)) {
    return stored;
  }
  const known = remember(definition);
  const missing = stored.filter((object) => !known.has(object));
  const made = missing.length === 0 ? [] : await convert(definition, missing);
  for (const [index, object] of missing.entries()) {
    known.set(object, made[index] as Served);
  }
  return stored.map((object) => known.get(object) as Served);
};

/** As `serve`, for one object; at once unless a conversion has to be waited for. */
export const serveOne = (definition: ResourceDefinition, stored: StoredObject): Served | Promise<Served> => {
  if (isServedAsStored(definition)) {
    return stored;
  }
  return remember(definition).get(stored) ?? serve(definition, [stored]).then(([served]) => served as Served);
};

/** An object of the definition's version as it is stored. */
export const toStored = async (definition: ResourceDefinition, object: KubeObject): Promise<KubeObject> => {
  const { toStorage, apiVersion } = definition.storage;
  if (apiVersion === apiVersionOf(definition)) {
    return object;
  }
  return toStorage === undefined ? { ...object, apiVersion } : ((await toStorage([object]))[0] as KubeObject);
};
