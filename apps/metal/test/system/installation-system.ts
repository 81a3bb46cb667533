import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const cloudKernel = "linux-image-cloud-amd64";
/** In the order in which they are loaded. */
const modules =
  "virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci failover net_failover virtio_net virtio_blk".split(
    " ",
  );
const libraries = "/lib/x86_64-linux-gnu";
const perl = "/usr/lib/x86_64-linux-gnu/perl-base";

const output = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** The package that the newest kernel for clouds comes in. */
const kernelPackage = (): string | undefined => /Depends: (\S+)/.exec(output("apt-cache", "depends", cloudKernel))?.[1];

/** Returns why no installation system can be built here; `undefined`: it can. */
export const whyNoSystem = (): string | undefined => {
  try {
    return kernelPackage() === undefined ? `apt knows no ${cloudKernel}: apt-get update` : undefined;
  } catch {
    return "there is no apt, from which the kernel comes";
  }
};

const init = `#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for m in ${modules.join(" ")}; do insmod /modules/$m.ko; done
ip link set lo up; ip link set eth0 up
udhcpc -i eth0 -s /udhcpc -n -q -t 20 -T 1
perl /agent.pl
sync
poweroff -f
`;

const bound = `#!/bin/busybox sh
[ "$1" = bound ] || exit 0
/bin/busybox ip addr add $ip/$mask dev $interface
`;

/** Writes `vmlinuz-x86_64` and `initramfs-x86_64` into a folder: Debian's kernel, busybox, and an agent that runs commands. */
export const buildSystem = (folder: string): void => {
  const [root, initrd] = [join(folder, "kernel"), join(folder, "initrd")];
  const name = kernelPackage() ?? cloudKernel;
  execFileSync("apt-get", ["-o", "Acquire::Retries=5", "download", name], { cwd: folder, stdio: "pipe" });
  const [file = ""] = readdirSync(folder).filter((each) => each.endsWith(".deb"));
  execFileSync("dpkg-deb", ["-x", join(folder, file), root]);
  for (const each of ["bin", "dev", "proc", "sys", "tmp", "modules", "lib64", libraries, perl]) {
    mkdirSync(join(initrd, each), { recursive: true });
  }
  copyFileSync("/bin/busybox", join(initrd, "bin/busybox"));
  copyFileSync("/usr/bin/perl", join(initrd, "bin/perl"));
  cpSync(perl, join(initrd, perl), { recursive: true, dereference: true });
  for (const each of ["libm.so.6", "libc.so.6", "libcrypt.so.1"]) {
    copyFileSync(join(libraries, each), join(initrd, libraries, each));
  }
  copyFileSync("/lib64/ld-linux-x86-64.so.2", join(initrd, "lib64/ld-linux-x86-64.so.2"));
  for (const each of output("find", root, "-name", "*.ko").split("\n")) {
    const own = modules.find((module) => each.endsWith(`/${module}.ko`));
    if (own !== undefined) copyFileSync(each, join(initrd, "modules", `${own}.ko`));
  }
  copyFileSync(join(import.meta.dirname, "guest-agent.pl"), join(initrd, "agent.pl"));
  writeFileSync(join(initrd, "init"), init, { mode: 0o755 });
  writeFileSync(join(initrd, "udhcpc"), bound, { mode: 0o755 });
  const target = join(folder, "initramfs-x86_64");
  execFileSync("sh", ["-c", `find . | cpio -o -H newc --quiet | gzip -1 > ${target}`], { cwd: initrd });
  const [kernel = ""] = readdirSync(join(root, "boot")).filter((each) => each.startsWith("vmlinuz-"));
  copyFileSync(join(root, "boot", kernel), join(folder, "vmlinuz-x86_64"));
};
