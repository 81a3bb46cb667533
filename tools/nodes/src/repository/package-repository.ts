import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { systemClock } from "@capstan/runtime";
import { machineProgram } from "../assets/machine-image.ts";
import { rootFiles } from "../assets/root-files.ts";
import { run } from "../assets/run.ts";
import { buildPackage, type DebianPackage } from "./debian-package.ts";

/** Contents of the packages of a release. */
export interface PackagedRelease {
  /** With the `v`. */
  readonly version: string;
  /** The folder with its programs. */
  readonly programs: string;
}

const unit = "usr/lib/systemd/system/kubelet.service";

const kubernetesPackages = ({ version, programs }: PackagedRelease): readonly DebianPackage[] => {
  const number = `${version.slice(1)}-1.1`;
  const program = (name: string) => ({ from: join(programs, name), mode: 0o755 });
  return [
    {
      name: "kubelet",
      version: number,
      files: { "/usr/bin/kubelet": program("kubelet"), [`/${unit}`]: { text: rootFiles[unit] ?? "" } },
      configure: "systemctl daemon-reload\n",
    },
    {
      name: "kubeadm",
      version: number,
      files: {
        "/usr/lib/capstan-nodes/kubeadm": program("kubeadm"),
        "/usr/bin/kubeadm": { from: machineProgram("kubeadm.sh"), mode: 0o755 },
      },
    },
    { name: "kubectl", version: number, files: { "/usr/bin/kubectl": program("kubectl") } },
  ];
};

/** As Docker's package has it: without CRI until the configuration is another, and running. The program is that of the base. */
const containerd: DebianPackage = {
  name: "containerd.io",
  version: "1.7.27-1",
  replaces: "containerd",
  files: { "/etc/containerd/config.toml": { text: 'disabled_plugins = ["cri"]\n' } },
  configure: "systemctl daemon-reload\nsystemctl enable containerd\nsystemctl restart containerd\n",
};

/** Signs with a key that is made once for the repositories of a folder. */
const signer = async (folder: string) => {
  // The name of a socket has an end, and the cache of a user may lie deep.
  const home = await mkdtemp(join(tmpdir(), "capstan-gpg-"));
  const gpg = (...args: readonly string[]) =>
    run("gpg", ["--homedir", home, "--batch", "--yes", "--pinentry-mode", "loopback", "--passphrase", "", ...args]);
  await gpg("--quick-gen-key", "capstan nodes <nodes@localhost>", "rsa2048", "sign", "never");
  await writeFile(join(folder, "key.asc"), await gpg("--armor", "--export"));
  return {
    sign: (file: string, output: string) => gpg("--output", output, "--clearsign", file),
    close: async () => {
      await run("gpgconf", ["--homedir", home, "--kill", "all"]).catch(() => undefined);
      await rm(home, { recursive: true, force: true });
    },
  };
};

interface Repository {
  readonly packages: readonly DebianPackage[];
  /** Signs a file into another. */
  readonly sign: (file: string, output: string) => Promise<string>;
  /** The folder, below the root, of what is signed; empty: the root itself, as a flat repository has it. */
  readonly suite: string;
  /** The index of packages below that folder. */
  readonly index: string;
}

/** Builds the packages of a repository, their index and what is signed about it. */
const writeRepository = async (folder: string, { index, packages, sign, suite }: Repository): Promise<void> => {
  const place = join(folder, suite);
  await mkdir(dirname(join(place, index)), { recursive: true });
  for (const each of packages) await buildPackage(each, folder);
  const scan = await run("sh", ["-c", `cd '${folder}' && dpkg-scanpackages --multiversion . 2>/dev/null`]);
  const text = scan.replaceAll("Filename: ./", "Filename: ");
  await writeFile(join(place, index), text);
  const digest = createHash("sha256").update(text).digest("hex");
  const facts = {
    Suite: "stable",
    Codename: "bookworm",
    ...(suite !== "" && { Components: "stable" }),
    Architectures: "amd64",
    Date: new Date(systemClock.now()).toUTCString(),
    SHA256: `\n ${digest} ${Buffer.byteLength(text)} ${index}`,
  };
  const about = join(folder, "Release");
  await writeFile(
    about,
    Object.entries(facts)
      .map(([key, value]) => `${key}: ${value}\n`)
      .join(""),
  );
  await sign(about, join(place, "InRelease"));
};

/** Repositories of apt, made once in the cache: `kubernetes` and `docker`, and the key that has signed them. */
export const packageRepositories = async (
  cache: string,
  release: PackagedRelease,
  say: (line: string) => void,
): Promise<string> => {
  const folder = join(cache, `packages-${release.version}-1`);
  if (existsSync(folder)) return folder;
  say(`packages ${release.version}: repositories of Kubernetes and Docker`);
  const building = `${folder}.building`;
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  const { sign, close } = await signer(building);
  try {
    const kubernetes = { suite: "", index: "Packages", packages: kubernetesPackages(release), sign };
    await writeRepository(join(building, "kubernetes"), kubernetes);
    const index = "stable/binary-amd64/Packages";
    const docker = { suite: "dists/bookworm", index, packages: [containerd], sign };
    await writeRepository(join(building, "docker"), docker);
  } finally {
    await close();
  }
  await rename(building, folder);
  return folder;
};

/** The file of an address that the installation script asks for; `undefined`: there is none. */
export const fileOf = async (folder: string, host: string, path: string): Promise<Uint8Array | undefined> => {
  const place = (
    [
      [/^pkgs\.k8s\.io\/core:\/stable:\/v[\d.]+\/deb\/+Release\.key$/, "key.asc"],
      [/^pkgs\.k8s\.io\/core:\/stable:\/v[\d.]+\/deb\/+(.+)$/, "kubernetes/"],
      [/^download\.docker\.com\/linux\/\w+\/gpg$/, "key.asc"],
      [/^download\.docker\.com\/linux\/\w+\/(.+)$/, "docker/"],
    ] as const
  )
    .map(([pattern, target]) => {
      const found = pattern.exec(`${host}${path}`);
      return found === null ? undefined : `${target}${found[1] ?? ""}`;
    })
    .find((found) => found !== undefined);
  if (place === undefined || place.includes("..")) return undefined;
  return readFile(join(folder, place)).catch(() => undefined);
};
