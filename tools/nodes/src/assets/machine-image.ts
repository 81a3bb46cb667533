import { execFile } from "node:child_process";
import { chmod, cp, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type ImageSource, programOf, writeImages } from "./container-image.ts";
import { enabledUnits, maskedUnits, rootFiles } from "./root-files.ts";
import { run } from "./run.ts";

/** Programs of the folder `machine` beside the sources. */
export const machineProgram = (name: string): string => join(import.meta.dirname, "..", "..", "machine", name);

const pauseSource = `#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void leave(int signal) { exit(0); }
static void reap(int signal) { while (waitpid(-1, 0, WNOHANG) > 0) ; }
int main(void) { signal(SIGINT, leave); signal(SIGTERM, leave); signal(SIGCHLD, reap); for (;;) pause(); }
`;

/** Imports the archive into a store of containerd, by the containerd of the base, in namespaces of its own. */
const importScript = `set -eu
mount --bind "$1" "$2"
mkdir -p "$2/var/lib/containerd"
mount --bind "$3" "$2/var/lib/containerd"
mount -t tmpfs tmpfs "$2/run"; mount -t tmpfs tmpfs "$2/tmp"
mount -t proc proc "$2/proc"; mount --rbind /dev "$2/dev"
cp "$4" "$2/tmp/images.tar"
chroot "$2" bash -euc '
  containerd >/tmp/containerd.log 2>&1 & containerd=$!
  for _ in $(seq 200); do ctr version >/dev/null 2>&1 && break; sleep 0.1; done
  ctr -n k8s.io images import /tmp/images.tar
  kill $containerd; wait $containerd || true'
`;

const compilePause = async (output: string): Promise<void> => {
  const compiling = promisify(execFile)("gcc", ["-Os", "-static", "-o", output, "-x", "c", "-"]);
  compiling.child.stdin?.end(pauseSource);
  await compiling;
};

/** Where a release's programs are looked for, in this order. */
const findProgram = (folders: readonly string[], name: string): string => {
  const found = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  if (found === undefined) {
    throw new Error(`${folders.join(" and ")} have no ${name}: run npm run kube-assets -- kube nodes`);
  }
  return found;
};

const writeRoot = async (root: string, programs: readonly string[], pauseImage: string): Promise<void> => {
  for (const [path, text] of Object.entries(rootFiles)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text.replace("PAUSE_IMAGE", pauseImage));
  }
  const units = join(root, "etc/systemd/system");
  await mkdir(units, { recursive: true });
  for (const unit of maskedUnits) await symlink("/dev/null", join(units, unit));
  await symlink("/lib/systemd/system/multi-user.target", join(units, "default.target"));
  for (const [target, services] of Object.entries(enabledUnits)) {
    await mkdir(join(units, `${target}.wants`), { recursive: true });
    for (const unit of services) await symlink(`/lib/systemd/system/${unit}`, join(units, `${target}.wants`, unit));
  }
  for (const folder of ["etc/kubernetes/manifests", "etc/cni/net.d", "usr/bin", "usr/lib/capstan-nodes"]) {
    await mkdir(join(root, folder), { recursive: true });
  }
  for (const name of ["kubelet", "kubectl"]) await cp(findProgram(programs, name), join(root, "usr/bin", name));
  await cp(findProgram(programs, "kubeadm"), join(root, "usr/lib/capstan-nodes/kubeadm"));
  await cp(machineProgram("kubeadm.sh"), join(root, "usr/bin/kubeadm"));
  await chmod(join(root, "usr/bin/kubeadm"), 0o755);
};

/** A release of Kubernetes. */
export interface Release {
  /** With the `v`. */
  readonly version: string;
  /** Folders with its programs. */
  readonly programs: readonly string[];
}

/** The container images that kubeadm wants for a release. */
const imagesOf = async ({ programs, version }: Release, pause: string): Promise<readonly ImageSource[]> => {
  const kubeadm = findProgram(programs, "kubeadm");
  const names = (await run(kubeadm, ["config", "images", "list", "--kubernetes-version", version])).trim().split("\n");
  return names.map((name) => {
    const program = programOf(name);
    return { name, program: program === "pause" ? pause : findProgram(programs, program) };
  });
};

/** Images whose Pods come to machines of another release while a cluster is upgraded. */
const wandering = ["kube-proxy", "coredns", "pause"];

/** A release of Kubernetes as an image of machines: `root`, which lies over the base, and `containerd`, the store of its images. */
export const machineImage = async (options: {
  readonly cache: string;
  readonly base: string;
  readonly release: Release;
  /** Releases that other machines of a cluster may have. */
  readonly others: readonly Release[];
  readonly say: (line: string) => void;
}): Promise<string> => {
  const { cache, base, others, release, say } = options;
  const { programs, version } = release;
  const folder = join(cache, `image-${[version, ...others.map((other) => other.version)].join("-")}-3`);
  if (existsSync(folder)) return folder;
  say(`image ${version}: root and container images`);
  const building = `${folder}.building`;
  const scratch = join(building, "scratch");
  await rm(building, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true });
  await mkdir(join(building, "containerd"));
  const pause = join(scratch, "pause-program");
  await compilePause(pause);
  const own = await imagesOf(release, pause);
  const pauseImage = own.find(({ name }) => programOf(name) === "pause")?.name ?? "";
  await writeRoot(join(building, "root"), programs, pauseImage);
  const ofOthers = (await Promise.all(others.map((other) => imagesOf(other, pause)))).flat();
  const images = [...own, ...ofOthers.filter(({ name }) => wandering.includes(programOf(name)))];
  const archive = join(scratch, "images.tar");
  await writeImages(images, archive, { base, scratch, proxyWrapper: machineProgram("kube-proxy.sh") });
  const root = join(scratch, "mounted");
  await mkdir(root);
  const script = ["bash", "-c", importScript, "import", base, root, join(building, "containerd"), archive];
  await run("nice", ["-n", "10", "unshare", "--mount", "--pid", "--fork", "--kill-child", ...script]);
  await rm(scratch, { recursive: true });
  await rename(building, folder);
  return folder;
};
