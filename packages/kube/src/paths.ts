import { CapstanError } from "@capstan/contract";
import { keyText, type ObjectKey } from "@capstan/kube-values";
import { apiVersionOf, type Resource } from "@capstan/schema";

/** Path of the collection of a kind: of one namespace, or of the whole cluster. */
export const collectionPath = (resource: Resource, namespace?: string): string => {
  const root = resource.group === "" ? "/api" : "/apis";
  const scope =
    resource.namespaced && namespace !== undefined && namespace !== ""
      ? `/namespaces/${encodeURIComponent(namespace)}`
      : "";
  return `${root}/${apiVersionOf(resource)}${scope}/${resource.plural}`;
};

/** Path of one object or of one of its subresources. Throws `kube.bad_request` when name or namespace is missing. */
export const objectPath = (resource: Resource, key: ObjectKey, subresource?: string): string => {
  if (key.name === "" || (resource.namespaced && (key.namespace ?? "") === "")) {
    throw new CapstanError({
      code: "kube.bad_request",
      reason: "BadRequest",
      message: `${resource.kind} "${keyText(key)}": a ${resource.namespaced ? "namespace and a name are" : "name is"} needed`,
    });
  }
  const tail = subresource === undefined ? "" : `/${subresource}`;
  return `${collectionPath(resource, key.namespace)}/${encodeURIComponent(key.name)}${tail}`;
};

/** `?a=b&c=d` of the values that are set, or nothing. */
export const queryString = (query: Readonly<Record<string, string | number | boolean | undefined>>): string => {
  const set = Object.entries(query).filter((entry) => entry[1] !== undefined);
  return set.length === 0
    ? ""
    : `?${set.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&")}`;
};
