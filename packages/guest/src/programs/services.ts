import type { MachineSoftwareHost } from "./host.ts";
import { moduleOfSetting, setEnabled, setRunning, setSetting, settingsIn } from "../software/machine-software.ts";
import { readOptions, type UnixContext, type UnixProgram, type UnixPrograms } from "../unix/program.ts";

const unitFolders = [
  "/etc/systemd/system",
  "/run/systemd/system",
  "/usr/local/lib/systemd/system",
  "/usr/lib/systemd/system",
  "/lib/systemd/system",
];

/** Units that every system has, and that have nothing the model looks at. */
const everywhere =
  /^(?:ssh|sshd|systemd-.*|cron|crond|rsyslog|networking|NetworkManager|apparmor|apt-daily.*|unattended-upgrades|multipathd|iscsid|open-iscsi|chronyd|ntp|ufw|dbus|cloud-.*|.*\.(?:timer|target|socket|mount|slice|path))$/;

const unitOf = ({ disk }: Pick<UnixContext, "disk">, name: string): string | undefined =>
  unitFolders.map((folder) => disk.text(`${folder}/${name}.service`)).find((text) => text !== undefined);

/** The command that a unit starts: that of its drop-ins comes after its own, and an empty one clears those before. */
const startsOf = (context: Pick<UnixContext, "disk">, name: string): string | undefined => {
  const dropIns = context.disk.paths().filter((path) => path.includes(`/${name}.service.d/`) && path.endsWith(".conf"));
  const texts = [unitOf(context, name) ?? "", ...dropIns.map((path) => context.disk.text(path) ?? "")];
  return texts.flatMap((text) => [...text.matchAll(/^ExecStart=(.*)$/gm)].map(([, command = ""]) => command)).at(-1);
};

const start = async (
  context: UnixContext,
  host: MachineSoftwareHost,
  name: string,
  verb = "start",
): Promise<number> => {
  const { disk, runScript, session, streams } = context;
  const unit = unitOf(context, name);
  if (unit === undefined) {
    if (everywhere.test(name)) return 0;
    streams.err(`Failed to ${verb} ${name}.service: Unit ${name}.service not found.\n`);
    return 5;
  }
  if (unit === "") {
    streams.err(`Failed to ${verb} ${name}.service: Unit ${name}.service is masked.\n`);
    return 1;
  }
  const command = (startsOf(context, name) ?? "").replace(/^[-@+!:]+/, "");
  const [program = ""] = command.split(/\s+/);
  const failed = (): number => {
    streams.err(
      `Job for ${name}.service failed because the control process exited with error code.\nSee "systemctl status ${name}.service" and "journalctl -xeu ${name}.service" for details.\n`,
    );
    return 1;
  };
  if (program !== "" && disk.stat(program) === undefined) return failed();
  if (/^Type=oneshot/m.test(unit)) {
    const status = await runScript(command, { name: program, args: [], dialect: session.dialect });
    if (status !== 0) return failed();
  }
  setRunning(host.software, name, true);
  return 0;
};

const enable = (context: UnixContext, host: MachineSoftwareHost, name: string, enabled: boolean): number => {
  const unit = unitOf(context, name);
  if (unit === undefined && everywhere.test(name)) return 0;
  if (unit === undefined) {
    context.streams.err(
      `Failed to ${enabled ? "enable" : "disable"} unit: Unit file ${name}.service does not exist.\n`,
    );
    return 1;
  }
  setEnabled(host.software, context.disk, name, enabled);
  return 0;
};

const act = async (
  context: UnixContext,
  host: MachineSoftwareHost,
  verb: string,
  name: string,
  now: boolean,
): Promise<number> => {
  const state = host.software.services.get(name) ?? { enabled: false, running: false };
  switch (verb) {
    case "start":
    case "restart":
    case "reload-or-restart":
    case "try-restart":
    case "reload":
      return start(context, host, name, verb);
    case "enable": {
      const status = enable(context, host, name, true);
      return status === 0 && now ? start(context, host, name) : status;
    }
    case "disable":
    case "stop":
      if (verb === "disable") enable(context, host, name, false);
      if (verb === "stop" || now) setRunning(host.software, name, false);
      return 0;
    case "mask":
      context.disk.write(`/etc/systemd/system/${name}.service`, "");
      return 0;
    case "unmask":
      if (context.disk.text(`/etc/systemd/system/${name}.service`) === "") {
        context.disk.remove(`/etc/systemd/system/${name}.service`);
      }
      return 0;
    case "is-active":
    case "status":
      context.write(state.running ? "active\n" : "inactive\n");
      return state.running || (unitOf(context, name) === undefined && everywhere.test(name)) ? 0 : 3;
    case "is-enabled":
      context.write(state.enabled ? "enabled\n" : "disabled\n");
      return state.enabled ? 0 : 1;
    default:
      return 0;
  }
};

