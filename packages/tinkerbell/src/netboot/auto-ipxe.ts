import type { Hardware } from "../api/hardware.ts";

type Interface = NonNullable<NonNullable<Hardware["spec"]>["interfaces"]>[number];

/** Settings that all scripts share. */
export interface ScriptSettings {
  /** `host:port` that agents work for. */
  readonly grpcAuthority: string;
  readonly grpcTls: boolean;
  readonly grpcInsecureTls: boolean;
  /** Where kernel and initrd of the installation system are. */
  readonly osieUrl: string;
  readonly syslogHost: string;
  readonly facility: string;
  /** Kernel arguments of every machine, before its own. */
  readonly kernelArgs: readonly string[];
  /** True if machines without Hardware start the installation system as well. */
  readonly servesUnknown: boolean;
}

/** A machine that boots. */
export interface BootingMachine {
  readonly hardware: Hardware;
  readonly mac: string;
}

/** Why a machine gets no script. */
export interface NoScript {
  readonly status: 404 | 500;
  readonly message: string;
}

/** Tries of a download, a few seconds apart. */
const retries = 30;
const retrySeconds = 3;

const interfaceOf = ({ hardware, mac }: BootingMachine): Interface | undefined =>
  hardware.spec?.interfaces?.find(({ dhcp }) => dhcp?.mac?.toLowerCase() === mac);

/** The script that boots a machine from the network: its own, or the one that starts the installation system. */
export const autoIpxe = (machine: BootingMachine, settings: ScriptSettings): string | NoScript => {
  const { dhcp, netboot } = interfaceOf(machine) ?? {};
  const { namespace, name } = machine.hardware.metadata;
  const place = `Hardware ${namespace}/${name}`;
  if (netboot?.allowPXE !== true) {
    return { status: 404, message: `${place}: netboot.allowPXE of the interface ${machine.mac} is not true` };
  }
  const { url = "", contents = "" } = netboot.ipxe ?? {};
  if (url !== "") {
    if (!/^https?:\/\/\S+$/.test(url)) {
      return { status: 500, message: `${place}: netboot.ipxe.url is not a URL of http or https` };
    }
    return `#!ipxe\nchain --autofree ${url}\n`;
  }
  if (contents !== "") return contents.startsWith("#!ipxe") ? contents : `#!ipxe\n${contents}`;
  const { osie } = netboot;
  const arch = dhcp?.arch === undefined || dhcp.arch === "" ? "x86_64" : dhcp.arch;
  const own = osie?.kernelParams ?? [];
  const lines = [arch, osie?.baseURL, osie?.kernel, osie?.initrd, machine.hardware.spec?.agentID, ...own];
  if (lines.some((line) => /\p{Cc}/u.test(line ?? ""))) {
    const message = `${place}: agentID, or a text of netboot.osie of the interface ${machine.mac}, has a line break or another control character; correct it`;
    return { status: 500, message };
  }
  return installationScript({
    arch,
    downloadUrl: (osie?.baseURL ?? "") === "" ? settings.osieUrl : osie!.baseURL!,
    kernel: (osie?.kernel ?? "") === "" ? "vmlinuz-${arch}" : osie!.kernel!,
    initrd: (osie?.initrd ?? "") === "" ? "initramfs-${arch}" : osie!.initrd!,
    syslogHost: settings.syslogHost,
    args: kernelArgs(machine, { vlan: dhcp?.vlan_id ?? "", own }, settings),
  });
};

const kernelArgs = (
  { hardware, mac }: BootingMachine,
  { vlan, own }: { readonly vlan: string; readonly own: readonly string[] },
  settings: ScriptSettings,
): readonly string[] => [
  ...(vlan === "" ? [] : [`vlan_id=${vlan}`]),
  `facility=${settings.facility}`,
  `syslog_host=${settings.syslogHost}`,
  `grpc_authority=${settings.grpcAuthority}`,
  `tinkerbell_tls=${settings.grpcTls}`,
  `tinkerbell_insecure_tls=${settings.grpcInsecureTls}`,
  `worker_id=${(hardware.spec?.agentID ?? "") === "" ? mac : hardware.spec!.agentID!}`,
  `hw_addr=${mac}`,
  "modules=loop,squashfs,sd-mod,usb-storage",
  "intel_iommu=on",
  "iommu=pt",
  "initrd=${initrd}",
  "console=tty0",
  "console=ttyS1,115200",
  ...settings.kernelArgs,
  ...own,
];

interface Installation {
  readonly arch: string;
  readonly downloadUrl: string;
  readonly kernel: string;
  readonly initrd: string;
  readonly syslogHost: string;
  readonly args: readonly string[];
}

const installationScript = ({ arch, downloadUrl, kernel, initrd, syslogHost, args }: Installation): string =>
  [
    "#!ipxe",
    "",
    "echo Starting the installation system",
    ...(syslogHost === "" ? [] : [`set syslog ${syslogHost}`]),
    `set arch ${arch}`,
    `set download-url ${downloadUrl}`,
    `set kernel ${kernel}`,
    `set initrd ${initrd}`,
    `set retries:int32 ${retries}`,
    "",
    "set tries:int32 0",
    ":kernel",
    `kernel \${download-url}/\${kernel} ${args.join(" ")} && goto initrd ||`,
    "iseq ${tries} ${retries} && goto failed ||",
    `inc tries && echo Kernel not downloaded, trying again in ${retrySeconds} seconds && sleep ${retrySeconds} ||`,
    "goto kernel",
    "",
    ":initrd",
    "set tries:int32 0",
    ":initrd-download",
    "initrd ${download-url}/${initrd} && goto boot ||",
    "iseq ${tries} ${retries} && goto failed ||",
    `inc tries && echo Initrd not downloaded, trying again in ${retrySeconds} seconds && sleep ${retrySeconds} ||`,
    "goto initrd-download",
    "",
    ":boot",
    "boot ||",
    "",
    ":failed",
    "echo The installation system could not be started from ${download-url}",
    "imgfree",
    "exit 1",
    "",
  ].join("\n");
