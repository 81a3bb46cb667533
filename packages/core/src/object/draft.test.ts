import { CapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { expect, it } from "vitest";
import { Cluster } from "../api.ts";
import { saveStatus } from "./draft.ts";

const cluster: Cluster = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { namespace: "default", name: "prod", resourceVersion: "1" },
  spec: {},
};
const wanted: Cluster = { ...cluster, status: { phase: "Deleting" } };
const notFound = new CapstanError({ code: "kube.not_found", reason: "NotFound", message: "not found" });

/** A server that finds nothing to patch, and of the object what is given. */
const server = (found: Cluster | undefined): { readonly client: Client } => ({
  client: { patch: () => Promise.reject(notFound), find: () => Promise.resolve(found) } as unknown as Client,
});

it("has nothing to say of an object that is gone", async () => {
  await expect(saveStatus(server(undefined), Cluster, cluster, wanted)).resolves.toBe(wanted);
});

it("fails for an object that is there and cannot be told", async () => {
  await expect(saveStatus(server(cluster), Cluster, cluster, wanted)).rejects.toBe(notFound);
});
