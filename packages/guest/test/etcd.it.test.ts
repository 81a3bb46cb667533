import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import {
  caCertHashes,
  createCertificateAuthority,
  createServiceAccountKeys,
  issueCertificate,
  type CertificateAndKey,
} from "@capstan/pki";
import { resource, type KubeObject } from "@capstan/schema";
import { forwardTcp, type TcpForward } from "@capstan/simulation/network";
import { fakeClock, freePort, seededRandom } from "@capstan/testing";
import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EtcdClient } from "../src/etcd.ts";
import { readSnapshot, withMember } from "@capstan/kit/control-plane";
import { createGuestHost, type GuestEtcd, type GuestHost } from "../src/index.ts";
import { forwardedEtcd } from "./forwarded-etcd.ts";
import { administrator, authorityFiles, initData, joinData, putToken, type File } from "./machines.ts";

const Pod = resource({ group: "", version: "v1", kind: "Pod", plural: "pods" });
const ConfigMap = resource({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps" });
const namespace = "kube-system";
const day = 86_400_000;
const clock = fakeClock({ now: Date.now() - 30 * day });

const nodes = ["cp-0", "cp-1", "cp-2"];
const addressOf = (node: string): string => `127.0.0.${2 + Number(node.slice(-1))}`;
const token = "abcdef.0123456789abcdef";

describe("the etcd of three control planes", () => {
  const directory = mkdtempSync(join(tmpdir(), "capstan-guest-etcd-"));
  const newHost = (): GuestHost => createGuestHost({ clock, random: seededRandom(9), directory, lenient: true });
  let host = newHost();
  let port: number;
  let endpoint: string;
  let balancer: TcpForward;
  let authority: CertificateAndKey;
  let etcdAuthority: CertificateAndKey;
  let files: readonly File[];
  let admin: Awaited<ReturnType<typeof administrator>>;
  let manager: CertificateAndKey;
  const clients = new Map<string, EtcdClient>();

  const boot = async (node: string, afterwards = "true"): Promise<string> => {
    let over = false;
    const address = addressOf(node);
    const [hash = ""] = caCertHashes(authority.certificate);
    const userData =
      node === "cp-0"
        ? initData(files, { port, endpoint, version: "v1.36.0" })
        : joinData({ endpoint, token, hash, controlPlanePort: port, afterwards }, files);
    const request = { id: node, metadata: { "local-hostname": node }, userData, address, providerID: `test://${node}` };
    void host.boot(request).then(() => (over = true));
    await clock.advanceUntil(() => over, { stepMs: 100, maxMs: 900_000 });
    return host.console(node);
  };
  const portOf = (node: string, to = 2379): Promise<Duplex> =>
    admin.client.forward({ namespace, name: `etcd-${node}` }, to);
  const clientOf = async (node: string, client = manager): Promise<EtcdClient> => {
    const made = await forwardedEtcd({ client: admin.client, node }, { authority: etcdAuthority.certificate, client });
    clients.get(node)?.close();
    clients.set(node, made);
    return made;
  };
  const call = async (node: string, method: string, request?: object) =>
    await (clients.get(node) ?? (await clientOf(node))).call(method, request);
  const memberOf = (node: string): GuestEtcd => {
    const member = host.etcd(node);
    if (member === undefined) throw new Error(`${node} has no member of etcd`);
    return member;
  };
  const membersBy = async (node: string) => {
    const { members } = await call(node, "Cluster/MemberList", { linearizable: true });
    return (members as readonly { readonly name: string }[]).map(({ name }) => name);
  };
  const leaderBy = async (node: string) => (await call(node, "Maintenance/Status"))["leader"];
  const isReady = async (node: string): Promise<boolean> => {
    const pod = await admin.client.get<KubeObject>(Pod, { namespace, name: `etcd-${node}` });
    const { conditions } = pod["status"] as { readonly conditions: readonly { type: string; status: string }[] };
    return conditions.some(({ type, status: value }) => type === "Ready" && value === "True");
  };

  beforeAll(async () => {
    port = await freePort();
    endpoint = `127.0.0.1:${await freePort()}`;
    balancer = await forwardTcp({ host: "127.0.0.1", port: Number(endpoint.split(":")[1]) }, () =>
      nodes.map((node) => ({ host: addressOf(node), port })),
    );
    const now = clock.now();
    authority = await createCertificateAuthority({ now });
    etcdAuthority = await createCertificateAuthority({ now });
    const keys = await createServiceAccountKeys();
    files = [
      ...authorityFiles(authority),
      ...authorityFiles(etcdAuthority, "etcd/ca"),
      ...authorityFiles(await createCertificateAuthority({ now }), "front-proxy-ca"),
      { path: "/etc/kubernetes/pki/sa.pub", content: keys.publicKey },
      { path: "/etc/kubernetes/pki/sa.key", content: keys.privateKey },
    ];
    manager = await issueCertificate(etcdAuthority, { now, commonName: "manager", usages: ["client"] });
    expect(await boot("cp-0")).toContain("initialized successfully");
    admin = await administrator(authority, endpoint, clock);
    await putToken(admin.client, token, clock.now() + day);
    for (const node of ["cp-1", "cp-2"]) expect(await boot(node)).toContain("has joined the cluster");
  });
  afterAll(async () => {
    for (const client of clients.values()) client.close();
    await admin.close();
    await host.stop();
    await balancer.close();
    rmSync(directory, { recursive: true });
  });

  it("has a member on each machine, which each of them reports", async () => {
    for (const node of nodes) {
      const { header, members } = await call(node, "Cluster/MemberList");
      expect(header).toMatchObject({ memberId: memberOf(node).id });
      expect(members).toEqual(
        nodes.map((name) => ({
          ID: memberOf(name).id,
          name,
          peerURLs: [`https://${addressOf(name)}:2380`],
          clientURLs: [`https://${addressOf(name)}:2379`],
          isLearner: false,
        })),
      );
      const { leader, errors } = await call(node, "Maintenance/Status");
      expect({ leader, errors }).toEqual({ leader: memberOf("cp-0").id, errors: [] });
    }
    expect(new Set(nodes.map((node) => memberOf(node).id)).size).toBe(3);
  });

  it("shows a Pod for each, as kubeadm's", async () => {
    const { items } = await admin.client.list<KubeObject>(Pod, { namespace, labelSelector: "component=etcd" });
    expect(items.map(({ metadata }) => [metadata.name, metadata.labels])).toEqual(
      nodes.map((node) => [`etcd-${node}`, { component: "etcd", tier: "control-plane" }]),
    );
    for (const node of nodes) expect(await isReady(node)).toBe(true);
  });

  it("does not answer those whom another authority has signed", async () => {
    const stranger = await issueCertificate(authority, { now: clock.now(), commonName: "manager", usages: ["client"] });
    const client = await forwardedEtcd(
      { client: admin.client, node: "cp-0" },
      { authority: etcdAuthority.certificate, client: stranger },
    );
    await expect(client.call("Cluster/MemberList")).rejects.toMatchObject({ code: status.UNAVAILABLE });
    client.close();
  });

  it("reports in the words of a runtime that nobody listens on a port", async () => {
    await expect(text(await portOf("cp-0", 2380))).rejects.toThrow(/127\.0\.0\.1:2380.*connection refused/);
  });

  it("is not reached by API servers that may not ask kubelets", async () => {
    const path = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    const name = "kubeadm:apiserver-kubelet-client";
    const { client } = admin;
    const { apiVersion, kind, roleRef, subjects } = await client.request<KubeObject>({
      method: "GET",
      path: `${path}/${name}`,
    });
    await client.request({ method: "DELETE", path: `${path}/${name}` });
    await expect(portOf("cp-1").then(text)).rejects.toThrow(
      /Forbidden \(user=kube-apiserver-kubelet-client, verb=create, resource=nodes, subresource\(s\)=\[proxy\]\)/,
    );
    const body = { apiVersion, kind, metadata: { name }, roleRef, subjects };
    await client.request({ method: "POST", path, body });
    expect(await membersBy("cp-1")).toEqual(nodes);
  });

  it("hands leadership over at the leader alone, to a member", async () => {
    const to = { targetID: memberOf("cp-2").id };
    const notAllowed = (details: string) => ({ code: status.FAILED_PRECONDITION, details });
    const move = (node: string, request: object) => call(node, "Maintenance/MoveLeader", request);
    await expect(move("cp-1", to)).rejects.toMatchObject(notAllowed("etcdserver: not leader"));
    await expect(move("cp-0", { targetID: "1" })).rejects.toMatchObject(
      notAllowed("etcdserver: bad leader transferee"),
    );
    await move("cp-0", to);
    for (const node of nodes) expect(await leaderBy(node)).toBe(to.targetID);
  });

  it("goes on after a restart of the machines, with the same members", async () => {
    const before = nodes.map((node) => memberOf(node).id);
    await host.stop();
    for (const [node, client] of clients) {
      client.close();
      clients.delete(node);
    }
    host = newHost();
    for (const node of nodes) await boot(node);
    expect(nodes.map((node) => memberOf(node).id)).toEqual(before);
    expect(await membersBy("cp-1")).toEqual(nodes);
    expect(before).toContain(await leaderBy("cp-1"));
  });

  it("elects another leader when the first is down", async () => {
    expect(await leaderBy("cp-1")).toBe(memberOf("cp-0").id);
    memberOf("cp-0").stop();
    expect(await leaderBy("cp-1")).toBe(memberOf("cp-1").id);
    await expect.poll(() => isReady("cp-0")).toBe(false);
    memberOf("cp-0").start();
    await expect.poll(() => isReady("cp-0")).toBe(true);
    await clientOf("cp-0");
    expect(await leaderBy("cp-0")).toBe(memberOf("cp-1").id);
  });

  it("answers with a snapshot of all that the API servers keep, and is smaller once defragmented", async () => {
    const way = { workload: admin.client, authority: etcdAuthority, clock, signal: new AbortController().signal };
    await withMember(way, "cp-1", async (client) => {
      const pieces: Buffer[] = [];
      for await (const piece of client.snapshot()) pieces.push(piece);
      const snapshot = Buffer.concat(pieces);
      const found = readSnapshot(snapshot);
      const present = new Map<string, string>();
      for await (const { key, value } of client.keys("/registry/")) present.set(key, value.toString());
      expect(new Map([...found].map(([key, { value }]) => [key, value.toString()]))).toEqual(present);
      expect(present.get("/registry/minions/cp-1")).toContain('"kind":"Node"');
      const before = await client.status();
      expect(before).toMatchObject({ id: BigInt(memberOf("cp-1").id), version: "3.6.4", learner: false, errors: [] });
      await client.defragment();
      const { inUse, size } = await client.status();
      expect(size).toBeLessThan(before.size);
      expect(size).toBe(inUse);
    });
  });

  it("takes keys that were deleted back, as the API servers show", async () => {
    const way = { workload: admin.client, authority: etcdAuthority, clock, signal: new AbortController().signal };
    const name = "kept";
    const key = `/registry/configmaps/${namespace}/${name}`;
    const made = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data: { one: "1" } };
    const { metadata } = await admin.client.create(ConfigMap, made);
    await withMember(way, "cp-1", async (client) => {
      const keys = new Map<string, Buffer>();
      for await (const each of client.keys(key)) keys.set(each.key, each.value);
      await admin.client.delete(ConfigMap, { namespace, name });
      await client.put(key, keys.get(key) ?? Buffer.alloc(0));
      const back = await admin.client.get(ConfigMap, { namespace, name });
      expect(back).toMatchObject({ metadata: { uid: metadata.uid }, data: { one: "1" } });
      await client.delete(key);
      expect(await admin.client.find(ConfigMap, { namespace, name })).toBeUndefined();
    });
  });

  it("reports alarms", async () => {
    memberOf("cp-2").setAlarm("NOSPACE", true);
    const alarms = [{ memberID: memberOf("cp-2").id, alarm: "NOSPACE" }];
    expect(await call("cp-0", "Maintenance/Alarm", { action: "GET" })).toMatchObject({ alarms });
    expect(await call("cp-0", "Maintenance/Status")).toMatchObject({ errors: [expect.stringContaining("NOSPACE")] });
    const put = () => call("cp-0", "KV/Put", { key: Buffer.from("alarmed"), value: Buffer.from("1") });
    await expect(put()).rejects.toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
      details: "etcdserver: mvcc: database space exceeded",
    });
    await call("cp-0", "Maintenance/Alarm", { action: "DEACTIVATE", ...alarms[0] });
    expect(await call("cp-0", "Maintenance/Status")).toMatchObject({ errors: [] });
    memberOf("cp-2").setAlarm("CORRUPT", true);
    const range = call("cp-0", "KV/Range", { key: Buffer.from("alarmed") });
    await expect(range).rejects.toMatchObject({ code: status.DATA_LOSS, details: "etcdserver: corrupt cluster" });
    memberOf("cp-2").setAlarm("CORRUPT", false);
  });

  it("is compacted to a revision once", async () => {
    const { header } = await call("cp-0", "Maintenance/Status");
    const { revision } = header as { readonly revision: string };
    await call("cp-1", "KV/Compact", { revision, physical: true });
    await expect(call("cp-2", "KV/Compact", { revision })).rejects.toMatchObject({
      code: status.OUT_OF_RANGE,
      details: "etcdserver: mvcc: required revision has been compacted",
    });
    await expect(call("cp-2", "KV/Compact", { revision: String(Number(revision) + 1) })).rejects.toMatchObject({
      details: "etcdserver: mvcc: required revision is a future revision",
    });
  });

  it("removes a member, whose process ends", async () => {
    const removed = memberOf("cp-0").id;
    await call("cp-1", "Cluster/MemberRemove", { ID: removed });
    expect(await membersBy("cp-1")).toEqual(["cp-1", "cp-2"]);
    const again = call("cp-1", "Cluster/MemberRemove", { ID: removed });
    await expect(again).rejects.toMatchObject({ code: status.NOT_FOUND, details: "etcdserver: member not found" });
    await expect.poll(() => isReady("cp-0")).toBe(false);
    await expect(text(await portOf("cp-0"))).rejects.toThrow("connection refused");
    memberOf("cp-0").start();
    expect(host.console("cp-0")).toContain("permanently removed from the cluster");
    expect(memberOf("cp-0").isRunning).toBe(false);
  });

  it("changes nothing without a majority", async () => {
    memberOf("cp-1").stop();
    expect(await call("cp-2", "Maintenance/Status")).toMatchObject({ leader: "0", errors: ["etcdserver: no leader"] });
    const noLeader = { code: status.UNAVAILABLE, details: "etcdserver: no leader" };
    await expect(membersBy("cp-2")).rejects.toMatchObject(noLeader);
    await expect(call("cp-2", "Cluster/MemberRemove", { ID: memberOf("cp-1").id })).rejects.toMatchObject(noLeader);
    expect((await call("cp-2", "Cluster/MemberList"))["members"]).toHaveLength(2);
    memberOf("cp-1").start();
    expect(await membersBy("cp-2")).toEqual(["cp-1", "cp-2"]);
  });

  it("is left by a machine that is reset", async () => {
    const said = await boot("cp-3", "kubeadm reset --force");
    expect(said).toContain("Announced new etcd member");
    expect(said).toContain("Removed the member from etcd");
    expect(await membersBy("cp-1")).toEqual(["cp-1", "cp-2"]);
    expect(
      host
        .disk("cp-3")
        ?.paths()
        .filter((path) => path.startsWith("/etc/kubernetes/")),
    ).toEqual([]);
  });
});
