import { things } from "./hostile-definition.ts";

/** A request that is made to keep the server busy. */
export interface HostileRequest {
  readonly title: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
}

const size = 3 * 2 ** 20 - 20_000;
export const many = (text: string, length = size): string => text.repeat(Math.floor(length / text.length));
export const list = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => item(i)).join(",");

export const configMaps = "/api/v1/namespaces/default/configmaps";
export const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
export const apply = "application/apply-patch+yaml";
export const merge = "application/merge-patch+json";
export const jsonPatch = "application/json-patch+json";
export const strategic = "application/strategic-merge-patch+json";
export const yaml = "application/yaml";

export const thing = (name: string, spec: string): string =>
  `{"apiVersion":"hostile.test/v1","kind":"Thing","metadata":{"name":"${name}"},"spec":{${spec}}}`;
export const map = (name: string, metadata: string, data = ""): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"${metadata}},"data":{${data}}}`;
export const post = (title: string, path: string, body: string, type = "application/json"): HostileRequest => ({
  title,
  method: "POST",
  path,
  type,
  body,
});
export const patch = (title: string, path: string, type: string, body: string): HostileRequest => ({
  title,
  method: "PATCH",
  path,
  type,
  body,
});

export const named = (name: string): string => `${things}/${name}`;
