import { accountFiles } from "../boot/accounts.ts";
import type { DiskBase, DiskFile } from "../boot/disk.ts";
import { programFile } from "../unix/program.ts";
import { cniPlugins, unitFiles } from "../packages/unit-files.ts";
import type { GuestImage } from "./guest-image.ts";
import { familyOf, isOfAdministrator, systemPrograms } from "./system-programs.ts";

const folders = [
  "/",
  "/boot",
  "/dev",
  "/dev/shm",
  "/etc",
  "/etc/cron.d",
  "/etc/default",
  "/etc/modules-load.d",
  "/etc/profile.d",
  "/etc/ssl",
  "/etc/ssl/certs",
  "/etc/sudoers.d",
  "/etc/sysctl.d",
  "/etc/systemd",
  "/etc/systemd/network",
  "/etc/systemd/system",
  "/etc/systemd/system/multi-user.target.wants",
  "/home",
  "/media",
  "/mnt",
  "/opt",
  "/proc",
  "/root",
  "/run",
  "/run/systemd",
  "/srv",
  "/sys",
  "/sys/fs/cgroup",
  "/tmp",
  "/usr",
  "/usr/bin",
  "/usr/lib",
  "/usr/lib/systemd",
  "/usr/lib/systemd/system",
  "/usr/local",
  "/usr/local/bin",
  "/usr/local/lib",
  "/usr/local/sbin",
  "/usr/local/share",
  "/usr/sbin",
  "/usr/share",
  "/usr/share/keyrings",
  "/usr/src",
  "/var",
  "/var/cache",
  "/var/lib",
  "/var/lib/cloud",
  "/var/lib/cloud/instance",
  "/var/log",
  "/var/tmp",
];

const ofFamily = {
  debian: [
    "/etc/apt",
    "/etc/apt/apt.conf.d",
    "/etc/apt/preferences.d",
    "/etc/apt/sources.list.d",
    "/etc/apt/trusted.gpg.d",
    "/var/lib/apt",
    "/var/lib/apt/lists",
  ],
  redhat: ["/etc/yum.repos.d", "/etc/pki", "/etc/pki/rpm-gpg", "/etc/sysconfig", "/etc/selinux"],
  suse: ["/etc/zypp", "/etc/zypp/repos.d", "/etc/sysconfig"],
} as const;

const codenames: Readonly<Record<string, string>> = {
  "20.04": "focal",
  "22.04": "jammy",
  "24.04": "noble",
  "26.04": "resolute",
  "11": "bullseye",
  "12": "bookworm",
  "13": "trixie",
};

/** The short name of a release, which repositories of Debian and Ubuntu go by. */
const codenameOf = ({ release }: Pick<GuestImage, "release">): string => codenames[release] ?? "stable";

/** The systems that one is like, in the words of its own. */
const likeOf = ({ system }: GuestImage): string => {
  if (system === "ubuntu") return "debian";
  return familyOf(system) === "suse" ? "suse opensuse" : "rhel centos fedora";
};

const osRelease = (image: GuestImage): string =>
  [
    `NAME="${image.system}"`,
    `ID=${image.system}`,
    ...(image.system === "debian" ? [] : [`ID_LIKE="${likeOf(image)}"`]),
    `VERSION_ID="${image.release}"`,
    `VERSION_CODENAME=${codenameOf(image)}`,
    `PRETTY_NAME="${image.system} ${image.release}"`,
    "",
  ].join("\n");

const hasKeyrings = ({ system, release }: GuestImage): boolean =>
  !(system === "ubuntu" && release === "20.04") && !(system === "debian" && release === "11");

/** Returns the initial files of the disk of a machine made from an image. */
export const baseDisk = (image: GuestImage): DiskBase => {
  const family = familyOf(image.system);
  const files = new Map<string, DiskFile>();
  const put = (path: string, text: string, permissions = "0644"): void =>
    void files.set(path, { bytes: new TextEncoder().encode(text), owner: "root:root", permissions });
  for (const name of systemPrograms(image)) {
    put(`/usr/${isOfAdministrator(name) ? "sbin" : "bin"}/${name}`, programFile(name, image.release), "0755");
  }
  for (const [name, version] of Object.entries(image.programs ?? {})) {
    put(`/usr/bin/${name}`, programFile(name, version), "0755");
  }
  if (image.programs?.["kubelet"] !== undefined) {
    for (const name of cniPlugins) put(`/opt/cni/bin/${name}`, programFile(name, "v1.6.2"), "0755");
  }
  for (const service of image.services ?? []) {
    for (const [path, text] of Object.entries(unitFiles(service))) put(path, text);
    put(`/etc/systemd/system/multi-user.target.wants/${service}.service`, "");
  }
  const { modules = [], settings = {} } = image.kernel ?? {};
  put("/etc/modules-load.d/image.conf", modules.map((name) => `${name}\n`).join(""));
  put(
    "/etc/sysctl.d/10-image.conf",
    Object.entries(settings)
      .map(([key, value]) => `${key} = ${value}\n`)
      .join(""),
  );
  put(
    "/etc/fstab",
    `/dev/sda / ext4 errors=remount-ro 0 1\n${image.swap === true ? "/swap.img none swap sw 0 0\n" : ""}`,
  );
  put("/etc/os-release", osRelease(image));
  put("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory hugetlb pids rdma misc\n");
  for (const [path, text] of Object.entries(accountFiles)) put(path, text);
  put("/etc/hosts", "127.0.0.1 localhost\n");
  put("/etc/hostname", "localhost\n");
  put("/etc/resolv.conf", "nameserver 127.0.0.53\n");
  if (family === "debian") {
    const archive = image.system === "ubuntu" ? "http://archive.ubuntu.com/ubuntu" : "http://deb.debian.org/debian";
    put("/etc/apt/sources.list", `deb ${archive} ${codenameOf(image)} main universe\n`);
  }
  if (family === "redhat") {
    put("/etc/redhat-release", `${image.system} release ${image.release}\n`);
    put(
      "/etc/yum.repos.d/system.repo",
      "[baseos]\nname=Base\nbaseurl=https://repo.system.invalid/baseos\nenabled=1\ngpgcheck=0\n",
    );
  }
  const keyrings = family === "debian" && hasKeyrings(image) ? ["/etc/apt/keyrings"] : [];
  return { files, folders: new Set([...folders, ...ofFamily[family], ...keyrings, ...foldersOf(files)]), links };
};

/** Folders that have become one on every system. */
const links: ReadonlyMap<string, string> = new Map([
  ["/bin", "usr/bin"],
  ["/sbin", "usr/sbin"],
  ["/lib", "usr/lib"],
  ["/var/run", "/run"],
]);

/** The folders that files lie in. */
const foldersOf = (files: ReadonlyMap<string, DiskFile>): readonly string[] =>
  [...files.keys()].flatMap((path) => {
    const parts = path.split("/");
    return parts.slice(1, -1).map((_, index) => parts.slice(0, index + 2).join("/"));
  });
