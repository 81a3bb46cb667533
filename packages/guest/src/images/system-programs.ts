import type { GuestImage, SystemId } from "./guest-image.ts";

/** How a system installs packages. */
export type SystemFamily = "debian" | "redhat" | "suse";

export const familyOf = (system: SystemId): SystemFamily => {
  if (system === "ubuntu" || system === "debian") return "debian";
  return system === "opensuse-leap" || system === "sles" ? "suse" : "redhat";
};

/** On every system. */
const everywhere =
  "awk base64 basename bash blkid cat chgrp chmod chown chpasswd cloud-init cp curl cut date dd df dirname dmesg du egrep env expr fgrep find " +
  "fdisk free getent gpg grep groupadd gunzip gzip head hostname hostnamectl id install ip journalctl kill ln loginctl losetup ls lsblk lsmod md5sum " +
  "mkdir mkfs.ext4 mktemp modprobe mount mountpoint mv networkctl nproc nsenter openssl passwd ping ps python3 readlink realpath rm rmdir sed seq " +
  "sgdisk sh sha256sum sha512sum sleep sort ss ssh-keygen stat sudo swapoff swapon sync sysctl systemctl systemd-detect-virt tail tar tc tee test " +
  "timedatectl timeout touch tr truncate umount uname uniq update-ca-certificates useradd usermod wc which whoami xargs zcat";

const more: Readonly<Record<SystemFamily, string>> = {
  debian: "apt apt-cache apt-get apt-key apt-mark dpkg dpkg-query lsb_release update-alternatives wget",
  redhat: "dnf rpm yum getenforce setenforce firewall-cmd semanage",
  suse: "rpm zypper wget",
};

/** Beside what their family has. */
const ofSystem: Partial<Record<SystemId, string>> = {
  ubuntu: "add-apt-repository ethtool iptables ip6tables ufw snap xz",
};

/** The programs that a stock image of a system has. */
export const systemPrograms = ({ system }: Pick<GuestImage, "system">): readonly string[] =>
  [everywhere, more[familyOf(system)], ofSystem[system] ?? ""]
    .flatMap((names) => names.split(" "))
    .filter((name) => name !== "");
