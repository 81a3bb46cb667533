import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  type Distribution,
  k3s,
  type NodeInput,
  registryFiles,
  renderNodeDocument,
  rke2,
  type Role,
} from "../src/render.ts";
import { nodeInput } from "./node-input.ts";

interface File {
  readonly path: string;
  readonly content: string;
}

interface Document {
  readonly write_files: readonly File[];
  readonly runcmd: readonly string[];
}

const isYaml = (path: string): boolean => /\/etc\/rancher\/[a-z0-9]+\/(config|registries)\.yaml$/.test(path);

/** The document as data; texts of the distribution's own files as data too. */
const read = (text: string) => {
  const document = parse(text, { version: "1.1" }) as Document;
  return {
    ...document,
    write_files: document.write_files.map((file) => ({
      ...file,
      content: isYaml(file.path) ? (parse(file.content) as unknown) : file.content.trimEnd(),
    })),
  };
};

const example = (name: string, contents: Readonly<Record<string, string>>): string => {
  const text = readFileSync(new URL(`__fixtures__/documents/${name}.yaml`, import.meta.url), "utf8");
  return Object.entries(contents).reduce(
    (filled, [of, value]) => filled.replace(`"$${of}"`, JSON.stringify(value)),
    text,
  );
};

/** The content of a file in a document. */
const contentOf = (text: string, path: string): string =>
  (parse(text, { version: "1.1" }) as Document).write_files.find((file) => file.path === path)?.content ?? "";

const registry = registryFiles({}, new Map(), "/etc/rancher/rke2");

const rke2Server = {
  registryFiles: registry,
  version: "v1.35.4+rke2r1",
  source: {
    server: {
      disableComponents: { kubernetesComponents: ["cloudController"] },
      kubeAPIServer: { extraArgs: ["anonymous-auth=true"] },
    },
  },
};

const rke2Agent = {
  ...rke2Server,
  source: {
    ...rke2Server.source,
    agent: { nodeLabels: ["tier=web"], kubelet: { extraArgs: ["max-pods=150"] }, cisProfile: "cis" },
  },
  preCommands: ["swapoff -a"],
  postCommands: ["touch /run/done"],
};

const k3sNode = { version: "v1.35.4+k3s1", source: { server: { disableComponents: ["traefik"] } } };

const cases: readonly (readonly [string, Distribution, Role, Parameters<typeof nodeInput>[1]])[] = [
  ["rke2-init", rke2, "init", rke2Server],
  ["rke2-join", rke2, "join", { ...rke2Server, server: "https://10.8.0.4:9345" }],
  ["rke2-agent", rke2, "agent", { ...rke2Agent, server: "https://10.8.0.4:9345" }],
  ["k3s-init", k3s, "init", k3sNode],
  ["k3s-join", k3s, "join", { ...k3sNode, server: "https://198.51.100.7:6443" }],
  ["k3s-agent", k3s, "agent", { ...k3sNode, server: "https://198.51.100.7:6443" }],
];

describe("a worked example", () => {
  it.each(cases)("%s", (name, distribution, role, parts) => {
    const text = renderNodeDocument(distribution, nodeInput(role, parts));
    const contents = {
      "cis-script": contentOf(text, "/opt/rke2-cis-script.sh"),
      "etcd-proxy": contentOf(text, "/var/lib/rancher/k3s/server/manifests/etcd-proxy.yaml"),
    };
    expect(read(text)).toEqual(read(example(name, contents)));
    expect(text.startsWith("## template: jinja\n#cloud-config\n")).toBe(true);
  });
});

describe("the installer", () => {
  const airGapped = (agent: object): NodeInput =>
    nodeInput("agent", {
      version: "v1.35.4+rke2r1",
      server: "https://x:9345",
      source: { agent: { airGapped: true, ...agent } },
    });
  const commandOf = (distribution: Distribution, input: NodeInput) =>
    read(renderNodeDocument(distribution, input)).runcmd[0];

  it("of RKE2 takes files of the image, when they are those that were meant", () => {
    expect(commandOf(rke2, airGapped({ airGappedChecksum: "abc123" }))).toMatch(
      `[ "$(sha256sum /opt/rke2-artifacts/sha256sum*.txt | awk '{print $1}')" = "abc123" ] && INSTALL_RKE2_ARTIFACT_PATH=/opt/rke2-artifacts INSTALL_RKE2_TYPE='agent' sh /opt/install.sh && `,
    );
    expect(commandOf(rke2, airGapped({}))).toMatch(/^INSTALL_RKE2_ARTIFACT_PATH=/);
  });

  it("of k3s takes a script of the image, whatever its name", () => {
    expect(commandOf(k3s, airGapped({}))).toMatch(
      /^INSTALL_K3S_SKIP_DOWNLOAD=true INSTALL_K3S_EXEC='agent' sh \/opt\/install\.sh && mkdir/,
    );
    expect(commandOf(k3s, airGapped({ airGappedInstallScriptPath: "/opt/it's mine.sh" }))).toContain(
      `sh '/opt/it'\\''s mine.sh' && `,
    );
  });

  /** Variables that the scripts of get.rke2.io and get.k3s.io read, as they are documented. */
  const documented = {
    rke2: [
      "VERSION",
      "TYPE",
      "EXEC",
      "METHOD",
      "CHANNEL",
      "ARTIFACT_PATH",
      "ARTIFACT_URL",
      "TAR_PREFIX",
      "AGENT_IMAGES_DIR",
    ],
    k3s: ["VERSION", "EXEC", "SKIP_DOWNLOAD", "SKIP_START", "SKIP_ENABLE", "CHANNEL", "BIN_DIR", "SYSTEMD_DIR"],
  };

  it.each([rke2, k3s])("of $name knows every variable that it is given", (distribution) => {
    const version = `v1.35.4+${distribution === rke2 ? "rke2r1" : "k3s1"}`;
    const inputs = (["init", "join", "agent"] as const).flatMap((role) =>
      ["cloud-config", "ignition"].flatMap((format) =>
        [true, false].map((isOffline) =>
          nodeInput(role, { version, source: { agent: { airGapped: isOffline, format } } }),
        ),
      ),
    );
    const known = documented[distribution.name].map((name) => `INSTALL_${distribution.name.toUpperCase()}_${name}`);
    const given = inputs.flatMap(
      (input) =>
        decodeURIComponent(renderNodeDocument(distribution, input).replaceAll(/%(?![0-9A-F]{2})/g, "%25")).match(
          /INSTALL_[A-Z0-9_]+/g,
        ) ?? [],
    );
    expect(new Set(given).size).toBe(3);
    expect(known).toEqual(expect.arrayContaining([...new Set(given)]));
  });
});
