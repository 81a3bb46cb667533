import { KThreesControlPlane, RKE2ControlPlane } from "@capstan/controlplane-rke2-k3s/api";
import { readFileSync } from "node:fs";
import { MachineResource } from "@capstan/contract/wire";
import { MachineDeployment } from "@capstan/core/api";
import { apiVersionOf, resource } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RolloutOptions } from "../src/rollout/rollout-options.ts";
import { performRollout } from "../src/rollout/run-rollout.ts";
import { example, startTestSystem, type TestSystem } from "./test-system.ts";

const Templates = resource({
  group: "infrastructure.cluster.x-k8s.io",
  version: "v1alpha2",
  kind: "LinodeMachineTemplate",
  plural: "linodemachinetemplates",
});

const name = "orchid-workers";
const replicas = 2;
const target = {
  kind: "machinedeployment",
  name,
  namespace: "default",
  kubeconfig: undefined,
  context: undefined,
  dataDir: undefined,
} as const;
type Action = RolloutOptions extends infer O
  ? O extends RolloutOptions
    ? Omit<O, keyof typeof target>
    : never
  : never;

describe("capstan rollout", () => {
  let system: TestSystem;

  const rollout = async (action: Action): Promise<{ readonly status: number; readonly lines: readonly string[] }> => {
    const lines: string[] = [];
    const { client } = system.running;
    const signal = new AbortController().signal;
    const options = { ...target, ...action } as RolloutOptions;
    let outcome: { readonly status?: number; readonly error?: unknown } | undefined;
    void performRollout(options, { client, clock: system.clock, signal, write: (line) => void lines.push(line) }).then(
      (status) => (outcome = { status }),
      (error: unknown) => (outcome = { error }),
    );
    await system.until(() => outcome !== undefined);
    if (outcome?.error !== undefined) throw outcome.error;
    return { status: outcome?.status ?? -1, lines };
  };

  const deployment = (): Promise<MachineDeployment> =>
    system.running.client.get(MachineDeployment, { namespace: "default", name });

  const workers = async (): Promise<readonly string[]> =>
    (await system.running.client.list(MachineResource, { namespace: "default" })).items
      .map((machine) => machine.metadata.name ?? "")
      .filter((machine) => machine.startsWith(name));

  const change = (spec: object) =>
    system.running.client.patch(MachineDeployment, { namespace: "default", name }, { type: "merge", body: { spec } });

  const watched = { action: "status", output: "text", watch: true, timeoutMs: 0 } as const;

  beforeAll(async () => {
    system = await startTestSystem(readFileSync(example, "utf8").replace("replicas: 3", `replicas: ${replicas}`));
    await system.untilRunning();
    await rollout(watched);
  });

  afterAll(() => system[Symbol.asyncDispose]());

  it("restart replaces every Machine, and status shows it until it is over", async () => {
    const before = await workers();
    expect((await rollout({ action: "restart" })).lines).toEqual([`machinedeployment/${name} restarted`]);
    expect((await rollout({ ...watched, watch: false })).status).toBe(1);
    const { status, lines } = await rollout(watched);
    expect({ status, last: lines.at(-1) }).toEqual({
      status: 0,
      last: `machinedeployment/${name} is rolled out: ${replicas} replicas`,
    });
    expect(lines.length).toBeGreaterThan(3);
    const after = await workers();
    expect(after).toHaveLength(replicas);
    expect(after.filter((machine) => before.includes(machine))).toEqual([]);
  });

  it("undo returns to what was before, also after that is gone", async () => {
    const original = (await deployment()).spec.template.spec;
    await change({ template: { spec: { version: "v1.35.5" } } });
    expect((await rollout(watched)).status).toBe(0);
    const { lines } = await rollout({ action: "history", output: "text" });
    expect(lines[0]).toMatch(/^REVISION +SINCE +VERSION +BOOTSTRAP +INFRASTRUCTURE/);
    expect(lines.at(-1)).toMatch(/^3 \(current\) .* v1\.35\.5 +KubeadmConfigTemplate\//);
    expect((await rollout({ action: "undo", toRevision: undefined })).lines.join()).toMatch(
      /rolled back to revision 2$/,
    );
    expect((await rollout(watched)).status).toBe(0);
    expect((await deployment()).spec.template.spec).toEqual(original);
    const entries = (await rollout({ action: "history", output: "json" })).lines.map((line) => JSON.parse(line));
    expect(entries.map(({ revision, template }) => [revision, template.version])).toEqual([
      [3, "v1.35.5"],
      [4, original.version],
    ]);
  });

  it("pause and resume", async () => {
    expect((await rollout({ action: "pause" })).lines).toEqual([`machinedeployment/${name} paused`]);
    expect((await rollout({ action: "pause" })).lines.join()).toContain("already");
    await change({ template: { spec: { version: "v1.35.6" } } });
    await system.quiet();
    const { status, lines } = await rollout(watched);
    expect({ status, text: lines.at(-1) }).toMatchObject({
      status: 1,
      text: expect.stringMatching(/is paused with 0 of 2/),
    });
    await expect(rollout({ action: "restart" })).rejects.toThrow("is paused; run capstan rollout resume");
    await expect(rollout({ action: "undo", toRevision: undefined })).rejects.toThrow("capstan rollout resume");
    await change({ template: { spec: { version: "v1.35.4" } } });
    expect((await rollout({ action: "resume" })).lines).toEqual([`machinedeployment/${name} resumed`]);
    expect((await rollout(watched)).status).toBe(0);
  });

  it("says what is wrong", async () => {
    await expect(rollout({ ...watched, name: "nobody" } as Action)).rejects.toThrow(
      "there is no MachineDeployment nobody in namespace default",
    );
    const history = (await rollout({ action: "history", output: "json" })).lines;
    const present = (JSON.parse(history.at(-1) ?? "{}") as { readonly revision: number }).revision;
    await expect(rollout({ action: "undo", toRevision: present })).rejects.toThrow(`is already at revision ${present}`);
    await expect(rollout({ action: "undo", toRevision: 77 })).rejects.toThrow(
      /has no revision 77; it has revisions? \d/,
    );
    await change({ rollout: { after: "2099-01-01T00:00:00Z" } });
    await expect(rollout({ action: "restart" })).rejects.toThrow(
      "is already scheduled to be replaced at 2099-01-01T00:00:00Z",
    );
    await change({ rollout: { after: null } });
    const { infrastructureRef } = (await deployment()).spec.template.spec;
    const { client } = system.running;
    const copied = await client.get(Templates, { namespace: "default", name: infrastructureRef.name });
    await client.create(Templates, { ...copied, metadata: { name: "other", namespace: "default" } });
    await change({ template: { spec: { infrastructureRef: { ...infrastructureRef, name: "other" } } } });
    await system.until(
      async () => (await rollout({ action: "history", output: "text" })).lines.at(-1)?.includes("/other") === true,
    );
    await client.delete(Templates, { namespace: "default", name: infrastructureRef.name });
    await expect(rollout({ action: "undo", toRevision: undefined })).rejects.toThrow("which no longer exists");
  });

  it("knows of control planes what their kinds can do", async () => {
    const { client } = system.running;
    const metadata = { namespace: "default", name: "servers" };
    const template = { apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha2", kind: Templates.kind, name: "servers" };
    const at = (kind: RolloutOptions["kind"], action: Action) =>
      rollout({ ...action, kind, name: metadata.name } as unknown as Action);
    await client.create(KThreesControlPlane, {
      apiVersion: apiVersionOf(KThreesControlPlane),
      kind: KThreesControlPlane.kind,
      metadata,
      spec: { version: "v1.35.4+k3s1", machineTemplate: { infrastructureRef: template } },
    });
    expect((await at("kthreescontrolplane", { action: "restart" })).lines).toEqual([
      "kthreescontrolplane/servers restarted",
    ]);
    const { spec } = await client.get(KThreesControlPlane, metadata);
    expect(Date.parse(spec?.rolloutAfter ?? "")).toBeLessThanOrEqual(system.clock.now());
    expect((await at("kthreescontrolplane", { action: "pause" })).lines).toEqual([
      "kthreescontrolplane/servers paused",
    ]);
    await client.create(RKE2ControlPlane, {
      apiVersion: apiVersionOf(RKE2ControlPlane),
      kind: RKE2ControlPlane.kind,
      metadata,
      spec: {
        version: "v1.35.4+rke2r1",
        rolloutStrategy: {},
        machineTemplate: {
          spec: { infrastructureRef: { apiGroup: Templates.group, kind: Templates.kind, name: "servers" } },
        },
      },
    });
    await expect(at("rke2controlplane", { action: "restart" })).rejects.toMatchObject({
      code: "rollouts.no_restart",
      message: expect.stringContaining("change its version"),
    });
  });

  it("gives up following after a time", async () => {
    await change({ template: { spec: { failureDomain: "nowhere" } } });
    const { status, lines } = await rollout({ ...watched, output: "json", timeoutMs: 3000 });
    expect(status).toBe(1);
    expect(JSON.parse(lines.at(-1) ?? "{}")).toEqual({ state: "underway", message: "not complete after 3 s" });
  });
});
