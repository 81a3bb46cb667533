import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SimulationOutsideV1 } from "@capstan/contract/v1";
import { ConfigMapResource } from "@capstan/contract/wire";
import type { GuestHost } from "@capstan/guest";
import { createSimulation } from "@capstan/sim-linode";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EtcdRequest } from "../src/etcd/etcd-command.ts";
import { performEtcd } from "../src/etcd/run-etcd.ts";
import { workloadClient } from "./workload-client.ts";
import { example, startTestSystemOn, type TestSystem } from "./test-system.ts";

type Action = EtcdRequest extends infer R ? (R extends EtcdRequest ? Omit<R, keyof typeof target> : never) : never;

const target = {
  cluster: "orchid",
  namespace: undefined,
  kubeconfig: undefined,
  context: undefined,
  dataDir: undefined,
} as const;

describe("capstan etcd", () => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-etcd-"));
  let system: TestSystem;
  let guests: GuestHost | undefined;

  const etcd = async (
    action: Action,
    cluster = "orchid",
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const said: string[] = [];
    const { client } = system.running;
    const session = { client, namespace: "default", signal: new AbortController().signal };
    let outcome: { readonly status?: number; readonly error?: unknown } | undefined;
    void performEtcd({ ...target, ...action, cluster }, session, {
      clock: system.clock,
      write: (text) => void said.push(text),
    }).then(
      (status) => (outcome = { status }),
      (error: unknown) => (outcome = { error }),
    );
    await system.until(() => outcome !== undefined);
    if (outcome?.error !== undefined) throw outcome.error;
    return { status: outcome?.status ?? -1, text: said.join("") };
  };

  beforeAll(async () => {
    const cloud = {
      linode: (outside: SimulationOutsideV1) =>
        createSimulation({ ...outside, guest: (name) => (guests = outside.guest(name) as GuestHost) }),
    };
    system = await startTestSystemOn(cloud, readFileSync(example, "utf8"));
    await system.untilRunning();
  });

  afterAll(async () => {
    await system[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  it("members shows where each runs, which leads, and the quorum", async () => {
    const { status, text } = await etcd({ action: "members", output: "text" });
    expect(text).toMatch(/^ID +NODE +MACHINE +ROLE +VERSION +SIZE +IN USE +STATE\n/);
    expect(text).toMatch(/ (orchid-control-plane-\S+) +\1 +leader +3\.6\.4 .* healthy\n/);
    expect(text).toContain("1 of 1 voting members are healthy, 1 required; orchid-control-plane-");
    expect(status).toBe(0);
    const { text: json } = await etcd({ action: "members", output: "json" });
    expect(JSON.parse(json)).toMatchObject({
      quorum: { voting: 1, healthy: 1, needed: 1 },
      members: [{ leader: true, voting: true, alarms: [] }],
    });
  });

  it("snapshot writes a file for its owner alone", async () => {
    const file = join(folder, "orchid.db");
    const { text } = await etcd({ action: "snapshot", file, node: undefined });
    expect(text).toMatch(/^saved .*orchid\.db, \d+ bytes from the member on orchid-control-plane-/);
    expect(readFileSync(file).includes("/registry/minions/orchid-control-plane-")).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(etcd({ action: "snapshot", file, node: "elsewhere" })).rejects.toMatchObject({
      code: "etcd.refused",
      message: expect.stringMatching(
        /no member of etcd is on Node elsewhere; there are members on orchid-control-plane-/,
      ),
    });
  });

  it("defrag of the only member has to be forced", async () => {
    await expect(etcd({ action: "defrag", node: undefined, force: false })).rejects.toMatchObject({
      code: "etcd.refused",
      message: expect.stringContaining("it is the only member, and the cluster stands still meanwhile; --force"),
    });
    const { text } = await etcd({ action: "defrag", node: undefined, force: true });
    expect(text).toMatch(/^orchid-control-plane-\S+ defragmented: \d+ bytes before, 20480 after\n$/);
  });

  it("defrag makes room in a full database and ends its alarm", async () => {
    const ids = system.simulator.state.instances.map(({ id }) => String(id));
    const [member] = ids.flatMap((id) => guests?.etcd(id) ?? []);
    member?.setAlarm("NOSPACE", true);
    const { status, text: before } = await etcd({ action: "members", output: "text" });
    expect(before).toMatch(/ alarm NOSPACE\n/);
    expect(status).toBe(1);
    // Again, when nothing was written since.
    for (const isOn of [true, true]) {
      member?.setAlarm("NOSPACE", isOn);
      const { text } = await etcd({ action: "defrag", node: undefined, force: true });
      expect(text).toMatch(/ defragmented: \d+ bytes before, 20480 after, alarm NOSPACE ended\n$/);
    }
    expect((await etcd({ action: "members", output: "text" })).status).toBe(0);
    member?.setAlarm("CORRUPT", true);
    await expect(etcd({ action: "defrag", node: undefined, force: true })).rejects.toMatchObject({
      message: expect.stringContaining("it has the alarm CORRUPT"),
    });
    member?.setAlarm("CORRUPT", false);
  });

  it("restore shows what it would write, writes it with --yes, and takes no snapshot of another cluster", async () => {
    const file = join(folder, "before.db");
    const { client: workload, close } = await workloadClient(system.running.client, "orchid");
    const key = { namespace: "default", name: "precious" };
    const data = { gold: "1 kg" };
    await workload.create(ConfigMapResource, { apiVersion: "v1", kind: "ConfigMap", metadata: key, data });
    await etcd({ action: "snapshot", file, node: undefined });
    await workload.delete(ConfigMapResource, key);
    const later = { namespace: "default", name: "later" };
    await workload.create(ConfigMapResource, { apiVersion: "v1", kind: "ConfigMap", metadata: later });
    const { text } = await etcd({ action: "restore", file, yes: false });
    expect(text).toMatch(/^\d+ to write, \d+ to delete, \d+ as they were\n/);
    expect(text).toContain("write  /registry/configmaps/default/precious\n");
    expect(text).toContain("delete /registry/configmaps/default/later\n");
    expect(text).not.toContain("/registry/minions/");
    expect(await workload.find(ConfigMapResource, key)).toBeUndefined();
    expect((await etcd({ action: "restore", file, yes: true })).text).toContain(`restored ${file}`);
    expect((await workload.get(ConfigMapResource, key))["data"]).toEqual(data);
    expect(await workload.find(ConfigMapResource, later)).toBeUndefined();
    await close();
    writeFileSync(file, readFileSync(file).subarray(0, -100));
    await expect(etcd({ action: "restore", file, yes: true })).rejects.toMatchObject({
      code: "etcd.refused",
      message: expect.stringContaining("not a complete etcd snapshot"),
    });
  });

  it("names the Cluster that is not there", async () => {
    await expect(etcd({ action: "members", output: "text" }, "orchit")).rejects.toMatchObject({
      code: "etcd.not_reachable",
      message: expect.stringMatching(/there is no Cluster orchit in namespace default; did you mean orchid\?/),
    });
  });
});
