import { ConfigMapResource, CustomResourceDefinitionResource, NamespaceResource } from "@capstan/contract/wire";
import { systemClock } from "@capstan/runtime";
import { resource, type KubeObject } from "@capstan/schema";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { parseManifest } from "../src/manifest/read-manifests.ts";
import { createProgram } from "../src/program.ts";
import { applyManifests } from "../src/up/apply.ts";
import { startCommand } from "./command-process.ts";
import { createRollingWorld, systemNamespace, type RollingWorld } from "./changed-providers.ts";
import { FirstWidget, Gadget, SecondWidget } from "./widgets/kinds.ts";

const Deployment = resource({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments" });
const recordKey = { namespace: systemNamespace, name: "capstan-installation" };

let rolling: RollingWorld;
beforeEach(async () => {
  rolling = await createRollingWorld();
});
afterEach(() => rolling[Symbol.asyncDispose]());

/** What a command prints, and why it failed. */
const capstan = async (line: string): Promise<string> => {
  let said = "";
  const output = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    said += String(text);
    return true;
  });
  const words = [...line.split(" "), "--kubeconfig", rolling.world.kubeconfig];
  try {
    return (await createProgram().run(words)) === 0 ? said : `failed: ${said}`;
  } catch (error) {
    return `failed: ${(error as Error).message}`;
  } finally {
    output.mockRestore();
  }
};

const record = async (): Promise<{
  readonly version: string;
  readonly providers: Readonly<Record<string, readonly string[]>>;
}> => {
  const { data } = (await rolling.world.admin.get(ConfigMapResource, recordKey)) as KubeObject & {
    readonly data: { readonly installation: string };
  };
  return JSON.parse(data.installation) as Awaited<ReturnType<typeof record>>;
};

type Release = "first" | "second" | "third";
const widgets = (release: Release): string => `--providers ${import.meta.dirname}/widgets/${release}.ts`;

/** What a manager that is started as its Deployment does says first. */
const started = async (): Promise<string> => {
  const command = `manager --diagnostics-address off ${widgets("first")} --kubeconfig ${rolling.world.kubeconfig}`;
  await using running = startCommand(command.split(" "));
  const { message, type } = await running.until((event) => ["ready", "error"].includes(event.type));
  return type === "error" ? `failed: ${message}` : message;
};

describe("an installation by a newer release of Capstan", () => {
  const refused = `failed: the installation capstan was created by Capstan 99.1.0; this is ${manifest.version}, which`;

  it("is replaced by no way without being told to", async () => {
    await capstan(`install ${widgets("first")}`);
    const made = { ...(await record()), version: "99.1.0" };
    const body = { data: { installation: JSON.stringify(made) } };
    await rolling.world.admin.patch(ConfigMapResource, recordKey, { type: "merge", body });
    for (const way of ["install", "install --print", "manager --install", "install --installation another"]) {
      expect(await capstan(`${way} ${widgets("first")}`), way).toContain(refused);
    }
    expect(await record()).toEqual(made);
    expect(await started(), "a manager with an older image").toContain(refused);
    expect(await capstan(`install --allow-downgrade ${widgets("first")}`)).toContain("1 configured");
    expect(await started()).toContain("providers widgets run");
    expect((await record()).version).toBe(manifest.version);
    expect(await capstan(`install ${widgets("first")}`)).toContain("0 configured");
  });
});

describe("an earlier release of a provider", () => {
  const gadget = {
    apiVersion: "widgets.example/v1",
    kind: "Gadget",
    metadata: { namespace: "default", name: "g" },
    spec: {},
  };
  const storedVersions = async (): Promise<unknown> =>
    (await rolling.world.admin.get<KubeObject>(CustomResourceDefinitionResource, { name: "widgets.widgets.example" }))[
      "status"
    ];

  it("leaves no objects to nobody, and loses no stored version", async () => {
    const { admin } = rolling.world;
    for (const release of ["first", "second", "third"] as const) {
      expect(await capstan(`install ${widgets(release)}`)).toContain("definition");
    }
    await admin.create(Gadget, gadget);
    const inUse =
      "failed: the installation capstan also has gadgets.widgets.example, which these releases of its providers lack, and 1 Gadget";
    for (const way of ["install", "manager --install"]) {
      expect(await capstan(`${way} ${widgets("second")}`), way).toContain(inUse);
    }
    expect((await record()).providers).toEqual({ widgets: ["widgets.widgets.example", "gadgets.widgets.example"] });
    await admin.delete(Gadget, { namespace: "default", name: "g" });
    expect(await capstan(`install ${widgets("second")}`)).not.toContain("failed");
    expect((await record()).providers).toEqual({ widgets: ["widgets.widgets.example"] });
    expect(await storedVersions()).toMatchObject({ storedVersions: ["v1", "v2"] });
    expect(await capstan(`install ${widgets("first")}`)).toMatch(/^failed: [^]*storedVersions/);
    expect(await capstan(`install ${widgets("second")}`)).not.toContain("failed");
    expect(await storedVersions()).toMatchObject({ storedVersions: ["v1", "v2"] });
  });
});

