import type { RequestInfo } from "../model/types.ts";
import { isTrue } from "./query-values.ts";

const verbs: Readonly<Record<string, string>> = { POST: "create", PUT: "update", PATCH: "patch" };

const verbOf = (method: string, name: string, query: URLSearchParams): string => {
  if (method === "GET" || method === "HEAD") {
    return name !== "" ? "get" : isTrue(query.get("watch")) ? "watch" : "list";
  }
  if (method === "DELETE") {
    return name === "" ? "deletecollection" : "delete";
  }
  return verbs[method] ?? method.toLowerCase();
};

const outside = (method: string, path: string): RequestInfo => ({
  verb: method.toLowerCase(),
  path,
  isResource: false,
  group: "",
  version: "",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
});

const namespaceSubresources = new Set(["status", "finalize"]);

/** Splits `namespaces/NS/...` off; a Namespace itself is a resource like others. */
const splitNamespace = (
  rest: readonly string[],
): Required<Pick<RequestInfo, "namespace" | "isInNamespace">> & { readonly rest: readonly string[] } => {
  const [first, namespace = "", third] = rest;
  const isInNamespace = first === "namespaces" && rest.length > 2 && !namespaceSubresources.has(third as string);
  return isInNamespace
    ? { namespace, isInNamespace, rest: rest.slice(2) }
    : { namespace: first === "namespaces" ? namespace : "", isInNamespace, rest };
};

/** Returns the attributes of a request, from its method and URL alone. A trailing slash is ignored. */
export const requestInfo = (method: string, url: URL): RequestInfo => {
  const raw = url.pathname.replace(/\/$/, "").split("/").slice(1);
  const path = `/${raw.join("/")}`;
  const [root, ...rest] = url.pathname.includes("%") ? raw.map(decodeURIComponent) : raw;
  const versioned =
    root === "api"
      ? { group: "", version: rest[0] ?? "", rest: rest.slice(1) }
      : root === "apis"
        ? { group: rest[0] ?? "", version: rest[1] ?? "", rest: rest.slice(2) }
        : undefined;
  if (versioned === undefined || versioned.rest.length === 0) {
    return outside(method, path);
  }
  const scope = splitNamespace(versioned.rest);
  const [resource = "", name = "", ...subresource] = scope.rest;
  return {
    verb: verbOf(method, name, url.searchParams),
    path,
    isResource: true,
    group: versioned.group,
    version: versioned.version,
    resource,
    subresource: subresource.join("/"),
    namespace: scope.namespace,
    isInNamespace: scope.isInNamespace,
    name,
  };
};
