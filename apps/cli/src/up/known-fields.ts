import type { Client } from "@capstan/kube";
import { isJsonObject, type KubeObject } from "@capstan/schema";
import { type PathStep, stepsOf } from "../manifest/field-path.ts";

type Schema = Readonly<Record<string, unknown>>;

const of = (value: unknown): Schema => (isJsonObject(value) ? value : {});

/** The schemas of one version of a group, as OpenAPI v3 has them. */
const schemasOf = async (client: Client, apiVersion: string, signal: AbortSignal): Promise<Schema> => {
  const path = `/openapi/v3/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}`;
  const answer = await client.request<Schema>({ method: "GET", path, signal });
  return of(of(answer["components"])["schemas"]);
};

const isOf = ({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">, schema: unknown): boolean => {
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const kinds = of(schema)["x-kubernetes-group-version-kind"];
  return (
    Array.isArray(kinds) &&
    kinds.some((each) => of(each)["group"] === group && of(each)["version"] === version && of(each)["kind"] === kind)
  );
};

/** A schema behind its references. */
const resolved = (schemas: Schema, schema: unknown): Schema => {
  let found = of(schema);
  for (let left = 20; left > 0; left--) {
    const [whole] = Array.isArray(found["allOf"]) ? (found["allOf"] as readonly unknown[]) : [];
    const reference = found["$ref"] ?? of(whole)["$ref"];
    if (typeof reference !== "string") break;
    found = of(schemas[reference.slice(reference.lastIndexOf("/") + 1)]);
  }
  return found;
};

const below = (schemas: Schema, schema: Schema, step: PathStep): Schema => {
  if (typeof step !== "string") return resolved(schemas, schema["items"]);
  return resolved(schemas, of(schema["properties"])[step] ?? schema["additionalProperties"]);
};

/** Finds the names of the fields that stand, by the schema of an object's kind, where a path ends; none where the server does not say. */
export const knownFields = (
  client: Client,
  signal: AbortSignal,
): ((object: KubeObject, field: string) => Promise<readonly string[]>) => {
  const known = new Map<string, Promise<Schema>>();
  return async (object, field) => {
    const { apiVersion } = object;
    // A hint is not worth another failure.
    const asked = known.get(apiVersion) ?? schemasOf(client, apiVersion, signal).catch(() => ({}));
    known.set(apiVersion, asked);
    const schemas = await asked;
    const root = Object.values(schemas).find((schema) => isOf(object, schema));
    const parent = stepsOf(field)
      .slice(0, -1)
      .reduce<Schema>((schema, step) => below(schemas, schema, step), resolved(schemas, root));
    return Object.keys(of(parent["properties"]));
  };
};
