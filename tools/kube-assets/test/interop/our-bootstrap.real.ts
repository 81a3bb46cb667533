import { afterAll, beforeAll, expect, it } from "vitest";
import { untilEtcdMatches } from "./etcd-members.ts";
import { clusterManifests, KubeadmConfig, KubeadmControlPlane, SecretResource } from "./objects.ts";
import { describeOnServers, expectNoErrors, startWorld, type World } from "./world.ts";

describeOnServers("our kubeadm bootstrap with upstream's core and control plane", (start) => {
  const name = "orchid";
  let world: World;

  beforeAll(async () => {
    world = await startWorld(start, {
      capstan: ["bootstrap-kubeadm"],
      upstream: ["capi-core", "capi-controlplane-kubeadm"],
    });
  });
  afterAll(() => world.stop());

  it("makes a cluster with three control planes", async () => {
    await world.make(name, clusterManifests(name, { controlPlanes: 3, workers: 1 }));
    await world.untilRunning(4, 180_000);
    for (const { metadata, status } of await world.list(KubeadmConfig)) {
      expect(status).toMatchObject({ initialization: { dataSecretCreated: true }, dataSecretName: metadata.name });
    }
    await untilEtcdMatches(world, name, 3);
  });

  it("scales", async () => {
    await world.environment.kubectl(["scale", "machinedeployment", name, "--replicas", "2"]);
    await world.untilRunning(5);
    await world.environment.kubectl(["scale", "kubeadmcontrolplane", name, "--replicas", "1"]);
    await world.untilRunning(3, 120_000);
    await untilEtcdMatches(world, name, 1);
    await world.environment.kubectl(["scale", "machinedeployment", name, "--replicas", "1"]);
    await world.untilRunning(2);
  }, 240_000);

  it("deletes the cluster and everything in it", async () => {
    await world.destroy(name);
    for (const kind of [KubeadmControlPlane, KubeadmConfig, SecretResource]) {
      expect(await world.list(kind)).toEqual([]);
    }
  });

  it("logs no error, and neither do the others", () => expectNoErrors(world));
});
