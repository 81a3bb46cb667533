import type { KubeObject } from "@capstan/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { apiServiceRegistration } from "../../src/controllers/api-services.ts";
import { apiServices } from "../../src/registry/local-api-services.ts";
import { becomes, serverWith, type TestServer } from "./server-with.ts";

const services = { group: "", plural: "services" } as const;

let server: TestServer;
beforeEach(async () => {
  server = await serverWith(apiServiceRegistration());
});
afterEach(() => server.stop());

const find = (name: string): KubeObject | undefined => server.store.peek(apiServices, { name });

const reason = (name: string): unknown => {
  const status = find(name)?.["status"] as { readonly conditions?: readonly { readonly reason: string }[] } | undefined;
  return status?.conditions?.[0]?.reason;
};

const registration = (name: string): KubeObject => {
  const [version = "", ...group] = name.split(".");
  const service = { namespace: "default", name: "metrics" };
  const priorities = { groupPriorityMinimum: 100, versionPriority: 100 };
  return {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name },
    spec: { group: group.join("."), version, service, ...priorities },
  };
};

it("are there for every built-in version as soon as the server is, and again when somebody deletes one", async () => {
  const { uid } = find("v1.apps")?.metadata ?? {};
  expect([uid === undefined, reason("v1.apps"), reason("v1.")]).toEqual([false, "Local", "Local"]);
  await server.store.delete(apiServices, { name: "v1.apps" });
  await becomes(server.store, () => ![undefined, uid].includes(find("v1.apps")?.metadata.uid));
});

it("of others say why nobody answers, with and without their Service, and stay", async () => {
  const name = "v1.metrics.test";
  await server.store.create(apiServices, registration(name));
  await becomes(server.store, () => reason(name) === "ServiceNotFound");
  const metadata = { namespace: "default", name: "metrics" };
  await server.store.create(services, {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { ports: [{ port: 443 }] },
  });
  await becomes(server.store, () => reason(name) === "NotPassedOn");
  await server.store.delete(services, metadata);
  await becomes(server.store, () => reason(name) === "ServiceNotFound");
});

it("of what is no longer served go, if the server made them", async () => {
  const made = registration("v1.gone.test");
  const labels = { "kube-aggregator.kubernetes.io/automanaged": "true" };
  await server.store.create(apiServices, registration("v1.kept.test"));
  await server.store.create(apiServices, { ...made, metadata: { ...made.metadata, labels } });
  await becomes(server.store, () => find("v1.gone.test") === undefined && find("v1.kept.test") !== undefined);
});
