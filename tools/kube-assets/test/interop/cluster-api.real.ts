import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createGuestHost, type GuestHost } from "@capstan/guest";
import { createCertificateAuthority } from "@capstan/pki";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { createMemoryProvider, MemoryCloud } from "@capstan/testing/infra-memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { moduleFolder } from "../../src/go.ts";
import {
  address,
  freePort,
  InteropEnvironment,
  type Server,
  startCapstanServer,
  startReferenceServer,
} from "../../src/interop/environment.ts";
import { clusterApi } from "../../src/targets.ts";
import {
  Cluster,
  clusterManifests,
  etcdSecrets,
  KubeadmControlPlane,
  Lease,
  Machine,
  namespace,
  SecretResource,
} from "./objects.ts";

const kubeAssets = process.env["KUBEBUILDER_ASSETS"] ?? "";
const capiAssets = process.env["CAPI_ASSETS"] ?? "";

const servers: Readonly<Record<string, () => Promise<Server>>> = {
  "Capstan's API server": startCapstanServer,
  ...(existsSync(join(kubeAssets, "kube-apiserver"))
    ? { "kube-apiserver, for reference": () => startReferenceServer(kubeAssets) }
    : {}),
};

const missing =
  kubeAssets === "" || capiAssets === ""
    ? "KUBEBUILDER_ASSETS and CAPI_ASSETS name no folders with kubectl and with the managers"
    : process.getuid?.() === 0
      ? undefined
      : "managers are started in mount namespaces, which takes root";

const eventually = async (check: () => Promise<void>, withinMs = 90_000): Promise<void> => {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await pause(200);
    }
  }
};

/**
 * What managers log on any API server: while a workload cluster is not reachable, and because the model of it cannot forward ports
 * to Pods.
 */
const passing = /connection to the workload cluster is down|"Connect failed"|pods\/portforward is not served here/;

const userDataOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

if (missing !== undefined) {
  describe("upstream's managers", () => {
    it("work on Capstan's API server", ({ skip }) => skip(missing));
  });
}

describe.skipIf(missing !== undefined).each(Object.entries(servers))("upstream's managers on %s", (_, start) => {
  const name = "orchid";
  let environment: InteropEnvironment;
  let guests: GuestHost;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    guests = createGuestHost({ clock: systemClock, random: cryptoRandom });
    const cloud = new MemoryCloud({
      clock: systemClock,
      userDataLimitBytes: 64 * 1024,
      endpoint: () => ({ host: address, port }),
      onBoot: ({ id, name: hostname, userData }) =>
        void guests.boot({
          id,
          metadata: { "local-hostname": hostname, local_hostname: hostname },
          userData: userDataOf(userData),
          address,
          providerID: `memory://${id}`,
        }),
    });
    environment = await InteropEnvironment.start({
      start,
      kubeAssets,
      capiAssets,
      moduleFolder: await moduleFolder(clusterApi),
      provider: createMemoryProvider(cloud),
    });
  });

  afterAll(async () => {
    await environment.stop();
    await guests.stop();
  });

  const list = async (kind: Resource): Promise<readonly KubeObject[]> =>
    (await environment.client.list<KubeObject>(kind, { namespace })).items;
  // oxlint-disable-next-line typescript/no-explicit-any -- statuses of many shapes
  const statusOf = async (kind: Resource, of = name): Promise<any> =>
    (await environment.client.get<KubeObject>(kind, { namespace, name: of }))["status"] ?? {};
  // oxlint-disable-next-line typescript/no-explicit-any -- machines with their status
  const machines = async (): Promise<any[]> => [...(await list(Machine))];

  it("win their elections", async () => {
    for (const lease of ["capi-system", "capi-kubeadm-bootstrap-system", "capi-kubeadm-control-plane-system"]) {
      await eventually(async () => {
        const held = (await environment.client.list<KubeObject>(Lease, { namespace: lease })).items;
        expect(held.map(({ spec }) => (spec as { holderIdentity?: string }).holderIdentity)).toEqual([
          expect.stringMatching(/./),
        ]);
      });
    }
  });

  it("make a cluster with Nodes on machines of a provider of ours", async () => {
    const { certificate, key } = await createCertificateAuthority({ now: systemClock.now() });
    await environment.apply(etcdSecrets(name, certificate, key));
    // Until a manager serves its webhooks, what it defaults and checks is refused.
    await eventually(() => environment.apply(clusterManifests(name, port)));
    await eventually(async () => {
      expect((await statusOf(Cluster)).initialization).toEqual({
        infrastructureProvisioned: true,
        controlPlaneInitialized: true,
      });
      expect((await statusOf(KubeadmControlPlane)).initialization).toEqual({ controlPlaneInitialized: true });
      const phases = (await machines()).map(({ status }) => [status?.phase, typeof status?.nodeRef?.name]);
      expect(phases).toEqual([
        ["Running", "string"],
        ["Running", "string"],
      ]);
    });
    const secrets = (await list(SecretResource)).map(({ metadata }) => metadata.name);
    expect(secrets).toEqual(
      expect.arrayContaining([`${name}-ca`, `${name}-sa`, `${name}-proxy`, `${name}-kubeconfig`]),
    );
  });

  it("serve the older version by conversion", async () => {
    const text = await environment.kubectl(["get", "clusters.v1beta1.cluster.x-k8s.io", name, "-o", "json"]);
    const { apiVersion, status } = JSON.parse(text);
    expect(apiVersion).toBe("cluster.x-k8s.io/v1beta1");
    expect(status).toMatchObject({ infrastructureReady: true, controlPlaneReady: true, phase: "Provisioned" });
  });

  it("refuse what their webhooks refuse", async () => {
    const replicas = { spec: { replicas: 0 } };
    const patch = JSON.stringify(replicas);
    const refused = environment.kubectl(["patch", "kubeadmcontrolplane", name, "--type", "merge", "-p", patch]);
    await expect(refused).rejects.toThrow(/spec\.replicas: Forbidden/);
  });

  it("scale", async () => {
    await environment.kubectl(["scale", "machinedeployment", name, "--replicas", "2"]);
    await eventually(async () => {
      expect((await machines()).map(({ status }) => status?.phase)).toEqual(["Running", "Running", "Running"]);
    });
    await environment.kubectl(["scale", "machinedeployment", name, "--replicas", "1"]);
    await eventually(async () => expect(await machines()).toHaveLength(2));
  });

  it("delete the cluster and everything in it", async () => {
    await environment.kubectl(["delete", "cluster", name, "--wait=false"]);
    await eventually(async () => {
      expect(await environment.client.find(Cluster, { namespace, name })).toBeUndefined();
      for (const kind of [Machine, KubeadmControlPlane]) expect(await list(kind)).toEqual([]);
      // Those of the etcd were adopted.
      expect(await list(SecretResource)).toEqual([]);
    });
  });

  it("stay up, and log no error", () => {
    for (const manager of environment.managers) {
      expect(manager.ended, manager.log().slice(-2000)).toBe(false);
      const errors = manager.errors().filter((line) => !passing.test(line));
      expect(errors, manager.name).toEqual([]);
    }
  });
});