describe("providers are added, removed, brought to a later release and back", () => {
  const widget = {
    apiVersion: "widgets.example/v1",
    kind: "Widget",
    metadata: { namespace: "default", name: "w" },
    spec: { colour: "red" },
  };

  /** A real process installs, runs, and is told to stop. */
  const byManager = async (flags: string): Promise<void> => {
    const { kubeconfig } = rolling.world;
    await using running = startCommand([
      ...`manager --install --leader-elect --diagnostics-address off ${flags}`.split(" "),
      "--kubeconfig",
      kubeconfig,
    ]);
    await running.until(({ type }) => type === "ready");
    expect(await running.stop()).toBe(0);
  };
  /** What is printed is applied by another user. */
  const byManifests = async (flags: string): Promise<void> => {
    const printed = await capstan(`install --print ${flags}`);
    const options = { clock: systemClock, signal: new AbortController().signal, namespace: systemNamespace };
    const { admin: client } = rolling.world;
    await applyManifests(
      parseManifest(printed, "printed", () => undefined),
      { ...options, client, onApplied: () => undefined },
    );
  };

  it.each([
    ["capstan manager --install", byManager],
    ["printed manifests", byManifests],
  ])("by %s", async (_, install) => {
    const { admin } = rolling.world;
    await install(`${widgets("first")},core`);
    await admin.create(FirstWidget, widget);
    await install(`${widgets("third")},core,bootstrap-composite`);
    expect(Object.keys((await record()).providers)).toEqual(["widgets", "core", "bootstrap-composite"]);
    expect(await admin.get(SecondWidget, { namespace: "default", name: "w" })).toMatchObject({ spec: widget.spec });
    await install(`${widgets("second")},core`);
    const { providers } = await record();
    expect(Object.keys(providers)).toEqual(["widgets", "core"]);
    expect(providers["widgets"]).toEqual(["widgets.widgets.example"]);
    expect(await admin.get(SecondWidget, { namespace: "default", name: "w" })).toMatchObject({ spec: widget.spec });
    expect(rolling.world.failures).toEqual([]);
  });
});

describe("a Deployment of an older release", () => {
  const line = "install --providers core,bootstrap-composite --image capstan:1";
  const refused =
    "failed: Deployment capstan-system/capstan-core of an earlier release runs core; keep it with --installation capstan-core, or delete it first";
  const key = { namespace: systemNamespace, name: "capstan-core" };
  const names = async () => (await rolling.world.admin.list(Deployment)).items.map((each) => each.metadata.name);

  beforeEach(async () => {
    const { admin } = rolling.world;
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: systemNamespace } };
    await admin.create(NamespaceResource, namespace);
    const labels = { "app.kubernetes.io/name": key.name };
    const args = ["manager", "--providers=core", "--leader-elect"];
    const template = { metadata: { labels }, spec: { containers: [{ name: "manager", image: "capstan:0", args }] } };
    await admin.create(Deployment, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { ...key, labels },
      spec: { selector: { matchLabels: labels }, template },
    });
    expect(await capstan(line)).toContain(refused);
    expect(await names()).toEqual([key.name]);
  });

  it("goes on under its name when that is given", async () => {
    expect(await capstan(`${line} --installation ${key.name}`)).not.toContain("failed");
    expect(await names()).toEqual([key.name]);
    expect(JSON.stringify(await rolling.world.admin.get(Deployment, key))).toContain('"image":"capstan:1"');
  });

  it("is followed by one with the name of the installation when it was deleted", async () => {
    await rolling.world.admin.delete(Deployment, key);
    expect(await capstan(line)).not.toContain("failed");
    expect(await names()).toEqual(["capstan"]);
  });
});
