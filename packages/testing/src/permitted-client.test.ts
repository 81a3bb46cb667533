import type { Client } from "@capstan/kube";
import { ConfigMapResource, NodeResource, SecretResource } from "@capstan/contract/wire";
import { workloadPermission } from "@capstan/kit/workload";
import { expect, it } from "vitest";
import { permittedClient } from "./permitted-client.ts";

const done: string[] = [];
const note = (call: string) => async (): Promise<never> => {
  done.push(call);
  return undefined as never;
};
const inner: Client = {
  get: note("get"),
  find: note("find"),
  list: note("list"),
  create: note("create"),
  update: note("update"),
  patch: note("patch"),
  delete: note("delete"),
  forward: note("forward"),
  request: note("request"),
};
const namespace = "kube-system";
const client = permittedClient(inner, {
  name: "acme",
  permissions: [
    workloadPermission(NodeResource, ["list"]),
    workloadPermission(SecretResource, ["get", "create"], { namespace }),
    workloadPermission(ConfigMapResource, ["patch"], { namespace, names: ["one"] }),
    workloadPermission({ group: "", plural: "pods" }, ["create"], { subresource: "eviction" }),
  ],
});
const secret = (name: string, where: string) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { namespace: where, name },
});
const merge = { type: "merge", body: {} } as const;
const eviction = "/api/v1/namespaces/default/pods/p/eviction";

it.each<[string, () => Promise<unknown>]>([
  ["a list", () => client.list(NodeResource)],
  ["a Secret of the namespace", () => client.find(SecretResource, { namespace, name: "s" })],
  ["one more of them", () => client.create(SecretResource, secret("s", namespace))],
  ["an object by its name", () => client.patch(ConfigMapResource, { namespace, name: "one" }, merge)],
  ["an eviction", () => client.request({ method: "POST", path: eviction })],
])("lets pass %s", async (_what, call) => {
  const before = done.length;
  await call();
  expect(done.length).toBe(before + 1);
});

it.each<[string, () => Promise<unknown>]>([
  ["another verb", () => client.get(NodeResource, { name: "n" })],
  ["another namespace", () => client.find(SecretResource, { namespace: "default", name: "s" })],
  ["every namespace", () => client.list(SecretResource)],
  ["another name", () => client.patch(ConfigMapResource, { namespace, name: "two" }, merge)],
  [
    "a subresource",
    () => client.patch(ConfigMapResource, { namespace, name: "one" }, merge, { subresource: "status" }),
  ],
  ["a forwarded port", () => client.forward({ namespace, name: "etcd-n" }, 2379)],
  ["any other path", () => client.request({ method: "GET", path: "/metrics" })],
])("refuses %s", async (_what, call) => {
  const before = done.length;
  await expect(call()).rejects.toMatchObject({ code: "kube.forbidden" });
  expect(done.length).toBe(before);
});
