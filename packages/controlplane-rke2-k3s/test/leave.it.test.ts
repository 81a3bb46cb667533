import { createApiServer } from "@capstan/apiserver";
import { clusterSecretType, Label } from "@capstan/contract";
import { NodeResource, SecretResource } from "@capstan/contract/wire";
import { controlPlaneSecrets } from "@capstan/kit/bootstrap";
import type { ControlPlaneContext, Member, OfMember } from "@capstan/kit/control-plane";
import { type Client, connect, createClient, loadKubeconfig } from "@capstan/kube";
import { createCertificateAuthority } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { seededRandom } from "@capstan/testing";
import { CallGate, gatedClient } from "@capstan/testing/environment";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RKE2ControlPlane } from "../src/api.ts";
import { beforeDeletion, beforeRemediation, leaveEtcd, leaveLoadBalancers } from "../src/control-plane/leave.ts";
import { rke2ControlPlane } from "../src/distribution/rke2.ts";
import { Servers } from "./servers-world.ts";

const namespace = "default";
const names = ["one", "two", "three"];
const machineOf = (name: string): KubeObject => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Machine",
  metadata: { namespace, name },
  spec: { clusterName: "borealis" },
});

describe("a server that goes", () => {
  const management = createApiServer({ clock: systemClock, random: seededRandom(1), extensions: [] });
  let servers: Servers;
  let stop: () => Promise<void>;
  let contextOf: (name: string) => ControlPlaneContext<RKE2ControlPlane> & OfMember;
  const kept = {
    of: rke2ControlPlane,
    secrets: controlPlaneSecrets<RKE2ControlPlane>({ kind: RKE2ControlPlane, certificates: () => [] }),
  };

  /** The Machine whose member leads. */
  const leader = (): string => {
    const name = servers.etcd.members.find(({ id }) => id === servers.etcd.leader)?.name ?? "";
    return names.find((each) => name.startsWith(`node-${each}-`)) ?? "";
  };

  beforeAll(async () => {
    await management.start();
    const access = await loadKubeconfig({ text: await management.adminKubeconfig() });
    const connection = connect({ access, clock: systemClock });
    const client = createClient(connection);
    const authority = await createCertificateAuthority({ now: systemClock.now() });
    await client.create(SecretResource, {
      apiVersion: "v1",
      kind: "Secret",
      type: clusterSecretType,
      metadata: { namespace, name: "borealis-etcd", labels: { [Label.clusterName]: "borealis" } },
      stringData: { "tls.crt": authority.certificate, "tls.key": authority.key },
    });
    servers = await Servers.start("rke2");
    for (const name of names) await servers.join(machineOf(name), client);
    const members = names.map(
      (name) =>
        ({ machine: { ...machineOf(name), status: { nodeRef: { name: `node-${name}` } } } }) as unknown as Member,
    );
    contextOf = (name) =>
      ({
        object: {
          apiVersion: apiVersionOf(RKE2ControlPlane),
          kind: "RKE2ControlPlane",
          metadata: { namespace, name: "servers" },
        },
        cluster: { apiVersion: "", kind: "Cluster", metadata: { namespace, name: "borealis" } },
        initialized: true,
        members,
        member: members[names.indexOf(name)]!,
        client,
        clock: systemClock,
        call: { signal: new AbortController().signal },
        workload: () => Promise.resolve(servers.client),
      }) as unknown as ControlPlaneContext<RKE2ControlPlane> & OfMember;
    stop = async () => {
      await servers.stop();
      await connection.close();
      await management.stop();
    };
  });
  afterAll(() => stop());

  it("lets another member lead before, and only if it leads", async () => {
    const first = leader();
    const other = names.find((name) => name !== first) ?? "";
    expect(await beforeDeletion(kept, contextOf(other))).toBeUndefined();
    expect(leader()).toBe(first);
    expect(await beforeDeletion(kept, contextOf(first))).toBeUndefined();
    expect(leader()).not.toBe(first);
    expect(leader()).not.toBe("");
  });

  it("looks at the cluster once in a reconcile, and again after it has changed something there", async () => {
    const looks = async (work: (context: ReturnType<typeof contextOf>) => Promise<unknown>): Promise<number> => {
      let lists = 0;
      const list: Client["list"] = (kind, ...more) => {
        if (kind.kind === NodeResource.kind) lists += 1;
        return servers.client.list(kind, ...more);
      };
      const client: Client = { ...gatedClient(servers.client, new CallGate()), list };
      await work({ ...contextOf(leader()), workload: () => Promise.resolve(client) });
      return lists;
    };
    const twice = looks(async (context) => {
      await beforeRemediation(kept, context);
      await beforeRemediation(kept, context);
    });
    expect(await twice).toBe(1);
    // The second look finds another leader.
    const changed = looks(async (context) => {
      await beforeDeletion(kept, context);
      await beforeRemediation(kept, context);
    });
    expect(await changed).toBe(2);
  });

  it("is taken out of external load balancers", async () => {
    await leaveLoadBalancers(contextOf("two"));
    const node = await servers.client.get(NodeResource, { name: "node-two" });
    expect(node.metadata.labels).toMatchObject({ "node.kubernetes.io/exclude-from-external-load-balancers": "true" });
  });

  it("stays while too many members of etcd belong to no server", async () => {
    const strays = ["of-no-server", "nor-this"].map((name) => {
      const { id } = servers.etcd.add(name, "192.0.2.9");
      servers.etcd.started(id, () => undefined);
      return id;
    });
    const last = names.find((name) => name !== leader() && name !== "one") ?? "";
    expect(await leaveEtcd(kept, contextOf(last))).toMatchObject({
      reason: "WaitingForQuorum",
      message: expect.stringMatching(/etcd would lose quorum|another etcd member is being removed/),
    });
    for (const id of strays) servers.etcd.remove(id);
  });

  it("takes back its request to leave when another is lost, which can be replaced then", async () => {
    const [lost = "", leaving = ""] = names;
    await servers.fail(machineOf(lost));
    // Its kubelet works, so that only etcd can tell.
    await servers.reach(machineOf(lost), true);
    const remove = "etcd.rke2.cattle.io/remove";
    const body = { metadata: { annotations: { [remove]: "true" } } };
    await servers.client.patch(NodeResource, { name: `node-${leaving}` }, { type: "merge", body });
    expect(await beforeRemediation(kept, contextOf(lost))).toEqual(["another etcd member is being removed"]);
    expect(await leaveEtcd(kept, contextOf(leaving))).toMatchObject({
      reason: "WaitingForQuorum",
      message: expect.stringContaining("etcd would lose quorum"),
    });
    const { metadata } = await servers.client.get(NodeResource, { name: `node-${leaving}` });
    expect(metadata.annotations).not.toHaveProperty([remove]);
    expect(await beforeRemediation(kept, contextOf(lost))).toEqual([]);
  });
});
