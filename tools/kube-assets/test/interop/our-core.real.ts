import { afterAll, beforeAll, expect, it } from "vitest";
import { untilEtcdMatches } from "./etcd-members.ts";
import {
  Cluster,
  clusterManifests,
  KubeadmControlPlane,
  Machine,
  MachineDeployment,
  SecretResource,
} from "./objects.ts";
import { describeOnServers, eventually, expectNoErrors, startWorld, untilSettled, type World } from "./world.ts";

describeOnServers("our core with upstream's bootstrap and control plane", (start) => {
  const name = "orchid";
  let world: World;

  beforeAll(async () => {
    world = await startWorld(start, {
      capstan: ["core"],
      upstream: ["capi-bootstrap-kubeadm", "capi-controlplane-kubeadm"],
    });
  });
  afterAll(() => world.stop());

  const versions = async (): Promise<readonly string[]> =>
    (await world.list(Machine)).map(({ spec, status }) => `${spec.version} ${status?.nodeInfo?.kubeletVersion}`);
  const change = (kind: string, patch: object) =>
    world.environment.kubectl(["patch", kind, name, "--type", "merge", "-p", JSON.stringify(patch)]);

  it("makes a cluster with three control planes", async () => {
    await world.make(name, clusterManifests(name, { controlPlanes: 3, workers: 2 }));
    await world.untilRunning(5, 180_000);
    await untilSettled(world, name);
    // Who is up to date is told by other controllers than who is available.
    await eventually(async () => {
      const { status } = await world.get(Cluster, name);
      expect(status).toMatchObject({
        initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
        controlPlane: { desiredReplicas: 3, readyReplicas: 3, availableReplicas: 3, upToDateReplicas: 3 },
        workers: { desiredReplicas: 2, readyReplicas: 2, availableReplicas: 2, upToDateReplicas: 2 },
        phase: "Provisioned",
      });
    });
    const [balancer] = [...world.cloud.cloud.loadBalancers.values()];
    expect(balancer?.members).toHaveLength(3);
    await untilEtcdMatches(world, name, 3);
  });

  it("scales the workers", async () => {
    await world.environment.kubectl(["scale", "machinedeployment", name, "--replicas", "3"]);
    await world.untilRunning(6);
    await world.environment.kubectl(["scale", "machinedeployment", name, "--replicas", "1"]);
    await world.untilRunning(4);
  });

  it("rolls the control plane and then the workers out to another version", async () => {
    await change("kubeadmcontrolplane", { spec: { version: "v1.35.0" } });
    const sizes = new Set<number>();
    await eventually(async () => {
      for (const id of world.cloud.cloud.servers.keys()) {
        const etcd = world.cloud.guests.etcd(id);
        if (etcd?.isRunning === true) sizes.add(etcd.members.length);
      }
      const all = await versions();
      expect(all.toSorted()).toEqual(["v1.34.0 v1.34.0", ...Array.from({ length: 3 }, () => "v1.35.0 v1.35.0")]);
      expect((await world.get(KubeadmControlPlane, name)).status).toMatchObject({ upToDateReplicas: 3, replicas: 3 });
    }, 300_000);
    // A new member joins before an old one leaves.
    expect(sizes).toEqual(new Set([3, 4]));
    await change("machinedeployment", { spec: { template: { spec: { version: "v1.35.0" } } } });
    await eventually(async () => {
      expect(await versions()).toEqual(Array.from({ length: 4 }, () => "v1.35.0 v1.35.0"));
      expect((await world.get(MachineDeployment, name)).status).toMatchObject({ upToDateReplicas: 1, replicas: 1 });
    });
    await untilSettled(world, name);
    expect(world.cloud.cloud.servers.size).toBe(4);
    await untilEtcdMatches(world, name, 3);
  }, 480_000);

  it("scales the control plane down", async () => {
    await world.environment.kubectl(["scale", "kubeadmcontrolplane", name, "--replicas", "1"]);
    await world.untilRunning(2, 120_000);
    await untilSettled(world, name);
    await untilEtcdMatches(world, name, 1);
  }, 240_000);

  it("deletes the cluster and everything in it", async () => {
    await world.destroy(name);
    for (const kind of [KubeadmControlPlane, SecretResource]) expect(await world.list(kind)).toEqual([]);
  });

  it("logs no error, and neither do the others", () => expectNoErrors(world));
});