const systemctl =
  (host: MachineSoftwareHost): UnixProgram =>
  async (context) => {
    const { options, words } = readOptions(context.args, ["-p", "--property", "-n", "-t"]);
    const [verb = "", ...names] = words;
    let status = 0;
    for (const word of names) {
      const found = await act(context, host, verb, word.replace(/\.service$/, ""), options.has("--now"));
      if (found !== 0) status = found;
    }
    return status;
  };

const modprobe =
  (host: MachineSoftwareHost): UnixProgram =>
  ({ args, fail }) => {
    const { options, words } = readOptions(args);
    for (const name of options.has("-a") ? words : words.slice(0, 1)) {
      if (
        !/^(?:overlay|br_netfilter|nf_conntrack|ip_vs\w*|ip6?_tables|ip6?table_\w+|xt_\w+|vxlan|wireguard|nbd|iscsi_tcp|dm_\w+|tun|bridge|ipip|ipt_\w+|nf_\w+|rbd|8021q|fuse)$/.test(
          name.replaceAll("-", "_"),
        )
      ) {
        return fail(`FATAL: Module ${name} not found in directory /lib/modules/6.8.0`);
      }
      if (options.has("-r")) host.software.modules.delete(name);
      else host.software.modules.add(name.replaceAll("-", "_"));
    }
    return 0;
  };

const sysctl =
  (host: MachineSoftwareHost): UnixProgram =>
  ({ args, disk, fail, write }) => {
    const { modules, settings } = host.software;
    const { options, words } = readOptions(args, ["-f"]);
    let status = 0;
    const set = (key: string, value: string): void => {
      const needed = moduleOfSetting(key);
      if (needed !== undefined && !modules.has(needed)) {
        fail(`cannot stat /proc/sys/${key.replaceAll(".", "/")}: No such file or directory`);
        if (!options.has("--system")) status = 255;
        return;
      }
      setSetting(host.software, key, value);
      write(`${key} = ${value}\n`);
    };
    const isFile = options.has("-p") || options.has("-f") || options.has("--load");
    const files = options.has("--system")
      ? disk.paths().filter((path) => /^\/(?:etc|run|usr\/lib)\/sysctl\.d\/.*\.conf$|^\/etc\/sysctl\.conf$/.test(path))
      : isFile
        ? words.length === 0
          ? ["/etc/sysctl.conf"]
          : words
        : [];
    for (const path of files) {
      const text = disk.text(path);
      if (text === undefined) return fail(`cannot open "${path}": No such file or directory`, 255);
      for (const [key, value] of settingsIn(text)) set(key, value);
    }
    for (const word of files.length > 0 ? [] : words) {
      const [pair] = settingsIn(word);
      if (pair !== undefined) set(...pair);
      else if (settings.has(word)) {
        write(options.has("-n") ? `${settings.get(word)}\n` : `${word} = ${settings.get(word)}\n`);
      } else status = fail(`cannot stat /proc/sys/${word.replaceAll(".", "/")}: No such file or directory`, 255);
    }
    return status;
  };

/** The programs that change what runs, and the kernel. */
export const servicePrograms = (host: MachineSoftwareHost): UnixPrograms => ({
  systemctl: systemctl(host),
  service: (context) => {
    const [name = "", verb = ""] = context.args;
    return act(context, host, verb, name, false);
  },
  modprobe: modprobe(host),
  lsmod: ({ write }) => {
    for (const name of host.software.modules) write(`${name} 32768 0\n`);
    return 0;
  },
  sysctl: sysctl(host),
  swapoff: () => {
    host.software.swap = false;
    return 0;
  },
  swapon: ({ args, write }) => {
    if (args.some((word) => word.startsWith("--show") || word === "-s")) {
      write(host.software.swap ? "/swap.img file 512M 0B -2\n" : "");
    } else host.software.swap = true;
    return 0;
  },
});
