import { type DhcpServices, type TinkerbellPart, tinkerbellParts, type TinkerbellServices } from "@capstan/tinkerbell";
import { loadKubeconfig } from "@capstan/kube";
import { createLogger, systemClock } from "@capstan/runtime";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { append } from "../flags.ts";
import { interruption } from "../interruption.ts";
import { serve } from "./serve.ts";

interface ServeFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: readonly string[];
  readonly address?: string;
  readonly listen?: string;
  readonly httpPort?: number;
  readonly grpcPort?: number;
  readonly trustedProxy?: readonly string[];
  readonly instanceIdRoute?: true;
  readonly workerPolicy?: "ip" | "off";
  readonly osieUrl?: string;
  readonly syslogHost?: string;
  readonly facility?: string;
  readonly kernelArg?: readonly string[];
  readonly ipxeFolder?: string;
  readonly ipxePatch?: string;
  readonly tftpPort?: number;
  readonly syslog?: true;
  readonly syslogPort?: number;
  readonly isoUrl?: string;
  readonly isoPlaceholder?: string;
  readonly isoIpam?: true;
  readonly dhcp?: DhcpServices["mode"];
  readonly dhcpListen?: string;
  readonly dhcpPort?: number;
  readonly dhcpScriptClass?: readonly string[];
  readonly leaderElect: boolean;
  readonly systemNamespace: string;
}

const port = (value: string): number => {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && number <= 65_535) return number;
  throw new InvalidArgumentError("must be a port from 1 to 65535.");
};

const dhcpOf = ({ dhcp: mode, dhcpListen: listen, dhcpPort, dhcpScriptClass }: ServeFlags): DhcpServices | undefined =>
  mode === undefined
    ? undefined
    : {
        mode,
        ...(listen !== undefined && { listen }),
        ...(dhcpPort !== undefined && { port: dhcpPort }),
        ...(dhcpScriptClass !== undefined && { scriptClasses: ["Tinkerbell", ...dhcpScriptClass] }),
      };

/** Returns the services for machines that the flags select. */
const servicesOf = (flags: ServeFlags): Partial<TinkerbellServices> => {
  const { address, listen, httpPort, grpcPort, instanceIdRoute, workerPolicy, osieUrl, syslogHost, facility } = flags;
  const { trustedProxy: trustedProxies, kernelArg: kernelArgs } = flags;
  const { ipxeFolder, ipxePatch, isoIpam, isoPlaceholder, isoUrl, syslog, syslogPort, tftpPort } = flags;
  const dhcp = dhcpOf(flags);
  const plain = { address, listen, httpPort, grpcPort, instanceIdRoute, workerPolicy, osieUrl, syslogHost, facility };
  const boot = { ipxeFolder, ipxePatch, isoIpam, isoPlaceholder, isoUrl, syslog, syslogPort, tftpPort };
  const given = Object.entries({ ...plain, ...boot, trustedProxies, kernelArgs, dhcp });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
};

const run = async (parts: readonly TinkerbellPart[], flags: ServeFlags): Promise<void> => {
  const { kubeconfig, context, leaderElect, systemNamespace } = flags;
  const chosen = context === undefined ? {} : { context };
  const access = await loadKubeconfig(
    kubeconfig === undefined ? { from: "default", ...chosen } : { file: kubeconfig, ...chosen },
  );
  const lacking = {
    dhcp: flags.dhcp === undefined,
    tftp: flags.ipxeFolder === undefined,
    syslog: flags.syslog !== true,
  };
  const all = tinkerbellParts.filter((part) => !(part in lacking && lacking[part as keyof typeof lacking]));
  await serve(
    {
      ...servicesOf(flags),
      parts: parts.length === 0 ? all : parts,
      namespaces: flags.namespace ?? [],
      leaderElect,
      systemNamespace,
    },
    { access, clock: systemClock, log: createLogger({ format: "text" }), signal: interruption() },
  );
};

/** `capstan-metal serve`: Tinkerbell against any management API, whole or in parts. */
export const serveCommand = (): Command =>
  new Command("serve")
    .description("Run Tinkerbell's services and controllers, or some of them, against a management API.")
    .addArgument(new Argument("[parts...]", "what to run (default: everything)").choices(tinkerbellParts))
    .option("--kubeconfig <file>", "of the management API (default: kubectl's, or the account of the Pod)")
    .option("--context <name>", "of the kubeconfig")
    .option("--namespace <name>", "only objects of this namespace; may be repeated", append)
    .option("--address <ip>", "the IP address at which machines reach http and grpc")
    .option("--listen <ip>", "the address to listen at (default: --address)")
    .option("--http-port <port>", "of scripts and metadata (default: 7080)", port)
    .option("--grpc-port <port>", "of the agents' API (default: 42113)", port)
    .option("--trusted-proxy <range>", "proxies whose X-Forwarded-For is believed; may be repeated", append)
    .option("--instance-id-route", "serve metadata also by instance id, to whoever knows one")
    .addOption(
      new Option(
        "--worker-policy <policy>",
        "ip: agents are known by the address of a Hardware; off: all are believed",
      ).choices(["ip", "off"]),
    )
    .option("--osie-url <url>", "where kernel and initrd of the installation system are")
    .option("--syslog-host <host>", "where machines that install send their log (default: --address)")
    .option("--facility <name>", "kernel argument of machines that install (default: onprem)")
    .option("--kernel-arg <arg>", "kernel argument of every machine that installs; may be repeated", append)
    .option("--ipxe-folder <path>", "serve binaries of iPXE by TFTP and HTTP; Debian's are in /usr/lib/ipxe")
    .option("--ipxe-patch <lines>", "lines for the script in binaries of Tinkerbell")
    .option("--tftp-port <port>", "of TFTP (default: 69)", port)
    .option("--syslog", "take the logs that machines send while they install")
    .option("--syslog-port <port>", "of those logs (default: 514)", port)
    .option("--iso-url <url>", "the image of machines that boot from a CD and whose interface names none")
    .option("--iso-placeholder <text>", "what images have in the place of kernel arguments (default: as Tinkerbell's)")
    .option("--iso-ipam", "tell systems that boot from a CD their address")
    .addOption(
      new Option(
        "--dhcp <mode>",
        "serve DHCP too: addresses and what to boot, or next to another server, or that for machines without Hardware too",
      ).choices(["reservation", "proxy", "auto-proxy"]),
    )
    .option("--dhcp-listen <ip>", "the address to listen at for DHCP (default: every one)")
    .option("--dhcp-port <port>", "of DHCP (default: 67)", port)
    .option(
      "--dhcp-script-class <class>",
      "iPXE that is sent to the script at once, such as iPXE; may be repeated",
      append,
    )
    .option("--no-leader-elect", "work at once; no other process may run the same controllers")
    .option("--system-namespace <name>", "where the Lease of the controllers is", "default")
    .action(run);
