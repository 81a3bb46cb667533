import { isJsonObject, type KubeObject, type StructuralSchema } from "@capstan/schema";
import { canonicalJson } from "@capstan/schema/structural";
import { claimedPaths, compare } from "./compare.ts";
import { difference, emptySet, type FieldSet } from "./field-set.ts";

/** Where `kubectl apply` without `--server-side` remembers what it applied. */
const annotation = "kubectl.kubernetes.io/last-applied-configuration";
const maximumLength = 262_144;

/** The manager whose server-side apply continues from a client-side apply. */
export const lastApplier = "kubectl";

const lastAppliedOf = ({ metadata }: KubeObject): string => metadata.annotations?.[annotation] ?? "";

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The paths that a client-side apply has set and that no one has changed since: kubectl may take them without force. */
export const clientAppliedPaths = (live: KubeObject, schema: StructuralSchema | undefined): FieldSet => {
  const config = parsed(lastAppliedOf(live));
  if (!isJsonObject(config) || config["apiVersion"] !== live.apiVersion) {
    return emptySet;
  }
  const { modified, removed } = compare(config, live, schema);
  return difference(difference(claimedPaths(config, schema), modified), removed);
};

/** The applied object with its memory of client-side apply, where `live` has one, brought up to date. */
export const withLastApplied = (object: KubeObject, live: KubeObject, config: KubeObject): KubeObject => {
  if (lastAppliedOf(live) === "") {
    return object;
  }
  const { managedFields: _, annotations: { [annotation]: _last, ...rest } = {}, ...metadata } = config.metadata;
  const annotations = Object.keys(rest).length === 0 ? {} : { annotations: rest };
  const text = `${canonicalJson({ ...config, metadata: { ...metadata, ...annotations } })}\n`;
  const kept = { ...object.metadata.annotations, [annotation]: text };
  const length = Object.entries(kept).reduce((sum, [key, value]) => sum + Buffer.byteLength(key + value), 0);
  return {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: length > maximumLength ? { ...kept, [annotation]: "" } : kept,
    },
  };
};
