import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { crdOf, isKind, type Resource } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterAll, describe, expect, it } from "vitest";
import { clusterAccess } from "../src/cluster/cluster-access.ts";
import { hasOlderName, isRivalOf, leasesOf, type Share } from "../src/cluster/installation.ts";
import type { ManagerOptions } from "../src/cluster/manager-options.ts";
import { createProgram } from "../src/program.ts";
import type { View } from "../src/view/view.ts";
import { createProviders } from "../src/modules/providers.ts";
import { createManagedWorld, managerDefaults, names, nothingOutside, passingOn } from "./managed-world.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-manager-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the command makes of its arguments, or what it says about them. */
const parsed = async (...args: readonly string[]): Promise<ManagerOptions | string> => {
  let options: ManagerOptions | undefined;
  const errors: string[] = [];
  const program = createProgram({
    manager: async (given) => {
      options = given;
      return 0;
    },
    writeError: (text) => void errors.push(text),
  });
  await program.run(["manager", ...args]);
  return options ?? errors.join("");
};

const configFile = (text: string): string => {
  const file = join(folder, "manager.yaml");
  writeFileSync(file, text);
  return file;
};

describe("the flags of capstan manager", () => {
  it("have defaults as upstream's managers", async () => {
    expect(await parsed()).toEqual({
      ...managerDefaults,
      setOptions: [],
      allowedAddresses: [],
      defaultCredentials: { namespaces: [] },
      diagnostics: { host: "127.0.0.1", port: 8443 },
      logLevel: "info",
      notes: [],
    });
  });

  it("may come from a file, and win over it", async () => {
    const file = configFile(
      'providers: [core]\nnamespace: [a, b]\nconcurrency: { Machine: 7, Cluster: 3 }\nsyncPeriod: 1h\nleaderElect: false\ndiagnosticsAddress: "off"\noutput: json\n',
    );
    expect(await parsed("--config", file, "--sync-period", "5m", "--output", "text")).toMatchObject({
      providers: ["core"],
      namespaces: ["a", "b"],
      concurrency: { Machine: 7, Cluster: 3 },
      syncPeriodMs: 300_000,
      leaderElect: false,
      diagnostics: undefined,
      output: "text",
    });
  });

  it("may hold options of providers, which win one by one", async () => {
    const file = configFile(
      "setOption:\n  core: { additionalSyncMachineLabels: [team, a.*] }\n  bootstrap-kubeadm: { tokenTtl: 30m }\n  object-store-s3.maxAttempts: 2\n",
    );
    const given = ["--set-option", "bootstrap-kubeadm.tokenTtl=1h", "--set-option=infra-linode.poll=9s"];
    expect(await parsed("--config", file, ...given)).toMatchObject({
      setOptions: [
        "core.additionalSyncMachineLabels=team",
        "core.additionalSyncMachineLabels=a.*",
        "object-store-s3.maxAttempts=2",
        "bootstrap-kubeadm.tokenTtl=1h",
        "infra-linode.poll=9s",
      ],
    });
  });

  it.each([
    ["provider: core", 'unknown setting "provider"; did you mean providers\\?'],
    ["zebra: 1", 'unknown setting "zebra"; known are .*providers'],
    ["leaderElect: maybe", "leaderElect must be true or false"],
    ["syncPeriod: soon", "syncPeriod: must be a duration"],
    ["output: xml", "output: must be one of text, json"],
    ["- core", "must be a map"],
    ["a: [", "manager.yaml: "],
  ])("name what is wrong in a file with %s", async (text, message) => {
    await expect(parsed("--config", configFile(text))).rejects.toMatchObject({
      code: "manager.config_invalid",
      message: expect.stringMatching(message),
    });
  });

  it.each([
    [["--concurrency", "Machine"], "must be KIND=N"],
    [["--diagnostics-address", "8443"], "must be an address such as"],
    [["--lease-duration", "long"], "must be a duration"],
    [["--set-option", "tokenTtl=1h"], "must be PROVIDER.OPTION=VALUE"],
  ])("are refused: %j", async (args, message) => {
    expect(await parsed(...args)).toContain(message);
  });
});

describe("Leases", () => {
  const all: Share = { namespaces: [] };
  const names = (share: Share, ...providers: string[]): readonly string[] =>
    leasesOf("capstan", providers, share).map(({ name }) => name);

  it("are one for each provider, whatever the list is", () => {
    expect(names(all, "infra-linode", "core")).toEqual(["capstan-core", "capstan-infra-linode"]);
    expect(names(all, "core")).toEqual(["capstan-core"]);
    const shares = [all, { namespaces: ["a"] }, { namespaces: ["b"] }, { namespaces: [], watchFilter: "a" }];
    expect(new Set(shares.flatMap((share) => names(share, "core"))).size).toBe(4);
    expect(names({ namespaces: ["b", "a"] }, "core")).toEqual(names({ namespaces: ["a", "b"] }, "core"));
  });

  it("are rivals when their holders handle some of the same objects with the same provider", () => {
    const isRival = (share: Share, other: Share, provider = "core") =>
      leasesOf("another", [provider], other).some(isRivalOf(["core", "infra-linode"], share));
    expect(isRival(all, all)).toBe(true);
    expect(isRival(all, all, "infra-azure")).toBe(false);
    expect(isRival({ namespaces: ["a", "b"] }, { namespaces: ["b"] })).toBe(true);
    expect(isRival({ namespaces: ["a"] }, { namespaces: ["b"] })).toBe(false);
    expect(isRival({ namespaces: [], watchFilter: "a" }, { namespaces: [], watchFilter: "b" })).toBe(false);
    expect(isRival({ namespaces: [], watchFilter: "a" }, all)).toBe(true);
  });

  it("of older releases are known by the list in their names", () => {
    const isOlder = (name: string, share = all) => hasOlderName(name, ["core", "infra-linode"], share);
    expect(isOlder("capstan-bootstrap-kubeadm-core")).toBe(true);
    expect(isOlder("capstan-infra-azure-infra-linode")).toBe(true);
    for (const other of [
      "capstan",
      "capstan-infra-azure",
      "capstan-hardcore",
      "other-core",
      "capstan-core-0123456789",
    ]) {
      expect(isOlder(other)).toBe(false);
    }
  });
});

