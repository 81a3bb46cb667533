import { createHash } from "node:crypto";
import { k3s, type NodeInput, registryFiles, renderNodeDocument, rke2 } from "@capstan/bootstrap-rke2-k3s/render";
import { bootstrapSentinel } from "@capstan/contract";
import { exactFile } from "@capstan/kit/bootstrap";
import { causeOf, readReport, uploadedReport } from "@capstan/kit/machine";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type BootedMachine, bootMachine, buildRoot, unavailable } from "./cloud-init-root.ts";
import { artifacts, type Fault, standIns } from "./stand-ins.ts";

const reason = unavailable();
if (reason !== undefined) console.log(`the real cloud-init is skipped: ${reason}`);

type Distribution = typeof k3s;

const lasting = "/etc/cluster-api/bootstrap-success.complete";

const inputOf = (distribution: Distribution, role: NodeInput["role"], more: Partial<NodeInput> = {}): NodeInput => ({
  role,
  version: distribution === rke2 ? "v1.35.4+rke2r1" : "v1.35.4+k3s1",
  token: "6f1d0c2b9a8e47d5b3c2a1908f7e6d5c",
  ...(role !== "init" && { server: "https://198.51.100.7:9345" }),
  references: new Map(),
  registryFiles: distribution === rke2 ? registryFiles({}, new Map(), rke2.configDirectory) : [],
  files: [],
  manifests: {},
  certificates: new Map(
    ["ca", "cca", "etcd", "peer-etcd"].map((purpose) => [purpose, { certificate: `${purpose}\n`, key: "key\n" }]),
  ),
  preCommands: ["echo before >>/opt/order"],
  postCommands: ["echo after >>/opt/order"],
  extraConfig: {},
  ...more,
  source: {
    agent: {},
    server: {},
    cluster: { endpointHost: "198.51.100.7", podCidrs: ["10.60.0.0/16"], serviceCidrs: ["10.61.0.0/16"] },
    ...more.source,
  },
});

const { source } = inputOf(rke2, "agent");
const withAgent = (agent: NodeInput["source"]["agent"]) => ({ source: { ...source, agent } });

const exact = "{{ no }} {% template %} ${#a[@]}\r\nno end";

/** A token that Jinja would take for its own, and YAML for more than a text. */
const oddToken = "a{{ b }}\"c'{%{#d: e";

/** Everything that a document can hold beside the installation. */
const whole = {
  token: oddToken,
  ...withAgent({
    nodeName: "{{ ds.meta_data.label }}",
    nodeLabels: ["tier=web"],
    kubelet: { extraArgs: ["max-pods=150"] },
    ntp: { enabled: true, servers: ["time.example"] },
    cisProfile: "cis",
    additionalUserData: { config: "timezone: Etc/UTC\nlocale: C\n" },
  }),
  files: [
    exactFile({ path: "/opt/exact", owner: "root:root", permissions: "0600" }, exact),
    { path: "/opt/label", content: "{{ ds.meta_data.label }}" },
  ],
  manifests: { "app.yaml": Buffer.from("kind: List # {{ .Values }}\n") },
  preCommands: ["echo '{{ ds.meta_data.label }}: before' >>/opt/order"],
};

const offline = withAgent({
  airGapped: true,
  airGappedChecksum: createHash("sha256").update(artifacts).digest("hex"),
});

