import { certificateFiles } from "@capstan/kit/bootstrap";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { renderBootstrapDocument, type BootstrapDocument } from "./bootstrap-document.ts";
import { kubeadmCertificates } from "./kubeadm-certificates.ts";
import { clusterConfiguration, initConfiguration, joinConfiguration } from "./kubeadm-documents.ts";

const facts = {
  clusterName: "orchid",
  kubernetesVersion: "v1.33.4",
  controlPlaneEndpoint: "203.0.113.40:6443",
  dnsDomain: "orchid.local",
  serviceSubnet: "10.41.0.0/20",
  podSubnet: "10.40.0.0/16",
};

const pem = (name: string) => `-----BEGIN ${name}-----\nAAAA\n-----END ${name}-----\n`;

const pair = (name: string) => ({ certificate: pem(`${name} CERTIFICATE`), key: pem(`${name} KEY`) });

const pairs = new Map(["CA", "ETCD", "PROXY", "SA"].map((name) => [name.toLowerCase(), pair(name)]));
const certificates = certificateFiles(kubeadmCertificates(), pairs);

const registration = {
  name: "{{ ds.meta_data.label }}",
  kubeletExtraArgs: [{ name: "cloud-provider", value: "external" }],
};

const discovery = {
  bootstrapToken: {
    apiServerEndpoint: "203.0.113.40:6443",
    caCertHashes: [`sha256:${"ab".repeat(32)}`],
    token: "k3m9qz.5t8w2r7y1u4i0p6a",
  },
};

const init: BootstrapDocument = {
  spec: {
    verbosity: 4,
    preKubeadmCommands: ["hostnamectl set-hostname '{{ ds.meta_data.label }}'"],
    postKubeadmCommands: ['echo "done" > /var/log/orchid'],
  },
  files: [{ path: "/etc/orchid/role", content: "cp" }],
  users: [],
  certificateFiles: certificates,
  kubeadm: {
    command: "init",
    clusterConfiguration: clusterConfiguration({}, facts, { api: "v1beta4" }),
    initConfiguration: initConfiguration({ nodeRegistration: registration }, "v1beta4"),
  },
};

const controlPlaneJoin: BootstrapDocument = {
  spec: {},
  files: [{ path: "/etc/orchid/role", content: "cp" }],
  users: [],
  certificateFiles: certificates,
  kubeadm: {
    command: "join",
    controlPlane: true,
    joinConfiguration: joinConfiguration({ controlPlane: {}, discovery }, "v1beta4"),
  },
};

const workerJoin: BootstrapDocument = {
  spec: {
    bootCommands: ["cloud-init-per once wipe wipefs -a /dev/sdc"],
    ntp: { enabled: true, servers: ["ntp1.orchid.example"] },
    diskSetup: {
      partitions: [{ device: "/dev/sdc", layout: true, overwrite: false, tableType: "gpt" }],
      filesystems: [{ device: "/dev/sdc", filesystem: "ext4", label: "data", extraOpts: ["-E", "lazy_itable_init=1"] }],
    },
    mounts: [["LABEL=data", "/var/lib/data", "auto", "defaults", "0", "2"]],
  },
  files: [
    { path: "/a: b", content: "  indented first line\nsecond\r\n\n\n", append: false },
    { path: "/empty", content: "" },
  ],
  users: [
    {
      name: "ops",
      sudo: "ALL=(ALL) NOPASSWD:ALL",
      lockPassword: false,
      sshAuthorizedKeys: ["ssh-ed25519 AAAA ops@orchid"],
    },
  ],
  kubeadm: {
    command: "join",
    controlPlane: false,
    joinConfiguration: joinConfiguration(
      { discovery, nodeRegistration: { taints: [{ key: "node.example/uninitialized", effect: "NoSchedule" }] } },
      "v1beta4",
    ),
  },
};

describe("the bootstrap document", () => {
  it.each([
    ["init", init],
    ["control-plane-join", controlPlaneJoin],
    ["worker-join", workerJoin],
  ])("of %s is the recorded one and valid for a YAML 1.1 reader", async (name, document) => {
    const text = renderBootstrapDocument(document);
    await expect(text).toMatchFileSnapshot(`../../test/__golden__/${name}.yaml`);
    expect(text.startsWith("## template: jinja\n#cloud-config\n\n")).toBe(true);
    const read = parse(text.replaceAll(/\{\{.*?\}\}/g, "rendered"), { version: "1.1" }) as Record<string, unknown>;
    const order = ["write_files", "bootcmd", "runcmd", "ntp", "users", "disk_setup", "fs_setup", "mounts"];
    expect(Object.keys(read)).toEqual(order.filter((key) => key in read));
    for (const file of read["write_files"] as { content: string; permissions?: unknown }[]) {
      expect(file.content).toMatch(/^$|[^\n]\n$/);
      expect(["string", "undefined"]).toContain(typeof file.permissions);
    }
  });

  it("keeps kubeadm and the success sentinel in one command", () => {
    const { runcmd } = parse(renderBootstrapDocument(controlPlaneJoin)) as { runcmd: string[] };
    expect(runcmd).toEqual([
      "kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml  && echo success > /run/cluster-api/bootstrap-success.complete",
    ]);
    expect(
      (parse(renderBootstrapDocument(init).replaceAll(/'\{\{.*?\}\}'/g, "x")) as { runcmd: string[] }).runcmd[1],
    ).toBe(
      "kubeadm init --config /run/kubeadm/kubeadm.yaml --v 4 && echo success > /run/cluster-api/bootstrap-success.complete",
    );
  });

  it("writes a file's text with one final newline, whatever it looked like", () => {
    const files = (parse(renderBootstrapDocument(workerJoin)) as { write_files: { path: string; content: string }[] })
      .write_files;
    expect(files.find(({ path }) => path === "/a: b")?.content).toBe("  indented first line\nsecond\n");
    expect(files.find(({ path }) => path === "/empty")?.content).toBe("");
  });
});
