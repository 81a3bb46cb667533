import type { GuestImage, SystemId } from "./guest-image.ts";

/** Family of a system, by its package manager. */
export type SystemFamily = "debian" | "redhat" | "suse";

export const familyOf = (system: SystemId): SystemFamily => {
  if (system === "ubuntu" || system === "debian") return "debian";
  return system === "opensuse-leap" || system === "sles" ? "suse" : "redhat";
};

/** On every system. */
const everywhere =
  "arch awk base64 basename bash blkid cat chgrp chmod chown chpasswd cloud-init cmp comm cp curl cut date dd df diff dirname dmesg du echo egrep env " +
  "expand expr false fdisk fgrep find flock fold free getconf getent gpg grep groupadd groupdel groups gunzip gzip head hostname hostnamectl id install ip " +
  "journalctl kill ln logger loginctl losetup ls lsblk lsmod md5sum mkdir mkfs.ext4 mktemp modprobe mount mountpoint mv networkctl nl nproc nsenter " +
  "od openssl passwd paste pgrep ping pkill printenv ps python3 readlink realpath rev rm rmdir sed seq sgdisk sh sha1sum sha256sum sha512sum shuf " +
  "sleep sort ss ssh-keygen stat sudo swapoff swapon sync sysctl systemctl systemd-detect-virt tac tail tar tc tee test timedatectl timeout touch tr " +
  "true truncate tty umount uname uniq update-ca-certificates useradd userdel usermod wc which whoami xargs yes zcat";

const more: Readonly<Record<SystemFamily, string>> = {
  debian: "apt apt-cache apt-get apt-key apt-mark dpkg dpkg-query lsb_release update-alternatives wget",
  redhat: "dnf rpm yum getenforce setenforce firewall-cmd semanage",
  suse: "rpm zypper wget",
};

/** Beside what their family has. */
const ofSystem: Partial<Record<SystemId, string>> = {
  ubuntu: "add-apt-repository ethtool iptables ip6tables ufw snap xz",
};

const sbin = new Set(
  "blkid chpasswd ethtool fdisk groupadd groupdel ip6tables iptables losetup mkfs.ext4 modprobe semanage setenforce sgdisk swapoff swapon sysctl tc ufw update-ca-certificates useradd userdel usermod".split(
    " ",
  ),
);

/** Returns whether a program is in `/usr/sbin`. */
export const isOfAdministrator = (name: string): boolean => sbin.has(name);

/** The programs that a stock image of a system has. */
export const systemPrograms = ({ system }: Pick<GuestImage, "system">): readonly string[] =>
  [everywhere, more[familyOf(system)], ofSystem[system] ?? ""]
    .flatMap((names) => names.split(" "))
    .filter((name) => name !== "");