describe.skipIf(reason !== undefined)("documents of RKE2 and k3s, booted by the real cloud-init", () => {
  let root: string;
  beforeAll(() => {
    root = buildRoot();
  }, 600_000);

  const boot = (
    userData: Uint8Array,
    options: { readonly fault?: Fault | undefined; readonly files?: readonly string[] },
  ) =>
    bootMachine({
      root,
      userData,
      metadata: { "instance-id": "i", label: "worker-7" },
      files: [bootstrapSentinel, lasting, "/opt/report", "/opt/order", ...(options.files ?? [])],
      place: standIns(options.fault),
    });

  /** As a machine gets it whose cluster has an object store: with the part that reports. */
  const bootReporting = async (document: string, fault?: Fault, files?: readonly string[]): Promise<BootedMachine> => {
    const data = { bytes: Buffer.from(document), format: "cloud-config", secret: undefined };
    const place = { upload: async () => ({ url: "https://store.example/report", headers: {} }) };
    const prepared = await uploadedReport().prepare?.(data, place);
    if (prepared === undefined || !("bytes" in prepared)) throw new Error("the document takes no report");
    return boot(prepared.bytes, { fault, ...(files !== undefined && { files }) });
  };

  const reportOf = (machine: BootedMachine) => readReport(Buffer.from(machine.file("/opt/report") ?? ""));

  it.each([
    ["rke2", "init", rke2],
    ["rke2", "join", rke2],
    ["rke2", "agent", rke2],
    ["k3s", "init", k3s],
    ["k3s", "join", k3s],
    ["k3s", "agent", k3s],
  ] as const)(
    "of %s, %s: valid, installed with its version and role, and said so",
    async (name, role, distribution) => {
      const config = `/etc/rancher/${name}/config.yaml`;
      const machine = await bootReporting(renderNodeDocument(distribution, inputOf(distribution, role)), undefined, [
        config,
      ]);
      expect(machine.result.v1.errors, machine.log).toEqual([]);
      expect(machine.schema).toMatch(/^Valid cloud-config/);
      expect(machine.file(config)).toContain("token: 6f1d0c2b9a8e47d5b3c2a1908f7e6d5c");
      const part = role === "agent" ? "agent" : "server";
      const asked =
        name === "rke2"
          ? `install rke2 INSTALL_RKE2_TYPE=${part} INSTALL_RKE2_VERSION=v1.35.4+rke2r1 `
          : `install k3s INSTALL_K3S_EXEC=${part} INSTALL_K3S_VERSION=v1.35.4+k3s1 `;
      expect(machine.calls).toContain(asked.trimEnd().length > 0 ? asked : "");
      if (name === "rke2") expect(machine.calls).toContain(`systemctl start rke2-${part}.service`);
      expect(machine.file(bootstrapSentinel)).toBe("success\n");
      expect(machine.file("/opt/order")).toBe("before\nafter\n");
      expect(reportOf(machine)).toEqual({ state: "succeeded" });
    },
  );

  it("with everything a document can hold", async () => {
    const manifest = "/var/lib/rancher/rke2/server/manifests/app.yaml";
    const files = [
      "/opt/exact",
      "/opt/label",
      manifest,
      "/etc/rancher/rke2/config.yaml",
      "/etc/sysctl.d/90-rke2-cis.conf",
    ];
    const machine = await bootReporting(renderNodeDocument(rke2, inputOf(rke2, "join", whole)), undefined, files);
    expect(machine.result.v1.errors, machine.log).toEqual([]);
    expect(machine.schema).toMatch(/^Valid cloud-config/);
    expect(machine.file("/opt/exact")).toBe(exact);
    expect(machine.file("/opt/label")).toBe("worker-7\n");
    expect(machine.file(manifest)).toBe("kind: List # {{ .Values }}\n");
    expect(parse(machine.file("/etc/rancher/rke2/config.yaml") ?? "")).toMatchObject({
      "node-name": "worker-7",
      token: oddToken,
    });
    expect(machine.file("/etc/sysctl.d/90-rke2-cis.conf")).toBe("vm.panic_on_oom=0\n");
    expect(machine.file("/opt/order")).toBe("worker-7: before\nafter\n");
    expect(reportOf(machine)).toEqual({ state: "succeeded" });
  });

  it("by an installer from elsewhere, with variables of its own", async () => {
    const installer = {
      url: "https://get.rke2.io",
      variables: { INSTALL_RKE2_METHOD: "tar", https_proxy: "http://p:1" },
    };
    const machine = await bootReporting(renderNodeDocument(rke2, inputOf(rke2, "agent", { installer })));
    expect(machine.calls).toContain(
      "install rke2 INSTALL_RKE2_METHOD=tar INSTALL_RKE2_TYPE=agent INSTALL_RKE2_VERSION=v1.35.4+rke2r1 ",
    );
    expect(reportOf(machine), machine.log).toEqual({ state: "succeeded" });
  });

  it("without a network, from files of the image", async () => {
    const machine = await bootReporting(renderNodeDocument(rke2, inputOf(rke2, "agent", offline)));
    expect(machine.calls).toContain(
      "install from the image INSTALL_RKE2_ARTIFACT_PATH=/opt/rke2-artifacts INSTALL_RKE2_TYPE=agent ",
    );
    expect(reportOf(machine), machine.log).toEqual({ state: "succeeded" });
  });

  const hardened = withAgent({ cisProfile: "cis" });
  const faults: readonly (readonly [string, Distribution, Partial<NodeInput>, Fault, RegExp])[] = [
    ["rke2", rke2, {}, "download", /Could not resolve host: get\.rke2\.io/],
    ["rke2", rke2, offline, "checksum", /do not have the checksum of airGappedChecksum/],
    ["rke2", rke2, {}, "installer", /Failed to unpack rke2/],
    ["rke2", rke2, hardened, "cis", /rke2-cis-sysctl\.conf is in none of the folders/],
    ["rke2", rke2, {}, "service", /Job for rke2-server\.service failed/],
    ["k3s", k3s, {}, "download", /Could not resolve host: get\.k3s\.io/],
    ["k3s", k3s, {}, "installer", /Failed to unpack k3s/],
    ["k3s", k3s, {}, "service", /Job for k3s\.service failed/],
  ];

  it.each(faults)(
    "of %s (%#): a failure leaves no sentinel, and its cause in the report",
    async (_name, distribution, more, fault, cause) => {
      const machine = await bootReporting(renderNodeDocument(distribution, inputOf(distribution, "join", more)), fault);
      expect(machine.file(bootstrapSentinel), machine.log).toBeUndefined();
      expect(machine.file("/opt/order")).toBe("before\nafter\n");
      const report = reportOf(machine);
      if (report?.state !== "failed") throw new Error(`the report is ${JSON.stringify(report)}: ${machine.log}`);
      expect(report.log).toMatch(cause);
      expect(causeOf(report.log ?? "")).toMatch(cause);
    },
  );

  /** The script of an Ignition config, run as its unit runs it. */
  const runScript = async (
    distribution: Distribution,
    more: Partial<NodeInput>,
    fault?: Fault,
  ): Promise<BootedMachine> => {
    const agent = { ...more.source?.agent, format: "ignition" };
    const document = renderNodeDocument(distribution, inputOf(distribution, "join", { ...more, ...withAgent(agent) }));
    const { storage } = JSON.parse(document) as {
      readonly storage: {
        readonly files: readonly { readonly path: string; readonly contents: { readonly source: string } }[];
      };
    };
    const text = (url: string): string =>
      url.startsWith("data:,")
        ? decodeURIComponent(url.slice("data:,".length))
        : Buffer.from(url.slice("data:;base64,".length), "base64").toString();
    const files = storage.files.map(({ contents, path }) => [
      path,
      { content: text(contents.source), mode: path.endsWith(".sh") ? 0o700 : 0o600 },
    ]);
    const script = `/etc/${distribution.name}-install.sh`;
    return bootMachine({
      root,
      userData: Buffer.from(`#cloud-config\nruncmd: ["${script}; echo $? >/opt/status"]\n`),
      metadata: { "instance-id": "i" },
      files: [bootstrapSentinel, lasting, "/opt/order", "/opt/status"],
      place: { ...(Object.fromEntries(files) as ReturnType<typeof standIns>), ...standIns(fault) },
    });
  };

  it("as a script of Ignition: installs, and says so for good", async () => {
    const machine = await runScript(rke2, hardened);
    expect(machine.file("/opt/status"), machine.log).toBe("0\n");
    expect(machine.file(bootstrapSentinel)).toBe("success\n");
    expect(machine.file(lasting)).toBe("success\n");
    expect(machine.file("/opt/order")).toBe("before\nafter\n");
  });

  it.each([
    [rke2, {}, "download"],
    [rke2, offline, "checksum"],
    [rke2, {}, "installer"],
    [rke2, hardened, "cis"],
    [rke2, {}, "service"],
    [k3s, {}, "installer"],
  ] as const)("as a script of Ignition: ends with a failure (%#)", async (distribution, more, fault) => {
    const machine = await runScript(distribution, more, fault);
    expect(machine.file("/opt/status"), machine.log).toBe("1\n");
    expect([machine.file(bootstrapSentinel), machine.file(lasting)]).toEqual([undefined, undefined]);
    expect(machine.file("/opt/order")).toBe("before\n");
  });
});
