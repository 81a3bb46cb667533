import { afterAll, beforeAll, expect, it } from "vitest";
import { Cluster, clusterManifests, KubeadmControlPlane, Lease, SecretResource } from "./objects.ts";
import { describeOnServers, eventually, expectNoErrors, startWorld, type World } from "./world.ts";

describeOnServers("upstream's managers", (start) => {
  const name = "orchid";
  let world: World;

  beforeAll(async () => {
    world = await startWorld(start, {});
  });
  afterAll(() => world.stop());

  it("win their elections", async () => {
    for (const lease of ["capi-system", "capi-kubeadm-bootstrap-system", "capi-kubeadm-control-plane-system"]) {
      await eventually(async () => {
        const held = (await world.environment.client.list(Lease, { namespace: lease })).items;
        expect(held.map(({ spec }) => (spec as { holderIdentity?: string }).holderIdentity)).toEqual([
          expect.stringMatching(/./),
        ]);
      });
    }
  });

  it("make a cluster with Nodes on machines of a provider of ours", async () => {
    await world.make(name, clusterManifests(name, { hasExternalEtcd: true }));
    await eventually(async () => {
      expect((await world.get(Cluster, name)).status?.initialization).toEqual({
        infrastructureProvisioned: true,
        controlPlaneInitialized: true,
      });
      const { status } = await world.get(KubeadmControlPlane, name);
      expect(status?.initialization).toEqual({ controlPlaneInitialized: true });
    });
    await world.untilRunning(2);
    const secrets = (await world.list(SecretResource)).map(({ metadata }) => metadata.name);
    expect(secrets).toEqual(
      expect.arrayContaining([`${name}-ca`, `${name}-sa`, `${name}-proxy`, `${name}-kubeconfig`]),
    );
  });

  it("serve the older version by conversion", async () => {
    const text = await world.environment.kubectl(["get", "clusters.v1beta1.cluster.x-k8s.io", name, "-o", "json"]);
    const { apiVersion, status } = JSON.parse(text);
    expect(apiVersion).toBe("cluster.x-k8s.io/v1beta1");
    expect(status).toMatchObject({ infrastructureReady: true, controlPlaneReady: true, phase: "Provisioned" });
  });

  it("refuse what their webhooks refuse", async () => {
    const replicas = { spec: { replicas: 0 } };
    const patch = JSON.stringify(replicas);
    const refused = world.environment.kubectl(["patch", "kubeadmcontrolplane", name, "--type", "merge", "-p", patch]);
    await expect(refused).rejects.toThrow(/spec\.replicas: Forbidden/);
  });

  it("scale", async () => {
    await world.environment.kubectl(["scale", "machinedeployment", name, "--replicas", "2"]);
    await world.untilRunning(3);
    await world.environment.kubectl(["scale", "machinedeployment", name, "--replicas", "1"]);
    await world.untilRunning(2);
  });

  it("delete the cluster and everything in it", async () => {
    await world.destroy(name);
    for (const kind of [KubeadmControlPlane, SecretResource]) expect(await world.list(kind)).toEqual([]);
  });

  it("stay up, and log no error", () => expectNoErrors(world));
});
