import type { Package } from "./package.ts";

const one = (name: string, version: string, more: Omit<Partial<Package>, "name" | "versions"> = {}): Package => ({
  name,
  versions: [version],
  ...more,
});

/** Packages that bring nothing which the model looks at. */
const plain =
  "apt-transport-https bash-completion ca-certificates cloud-init debian-archive-keyring dbus git gnupg-agent htop iproute2 kmod less " +
  "libseccomp2 linux-modules-extra locales logrotate lvm2 mount nano ncurses-base nfs-common nfs-utils nftables ntp open-iscsi openssh-client " +
  "openssh-server parted psmisc python3 python3-pip qemu-guest-agent rsync rsyslog sudo systemd systemd-resolved tmux tree tzdata util-linux vim " +
  "xfsprogs zip iscsi-initiator-utils container-selinux iproute iproute-tc epel-release policycoreutils-python-utils yum-utils dnf-plugins-core";

/** Packages in the repositories of the distributions themselves that scripts for installing nodes ask for. */
export const systemPackages: readonly Package[] = [
  one("containerd", "1.7.28", {
    programs: ["containerd", "ctr", "containerd-shim-runc-v2"],
    services: ["containerd"],
    depends: ["runc"],
  }),
  one("docker.io", "28.2.2", { programs: ["docker", "dockerd"], services: ["docker"], depends: ["containerd"] }),
  one("runc", "1.3.3"),
  one("cri-o", "1.34.2", { programs: ["crio"], services: ["crio"] }),
  one("socat", "1.7.4"),
  one("conntrack", "1.4.6"),
  one("conntrack-tools", "1.4.6", { programs: ["conntrack"] }),
  one("ethtool", "5.16"),
  one("iptables", "1.8.7", { programs: ["iptables", "ip6tables", "iptables-save", "iptables-restore"] }),
  one("ebtables", "2.0.11"),
  one("arptables", "0.0.5"),
  one("ipset", "7.15"),
  one("ipvsadm", "1.31"),
  one("jq", "1.6"),
  one("curl", "7.81.0"),
  one("wget", "1.21.2"),
  one("gettext-base", "0.21", { programs: ["envsubst"] }),
  one("gettext", "0.21", { programs: ["envsubst"] }),
  one("procps", "4.0"),
  one("gnupg", "2.2.27", { programs: ["gpg"] }),
  one("gnupg2", "2.2.27", { programs: ["gpg"] }),
  one("gpg", "2.2.27"),
  one("lsb-release", "11.1", { programs: ["lsb_release"] }),
  one("software-properties-common", "0.99", { programs: ["add-apt-repository"] }),
  one("tar", "1.34"),
  one("gzip", "1.10"),
  one("unzip", "6.0"),
  one("xz-utils", "5.2.5", { programs: ["xz"] }),
  one("net-tools", "1.60", { programs: ["netstat", "ifconfig"] }),
  one("chrony", "4.2", { programs: ["chronyc"], services: ["chrony"] }),
  one("haproxy", "2.4", { services: ["haproxy"] }),
  one("keepalived", "2.2", { services: ["keepalived"] }),
  one("firewalld", "1.3", { programs: ["firewall-cmd"], services: ["firewalld"] }),
  ...plain.split(" ").map((name) => one(name, "1.0", { programs: [] })),
];
