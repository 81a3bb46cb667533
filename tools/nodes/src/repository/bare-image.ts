import { existsSync } from "node:fs";
import { appendFile, cp, mkdir, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { internetNames, machineAuthority } from "./serve-internet.ts";
import { enabledUnits, maskedUnits, rootFiles } from "../assets/root-files.ts";

const configuration = "etc/containerd/config.toml";

/** Prints as its default the configuration that suits this host. */
const containerdWrapper = `#!/bin/sh
if [ "\${1:-} \${2:-}" = "config default" ]; then exec cat /usr/share/capstan-nodes/containerd.toml; fi
exec /usr/bin/containerd "$@"
`;

/**
 * An image of machines on which nothing of Kubernetes is installed, for user data that installs it: a stock image of Debian, but for
 * containerd, whose package only configures and starts it. The store of container images is that of another image.
 */
export const bareImage = async (options: {
  readonly cache: string;
  readonly base: string;
  /** The image of machines of the release. */
  readonly image: string;
  readonly version: string;
  readonly say: (line: string) => void;
}): Promise<string> => {
  const { cache, base, image, say, version } = options;
  const folder = join(cache, `bare-${version}-1`);
  if (existsSync(folder)) return folder;
  say(`image without Kubernetes, for ${version}`);
  const building = `${folder}.building`;
  await rm(building, { recursive: true, force: true });
  const root = join(building, "root");
  const write = async (path: string, text: string, mode = 0o644): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text, { mode });
  };
  for (const path of ["etc/cloud/cloud.cfg.d/99-machine.cfg", "usr/share/capstan-nodes/kubelet.d/50-host.conf"]) {
    await write(path, rootFiles[path] ?? "");
  }
  await write("usr/share/capstan-nodes/containerd.toml", await readFile(join(image, "root", configuration), "utf8"));
  await write("usr/local/bin/containerd", containerdWrapper, 0o755);
  // Modules belong to the host's kernel, which has them.
  await write("usr/local/sbin/modprobe", "#!/bin/sh\nexit 0\n", 0o755);
  await write("usr/share/capstan-nodes/hosts", `${internetNames.join("\n")}\n`);
  await write("etc/apt/sources.list", "");
  await write("etc/fstab", "");
  const bundle = "etc/ssl/certs/ca-certificates.crt";
  await mkdir(dirname(join(root, bundle)), { recursive: true });
  await cp(await realpath(join(base, bundle)), join(root, bundle));
  await appendFile(join(root, bundle), (await machineAuthority(cache)).certificate);
  const units = join(root, "etc/systemd/system");
  await mkdir(units, { recursive: true });
  for (const unit of maskedUnits) await symlink("/dev/null", join(units, unit));
  await symlink("/lib/systemd/system/multi-user.target", join(units, "default.target"));
  await mkdir(join(units, "cloud-init.target.wants"), { recursive: true });
  for (const unit of enabledUnits["cloud-init.target"] ?? []) {
    await symlink(`/lib/systemd/system/${unit}`, join(units, "cloud-init.target.wants", unit));
  }
  await mkdir(join(root, "etc/cni/net.d"), { recursive: true });
  await symlink(join(image, "containerd"), join(building, "containerd"));
  await rename(building, folder);
  return folder;
};
