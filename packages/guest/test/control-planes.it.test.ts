import {
  caCertHashes,
  createCertificateAuthority,
  createServiceAccountKeys,
  type CertificateAndKey,
} from "@capstan/pki";
import { resource, type KubeObject } from "@capstan/schema";
import { forwardTcp, type TcpAddress, type TcpForward } from "@capstan/simulation/network";
import { freePort, recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGuestHost } from "../src/index.ts";
import { administrator, authorityFiles, initData, joinData, putToken, type File } from "./machines.ts";

const Node = resource({ group: "", version: "v1", kind: "Node", plural: "nodes", namespaced: false });
const Pod = resource({ group: "", version: "v1", kind: "Pod", plural: "pods" });

const day = 86_400_000;
const clock = recentClock();
const externalEtcd = { external: { endpoints: ["https://192.0.2.1:2379"] } };

describe("a cluster of several control planes behind one endpoint", () => {
  const host = createGuestHost({ clock, random: seededRandom(5), lenient: true });
  const members: TcpAddress[] = [];
  let port: number;
  let balancer: TcpForward;
  let endpoint: string;
  let files: readonly File[];
  let authority: CertificateAndKey;
  let admin: Awaited<ReturnType<typeof administrator>>;

  const boot = async (id: string, address: string, userData: string): Promise<string> => {
    let over = false;
    members.push({ host: address, port });
    const metadata = { "local-hostname": id };
    void host.boot({ id, metadata, userData, address, providerID: `example://${id}` }).then(() => (over = true));
    await clock.advanceUntil(() => over, { stepMs: 100, maxMs: 900_000 });
    return host.console(id);
  };
  const join = () => {
    const [hash = ""] = caCertHashes(authority.certificate);
    return { endpoint, token: "abcdef.0123456789abcdef", hash, controlPlanePort: port };
  };

  beforeAll(async () => {
    port = await freePort();
    const balanced = await freePort();
    endpoint = `127.0.0.1:${balanced}`;
    balancer = await forwardTcp({ host: "127.0.0.1", port: balanced }, () => members);
    authority = await createCertificateAuthority({ now: clock.now() });
    const keys = await createServiceAccountKeys();
    files = [
      ...authorityFiles(authority),
      ...authorityFiles(await createCertificateAuthority({ now: clock.now() }), "front-proxy-ca"),
      { path: "/etc/kubernetes/pki/sa.pub", content: keys.publicKey },
      { path: "/etc/kubernetes/pki/sa.key", content: keys.privateKey },
    ];
    // No one is there at first: what is refused is passed over.
    members.push({ host: "127.0.0.9", port });
    const said = await boot("cp-0", "127.0.0.2", initData(files, { port, endpoint, etcd: externalEtcd }));
    expect(said).toContain("initialized successfully");
    admin = await administrator(authority, endpoint, clock);
    await putToken(admin.client, "abcdef.0123456789abcdef", clock.now() + day);
  });
  afterAll(async () => {
    await admin.close();
    await balancer.close();
    await host.stop();
  });

  const staticPods = async (node: string): Promise<readonly (readonly [string | undefined, unknown])[]> =>
    (await admin.client.list<KubeObject>(Pod, { namespace: "kube-system" })).items
      .filter(({ spec }) => (spec as { nodeName?: string }).nodeName === node)
      .map(({ metadata, status }) => [metadata.name, (status as { phase?: string }).phase]);
  const podsOf = (node: string) =>
    ["kube-apiserver", "kube-controller-manager", "kube-scheduler"].map((name) => [`${name}-${node}`, "Running"]);

  it("is joined by another with the certificates on its disk", async () => {
    expect(await boot("cp-1", "127.0.0.3", joinData(join(), files))).toContain("This node has joined the cluster");
    expect(await admin.client.get(Node, { name: "cp-1" })).toMatchObject({
      metadata: { labels: { "node-role.kubernetes.io/control-plane": "" } },
      spec: { taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }] },
    });
  });

  it("is not joined by one without them", async () => {
    const said = await boot("cp-2", "127.0.0.4", joinData(join(), files.slice(0, 2)));
    expect(said).toContain("one or more files required for a new control plane are missing");
    expect(await admin.client.find(Node, { name: "cp-2" })).toBeUndefined();
  });

  it("shows the static Pods of each", async () => {
    for (const node of ["cp-0", "cp-1"]) expect(await staticPods(node)).toEqual(podsOf(node));
  });

  it("goes on when the first is gone, whose Pods go with its Node", async () => {
    await host.shutdown("cp-0");
    // Connections to it broke; new ones go to the other.
    const read = () => admin.client.find(Node, { name: "cp-0" }).catch(() => undefined);
    await clock.advanceUntil(async () => (await read()) !== undefined, { stepMs: 100 });
    await admin.client.delete(Node, { name: "cp-0" });
    await clock.advanceUntil(async () => (await staticPods("cp-0")).length === 0, { stepMs: 100 });
    expect(await staticPods("cp-1")).toEqual(podsOf("cp-1"));
  });
});
