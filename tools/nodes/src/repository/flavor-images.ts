import { existsSync } from "node:fs";
import { appendFile, cp, mkdir, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { internetNames, machineAuthority } from "./serve-internet.ts";
import { enabledUnits, maskedUnits, rootFiles } from "../assets/root-files.ts";
import { run } from "../assets/run.ts";

const configuration = "etc/containerd/config.toml";

/** Prints as its default the configuration that suits this host. */
const containerdWrapper = `#!/bin/sh
if [ "\${1:-} \${2:-}" = "config default" ]; then exec cat /usr/share/capstan-nodes/containerd.toml; fi
exec /usr/bin/containerd "$@"
`;

interface FlavorImageOptions {
  readonly cache: string;
  readonly base: string;
  /** The image of machines of the release. */
  readonly image: string;
  readonly version: string;
  readonly say: (line: string) => void;
}

/** Lets machines of an image find and trust the servers with which the host replaces the internet. */
const writeInternet = async (root: string, { base, cache }: FlavorImageOptions): Promise<void> => {
  const names = join(root, "usr/share/capstan-nodes/hosts");
  await mkdir(dirname(names), { recursive: true });
  await writeFile(names, `${internetNames.join("\n")}\n`);
  const bundle = "etc/ssl/certs/ca-certificates.crt";
  await mkdir(dirname(join(root, bundle)), { recursive: true });
  await cp(await realpath(join(base, bundle)), join(root, bundle));
  await appendFile(join(root, bundle), (await machineAuthority(cache)).certificate);
};

/** Makes an image once; the store of container images is that of the release's. */
const makeOnce = async (
  name: string,
  { cache, image }: FlavorImageOptions,
  fill: (root: string) => Promise<void>,
): Promise<string> => {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  const building = `${folder}.building`;
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  await fill(join(building, "root"));
  await symlink(join(image, "containerd"), join(building, "containerd"));
  await rename(building, folder);
  return folder;
};

/** An image as clouds and image-builder have it, with Kubernetes: that of the release. */
export const installedImage = (options: FlavorImageOptions): Promise<string> =>
  makeOnce(`installed-${options.version}-1`, options, async (root) => {
    await run("cp", ["--archive", join(options.image, "root"), root]);
    await writeInternet(root, options);
  });

/**
 * An image of machines on which nothing of Kubernetes is installed, for user data that installs it: a stock image of Debian, but for
 * containerd, whose package only configures and starts it.
 */
export const bareImage = (options: FlavorImageOptions): Promise<string> =>
  makeOnce(`bare-${options.version}-2`, options, async (root) => {
    options.say(`image without Kubernetes, for ${options.version}`);
    const write = async (path: string, text: string, mode = 0o644): Promise<void> => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text, { mode });
    };
    for (const path of ["etc/cloud/cloud.cfg.d/99-machine.cfg", "usr/share/capstan-nodes/kubelet.d/50-host.conf"]) {
      await write(path, rootFiles[path] ?? "");
    }
    const runtime = await readFile(join(options.image, "root", configuration), "utf8");
    await write("usr/share/capstan-nodes/containerd.toml", runtime);
    await write("usr/local/bin/containerd", containerdWrapper, 0o755);
    // Modules belong to the host's kernel, which has them.
    await write("usr/local/sbin/modprobe", "#!/bin/sh\nexit 0\n", 0o755);
    await write("etc/apt/sources.list", "");
    await write("etc/fstab", "");
    await writeInternet(root, options);
    const units = join(root, "etc/systemd/system");
    await mkdir(units, { recursive: true });
    for (const unit of maskedUnits) await symlink("/dev/null", join(units, unit));
    await symlink("/lib/systemd/system/multi-user.target", join(units, "default.target"));
    await mkdir(join(units, "cloud-init.target.wants"), { recursive: true });
    for (const unit of enabledUnits["cloud-init.target"] ?? []) {
      await symlink(`/lib/systemd/system/${unit}`, join(units, "cloud-init.target.wants", unit));
    }
    await mkdir(join(root, "etc/cni/net.d"), { recursive: true });
  });
