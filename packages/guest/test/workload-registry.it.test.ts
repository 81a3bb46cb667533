import { silentLogger } from "@capstan/contract";
import { createCertificateAuthority, createServiceAccountKeys, issueCertificate } from "@capstan/pki";
import { resource } from "@capstan/schema";
import { freePort, recentClock, seededRandom } from "@capstan/testing";
import { afterEach, beforeAll, expect, it } from "vitest";
import type { ControlPlaneMaterial } from "../src/workload/control-plane-material.ts";
import { WorkloadRegistry } from "../src/workload/workload-registry.ts";

const Node = resource({ group: "", version: "v1", kind: "Node", plural: "nodes", namespaced: false });
const environment = { clock: recentClock(), random: seededRandom(1), log: silentLogger };
const { signal } = new AbortController();

let material: Omit<ControlPlaneMaterial, "file">;
beforeAll(async () => {
  const facts = { now: environment.clock.now(), algorithm: "ECDSA-P256" } as const;
  const authority = await createCertificateAuthority(facts);
  const hosts = ["kubernetes", "127.0.0.1"];
  const serving = await issueCertificate(authority, { ...facts, commonName: "server", hosts, usages: ["server"] });
  const serviceAccount = await createServiceAccountKeys("ECDSA-P256");
  material = { authority, serving, serviceAccount, serviceSubnet: "10.96.0.0/12" };
});

let registry: WorkloadRegistry;
afterEach(() => registry.stop());

it("keeps a cluster whose last machine leaves while another one joins", async () => {
  registry = new WorkloadRegistry(environment, undefined);
  const listen = { host: "127.0.0.1", port: await freePort() };
  await registry.serve("first", listen, material, { fresh: true, signal });
  // A name has to be looked up: it listens later than the first one has left.
  const later = { host: "localhost", port: await freePort() };
  const joining = registry.serve("second", later, material, { fresh: false, signal });
  await registry.leave("first", { destroy: false });
  const cluster = await joining;
  expect((await cluster.admin.list(Node)).items).toEqual([]);
});
