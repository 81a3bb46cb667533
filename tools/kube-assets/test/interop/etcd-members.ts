import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Label } from "@capstan/contract";
import { createEtcdClient } from "@capstan/guest/etcd";
import { issueCertificate } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { expect } from "vitest";
import { createKubectl } from "../../src/interop/kubectl.ts";
import { KubeadmControlPlane, Machine, SecretResource } from "./objects.ts";
import { eventually, type World } from "./world.ts";

const text = (data: Readonly<Record<string, string>>, key: string): string =>
  Buffer.from(data[key] ?? "", "base64").toString();

/** Names of the members, as one of them tells: through the workload cluster's API server, with etcd's own authority. */
const membersAt = async (world: World, cluster: string, node: string): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-interop-etcd-"));
  const secret = async (suffix: string) => (await world.get(SecretResource, `${cluster}-${suffix}`)).data;
  const kubectl = createKubectl(world.kubeAssets, text(await secret("kubeconfig"), "value"), folder);
  const etcd = await secret("etcd");
  const authority = { certificate: text(etcd, "tls.crt"), key: text(etcd, "tls.key") };
  const now = systemClock.now();
  const client = await issueCertificate(authority, { now, commonName: "interop", usages: ["client"] });
  const forwarded = await kubectl.forward({ namespace: "kube-system", name: `pod/etcd-${node}`, port: 2379 });
  const member = createEtcdClient({ port: forwarded.port, authority: authority.certificate, client });
  try {
    const { members } = await member.call("Cluster/MemberList", { linearizable: true });
    return (members as readonly { readonly name: string }[]).map(({ name }) => name).toSorted();
  } finally {
    member.close();
    await forwarded.stop();
    rmSync(folder, { recursive: true });
  }
};

/** Resolves when each member of etcd reports exactly those on the Nodes of the control plane's Machines, of which there are `count`. */
export const untilEtcdMatches = (world: World, cluster: string, count: number): Promise<void> =>
  eventually(async () => {
    const machines = (await world.list(Machine)).filter(({ metadata }) => Label.controlPlane in metadata.labels);
    const nodes = machines.map(({ status }): string => status.nodeRef.name).toSorted();
    expect(nodes).toHaveLength(count);
    for (const node of nodes) expect(await membersAt(world, cluster, node)).toEqual(nodes);
    const { status } = await world.get(KubeadmControlPlane, cluster);
    const healthy = status.conditions.find(({ type }: { readonly type: string }) => type === "EtcdClusterHealthy");
    expect(healthy).toMatchObject({ status: "True" });
  });