interface Said {
  readonly type: string;
  readonly text: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

const recordingView = (): { readonly view: View; readonly events: readonly Said[] } => {
  const events: Said[] = [];
  return { view: { say: (event) => void events.push(event), rows: () => undefined, close: () => undefined }, events };
};

describe("a manager that starts before the definitions", () => {
  it("names those that are missing, waits, and runs once they are there", async () => {
    const clock = recentClock();
    const pass = passingOn(clock, 5);
    await using world = await createManagedWorld({ clock, random: seededRandom(4), pass });
    const { view, events } = recordingView();
    const starting = world.start({ providers: names }, { access: world.adminAccess, view });
    await clock.advanceUntil(() => events.length > 0, { stepMs: 5, maxMs: 60_000 });
    expect(events[0]).toMatchObject({
      type: "waiting",
      text: expect.stringMatching(
        /^the cluster does not serve Cluster \(.*"capstan install --print"; waiting up to 1\d\d s$/,
      ),
      fields: { missing: expect.arrayContaining(["MachineSet (cluster.x-k8s.io/v1beta2)"]) },
    });
    await world.install();
    await pass((await starting).manager.ready());
    expect(events.at(-1)).toMatchObject({ type: "ready" });
  });
});

describe("a manager of Tinkerbell alone", () => {
  it("runs on a server that has no other kinds", async () => {
    const clock = recentClock();
    const pass = passingOn(clock, 5);
    await using world = await createManagedWorld({ clock, random: seededRandom(5), pass });
    const [tinkerbell] = await createProviders(["tinkerbell"], nothingOutside);
    for (const kind of (tinkerbell!.kinds as readonly Pick<Resource, "kind">[]).filter(isKind)) {
      await world.admin.create(CustomResourceDefinitionResource, crdOf(kind));
    }
    const { view, events } = recordingView();
    const options = { providers: ["tinkerbell"], systemNamespace: "default" };
    const started = await world.start(options, { access: world.adminAccess, view });
    await pass(started.manager.ready());
    expect(events).toEqual([expect.objectContaining({ type: "ready" })]);
    await pass(started.stop());
  });
});

describe("a manager that cannot start", () => {
  it("says that there is no kubeconfig", async () => {
    const options = { kubeconfig: join(folder, "none"), context: undefined };
    await expect(clusterAccess(options, {})).rejects.toMatchObject({ code: "manager.kubeconfig_missing" });
    await expect(
      clusterAccess({ kubeconfig: undefined, context: undefined }, { KUBECONFIG: join(folder, "none") }),
    ).rejects.toMatchObject({
      message: `KUBECONFIG names ${join(folder, "none")}, which does not exist; correct it, or use --kubeconfig`,
    });
  });

  it("says which kinds, which permissions and which flags are in the way", async () => {
    const clock = recentClock();
    const pass = passingOn(clock);
    await using world = await createManagedWorld({ clock, random: seededRandom(3), pass });
    const admin = { access: world.adminAccess };
    const begun = clock.now();
    const { view, events } = recordingView();
    await expect(world.start({ providers: names }, { ...admin, view })).rejects.toMatchObject({
      code: "manager.crds_missing",
      message: expect.stringMatching(/MachineSet \(.*--install/),
    });
    expect(clock.now() - begun).toBeGreaterThanOrEqual(120_000);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(["waiting"]));
    expect(events.length).toBeGreaterThan(2);
    expect(events.length).toBeLessThanOrEqual(8);
    await world.install();
    const access = await world.accessOf("capstan-infra-linode");
    await expect(world.start({ providers: ["core"], namespaces: ["default"] }, { access })).rejects.toMatchObject({
      code: "manager.not_permitted",
      message: expect.stringMatching(
        /^the account system:serviceaccount:capstan-system:capstan-infra-linode lacks \d+ permissions; (?:.*\n)*.*create machines\.cluster\.x-k8s\.io in namespace default\n/,
      ),
    });
    await expect(world.start({ providers: names, concurrency: { Moon: 1 } }, admin)).rejects.toMatchObject({
      code: "manager.kind_unknown",
      message: expect.stringContaining("Machine"),
    });
    await expect(world.start({ providers: names, renewDeadlineMs: 20_000 }, admin)).rejects.toMatchObject({
      code: "manager.flags_conflict",
    });
    const taken = { host: "127.0.0.1", port: Number(new URL(world.server.url).port) };
    const started = await world.start({ providers: names, diagnostics: taken }, admin);
    await expect(pass(started.ended)).rejects.toMatchObject({ code: "manager.diagnostics_failed" });
  });
});
