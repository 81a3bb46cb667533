import { globSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Group } from "@capstan/contract";
import { Cluster, credentialsSecret, Machine, SecretResource, standaloneManifests } from "./objects.ts";
import { describeBetweenServers, eventually, expectNoErrors, startWorld, untilSettled, type World } from "./world.ts";

const capstan = { capstan: ["core", "bootstrap-kubeadm"], upstream: [] };

describeBetweenServers("clusterctl", (startHere, startThere) => {
  const name = "orchid";
  const secretName = "cloud";
  let here: World;
  let there: World;

  beforeAll(async () => {
    here = await startWorld(startHere, capstan);
    there = await startWorld(startThere, capstan, here.cloud);
  });
  afterAll(async () => {
    await there.environment.stop();
    await here.stop();
  });

  const facts = async (world: World): Promise<readonly object[]> =>
    (await world.list(Machine)).map(({ metadata, spec, status }) => ({
      name: metadata.name,
      providerID: spec.providerID,
      dataSecretName: spec.bootstrap.dataSecretName,
      node: status?.nodeRef?.name,
      initialization: status?.initialization,
    }));

  /** What `describe` shows, without the columns of times and messages, and without the lines of the tree. */
  const described = async (world: World): Promise<readonly string[]> => {
    const text = await world.environment.clusterctl(["describe", "cluster", name, "--show-conditions", "Cluster"]);
    return text
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/\s\d+[smhd].*/, "").replaceAll(/[│├└─]/g, " "))
      .map((line) => line.trim().replaceAll(/\s+/g, " "));
  };
  const condition = (type: string, status: "True" | "False", reason = type): string => `${type} ${status} ${reason}`;
  const whole = [
    "NAME REPLICAS AVAILABLE READY UP TO DATE STATUS REASON SINCE MESSAGE",
    "Cluster/orchid 3/3 3 3 2",
    condition("Available", "True"),
    condition("RemoteConnectionProbe", "True", "ProbeSucceeded"),
    condition("InfrastructureReady", "True", "Ready"),
    condition("ControlPlaneInitialized", "True", "Initialized"),
    condition("ControlPlaneAvailable", "True", "Available"),
    condition("ControlPlaneMachinesReady", "True", "Ready"),
    condition("ControlPlaneMachinesUpToDate", "True", "NoReplicas"),
    condition("WorkersAvailable", "True", "Available"),
    condition("WorkerMachinesReady", "True", "Ready"),
    condition("WorkerMachinesUpToDate", "True", "UpToDate"),
    ...["RollingOut", "ScalingUp", "ScalingDown", "Remediating", "Paused", "Deleting"].map((type) =>
      condition(type, "False", `Not${type}`),
    ),
    "ClusterInfrastructure - MemoryCluster/orchid True Ready",
    "Workers",
    "MachineDeployment/orchid 2/2 2 2 2 True Available",
    "2 Machines... 2 2 2 True Ready",
    "Other",
    "Machine/orchid-control-plane 1 1 1 0 True Ready",
  ];
  const expectDescribed = (world: World): Promise<void> =>
    eventually(async () => expect(await described(world)).toEqual(whole));

  /** By whom the credentials are kept from going away. */
  const holdersOf = async (world: World): Promise<ReadonlySet<string>> =>
    new Set((await world.get(SecretResource, secretName)).metadata.finalizers);
  const holders = new Set(
    ["memorycluster", "memorymachine"].map((kind) => `capstan.dev/held-by-${kind}.${Group.infrastructure}`),
  );

  const expectMoved = async (from: World, to: World): Promise<void> => {
    const before = await facts(from);
    const already = from.cloud.cloud.calls.made.length;
    await from.environment.clusterctl(["move", "--to-kubeconfig", to.environment.kubeconfigFile]);
    await to.untilRunning(3);
    expect(await facts(to)).toEqual(before);
    await eventually(async () => expect(await holdersOf(to)).toEqual(holders));
    await untilSettled(to, name);
    expect((await to.get(Cluster, name)).status).toMatchObject({
      phase: "Provisioned",
      initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
    });
    expect(from.cloud.cloud.calls.made.slice(already).filter((call) => call !== "list")).toEqual([]);
    // Neither objects nor Secrets stay behind.
    expect((await from.environment.kubectl(["get", "cluster-api,secrets"])).trim()).toBe("");
  };

  it("describes a cluster of ours", async () => {
    const manifests = standaloneManifests(name, { workers: 2, credentials: secretName });
    await here.make(name, [credentialsSecret(secretName), ...manifests]);
    await here.untilRunning(3);
    await untilSettled(here, name);
    await expectDescribed(here);
  });

  it("moves it, which nothing at the cloud is asked for", async () => {
    await expectMoved(here, there);
    await expectDescribed(there);
  });

  it("moves it back", () => expectMoved(there, here));

  it("leaves it to its managers, who delete it although its credentials are deleted first", async () => {
    await here.environment.kubectl(["delete", "secret", secretName, "--wait=false"]);
    await here.destroy(name);
  });

  it("gives no manager cause to log an error", () => {
    for (const world of [here, there]) expectNoErrors(world);
  });

  it("takes the templates of our flavors", async () => {
    const root = join(import.meta.dirname, "../../../..");
    const files = globSync("packages/infra-{azure,linode}/templates/*.yaml", { cwd: root });
    expect(files).not.toEqual([]);
    const options = ["--kubernetes-version", "v1.36.2", "--target-namespace", "default"];
    for (const file of files) {
      const from = ["generate", "cluster", name, "--from", join(root, file), ...options];
      const listed = await here.environment.clusterctl([...from, "--list-variables"]);
      expect(listed, file).toContain("CLUSTER_NAME");
    }
    const file = join(root, "packages/infra-linode/templates/cluster-template.yaml");
    const text = await here.environment.clusterctl(["generate", "cluster", name, "--from", file, ...options]);
    expect(parseAllDocuments(text).map((document) => document.get("kind"))).toEqual(
      expect.arrayContaining(["Cluster", "LinodeCluster", "MachineDeployment", "KubeadmConfigTemplate"]),
    );
  });

  it("deletes providers, webhooks and definitions once the last cluster is deleted, with a Secret that was held until then", async () => {
    const names = async (kinds: string): Promise<readonly string[]> =>
      (await here.environment.kubectl(["get", kinds, "-A", "-o", "name"])).split("\n").filter((line) => line !== "");
    const acting = "validatingwebhookconfigurations,mutatingwebhookconfigurations";
    await here.make(name, [credentialsSecret(secretName), ...standaloneManifests(name, { credentials: secretName })]);
    await here.untilRunning(2);
    expect(await names(acting)).not.toEqual([]);
    await here.environment.kubectl(["delete", "clusters.cluster.x-k8s.io", "--all", "--timeout=90s"]);
    await here.environment.clusterctl(["delete", "--all", "--include-crd"]);
    await here.environment.kubectl(["delete", "secret", secretName, "--timeout=30s"]);
    await eventually(async () =>
      expect(await names("crd")).toEqual([
        "customresourcedefinition.apiextensions.k8s.io/providers.clusterctl.cluster.x-k8s.io",
      ]),
    );
    expect(await names(`providers.clusterctl.cluster.x-k8s.io,${acting}`)).toEqual([]);
  });
});
