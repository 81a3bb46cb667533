import type { UnixProgram, UnixPrograms } from "../unix/program.ts";

/** Programs whose work nothing of the model looks at, and which print nothing that scripts read. */
const quiet =
  "arptables chronyc conntrack depmod ebtables ethtool ipset ipvsadm loginctl losetup mkfs.ext4 mkfs.xfs mount networkctl semanage setenforce " +
  "sgdisk ssh-keygen tc timedatectl udevadm umount update-alternatives update-ca-certificates";

const succeed: UnixProgram = () => 0;

/** Rules of a host's own firewall: those that let something through are taken as done, as everything is let through. */
const filter =
  (refused: RegExp): UnixProgram =>
  ({ args, fail }) =>
    refused.test(args.join(" "))
      ? fail("firewalls of the machine itself are not modelled, so this would have no effect; use one of the cloud")
      : 0;

const drops = filter(/(?:^| )(?:-j|--jump|-P .*) ?(?:DROP|REJECT)\b/);

export const quietPrograms: UnixPrograms = {
  ...Object.fromEntries(quiet.split(" ").map((name) => [name, succeed])),
  iptables: drops,
  ip6tables: drops,
  ufw: filter(/(?:^| )(?:deny|reject|limit|enable)\b/),
  "firewall-cmd": filter(/--(?:panic-on|remove-|add-rich-rule.*(?:drop|reject))/),
  getenforce: ({ write }) => (write("Permissive\n"), 0),
  journalctl: ({ write }) => (write("-- No entries --\n"), 0),
  "systemd-detect-virt": ({ write }) => (write("kvm\n"), 0),
};
