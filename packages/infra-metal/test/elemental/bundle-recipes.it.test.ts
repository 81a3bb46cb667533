import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildBundle, bundleLimits, inspectBundle, openLayout } from "../../src/elemental/bundles.ts";

const recipes = join(import.meta.dirname, "../../bundles");
const run = promisify(execFile);

const sha256 = (content: Uint8Array | string): string => createHash("sha256").update(content).digest("hex");

/** A packed archive with one empty file. */
const archiveOf = (path: string, folder: string): Buffer => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), "", { mode: 0o755 });
  return execFileSync("tar", ["-czf", "-", "-C", folder, path]);
};

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name).slice(folder.length))
    .toSorted();

describe("the recipe of a bundle", () => {
  /** Files of the server that stands for the places of downloads, by path. */
  const offered = new Map<string, Uint8Array | string>();
  const server = createServer(({ url = "" }, response) => {
    const content = offered.get(url);
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  let root: string;
  let host: string;
  const at = (...names: readonly string[]): string => join(root, ...names);

  const environment = () => ({
    PATH: process.env["PATH"],
    KUBERNETES_DOWNLOADS: host,
    GITHUB_DOWNLOADS: host,
    RKE2_INSTALL_SCRIPT: `${host}/rke2-install.sh`,
  });
  const fetched = (recipe: string, version: string) =>
    run(join(recipes, recipe, "fetch.sh"), [version, "amd64", at("files")], { env: environment() });
  const installed = (action: string) =>
    run("./install.sh", {
      cwd: at("files"),
      env: { PATH: process.env["PATH"], DESTDIR: at("host"), CAPSTAN_ACTION: action },
    });
  /** Offers a file, and its checksum beside it. */
  const offer = (path: string, content: Uint8Array | string, ending: string, name = ""): void => {
    offered.set(path, content).set(`${path}${ending}`, `${sha256(content)}${name === "" ? "" : `  ${name}`}\n`);
  };

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    await once(server, "close");
  });
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "capstan-recipe-"));
    offered.clear();
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const offerKubeadm = (): void => {
    for (const program of ["kubeadm", "kubelet", "kubectl"]) {
      offer(`/v1.36.2/bin/linux/amd64/${program}`, program, ".sha256");
    }
    const containerd = "containerd-2.1.4-linux-amd64.tar.gz";
    const place = `/containerd/containerd/releases/download/v2.1.4/${containerd}`;
    offer(place, archiveOf("bin/containerd", at("a")), ".sha256sum", containerd);
    const runc = "/opencontainers/runc/releases/download/v1.3.0";
    offered.set(`${runc}/runc.amd64`, "runc");
    offered.set(`${runc}/runc.sha256sum`, `${sha256("other")}  runc.arm64\n${sha256("runc")}  runc.amd64\n`);
    const plugins = "cni-plugins-linux-amd64-v1.7.1.tgz";
    const at171 = `/containernetworking/plugins/releases/download/v1.7.1/${plugins}`;
    offer(at171, archiveOf("bridge", at("b")), ".sha256", plugins);
    const tools = "/kubernetes-sigs/cri-tools/releases/download/v1.33.0/crictl-v1.33.0-linux-amd64.tar.gz";
    offer(tools, archiveOf("crictl", at("c")), ".sha256");
  };

  const offerRke2 = (): void => {
    const releases = "/rancher/rke2/releases/download/v1.36.2%2Brke2r1";
    offered
      .set(`${releases}/rke2.linux-amd64.tar.gz`, "rke2")
      .set(`${releases}/rke2-images.linux-amd64.tar.zst`, "images");
    const sums = [
      `${sha256("rke2")}  rke2.linux-amd64.tar.gz`,
      `${sha256("images")}  rke2-images.linux-amd64.tar.zst`,
      `${sha256("other")}  rke2-images.linux-amd64.txt`,
    ];
    offered.set(`${releases}/sha256sum-amd64.txt`, `${sums.join("\n")}\n`).set("/rke2-install.sh", "#!/bin/sh\n");
  };

  it("for kubeadm fetches, installs into the root of a host, and removes what it installed", async () => {
    offerKubeadm();
    await fetched("kubeadm", "v1.36.2");
    await installed("install");
    await installed("upgrade");
    const files = filesBelow(at("host"));
    for (const path of [
      "/usr/local/bin/kubeadm",
      "/usr/local/bin/containerd",
      "/opt/cni/bin/bridge",
      "/usr/local/bin/crictl",
    ]) {
      expect(files).toContain(path);
    }
    expect(readFileSync(at("host/usr/local/sbin/runc"), "utf8")).toBe("runc");
    expect(readFileSync(at("host/etc/systemd/system/kubelet.service.d/10-kubeadm.conf"), "utf8")).toContain(
      "$KUBELET_KUBEADM_ARGS",
    );
    await installed("remove");
    expect(filesBelow(at("host"))).toEqual(["/etc/containerd/config.toml"]);
  });

  it("for RKE2 puts its files where machines without internet access look for them", async () => {
    offerRke2();
    await fetched("rke2", "v1.36.2+rke2r1");
    await installed("install");
    await installed("upgrade");
    expect(filesBelow(at("host"))).toEqual([
      "/opt/install.sh",
      "/opt/rke2-artifacts/rke2-images.linux-amd64.tar.zst",
      "/opt/rke2-artifacts/rke2.linux-amd64.tar.gz",
      "/opt/rke2-artifacts/sha256sum-amd64.txt",
    ]);
    await installed("remove");
    expect(filesBelow(at("host"))).toEqual([]);
  });

  it.each(["kubeadm", "rke2"])("for %s makes a folder that becomes a bundle", async (recipe) => {
    if (recipe === "rke2") offerRke2();
    else offerKubeadm();
    await fetched(recipe, recipe === "rke2" ? "v1.36.2+rke2r1" : "v1.36.2");
    const variants = [{ folder: at("files"), architecture: "amd64", osIds: [] }];
    const digest = await buildBundle({ variants, to: at("layout"), tag: "1.0", limits: bundleLimits });
    const bundle = await inspectBundle(await openLayout(at("layout")), digest, {
      publicKeys: [],
      limits: bundleLimits,
    });
    expect(bundle.parts).toHaveLength(1);
  });

  it.each([
    ["kubeadm", "v1.36.2", "/v1.36.2/bin/linux/amd64/kubelet", /kubelet has the SHA-256 [0-9a-f]{64}, and must have/],
    [
      "rke2",
      "v1.36.2+rke2r1",
      "/rancher/rke2/releases/download/v1.36.2%2Brke2r1/rke2.linux-amd64.tar.gz",
      /FAILED|WARNING/,
    ],
  ])("for %s stops at a file with another checksum", async (recipe, version, path, said) => {
    offerKubeadm();
    offerRke2();
    offered.set(path, "changed");
    await expect(fetched(recipe, version)).rejects.toMatchObject({ stderr: expect.stringMatching(said) as unknown });
    expect(existsSync(at("files", "install.sh"))).toBe(false);
  });
});
