import {
  boolean,
  defaulted,
  flagField,
  int64,
  list,
  object,
  optional,
  string,
  textField,
  textsField,
} from "@capstan/schema";

const octet = "(25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)";
const ipv4 = `(${octet}\\.){3}${octet}`;
const vlan = "[1-3][0-9][0-9][0-9]|40([0-8][0-9]|9[0-6])";

const route = object(
  {
    destination_descriptor: string({
      description: "Range it leads to, for example 10.1.0.0/16.",
      pattern: `^${ipv4}/(3[0-2]|[12]?[0-9])$`,
    }),
    router: string({ description: "Address it goes by.", pattern: `^${ipv4}$` }),
  },
  { description: "A route." },
);

const dhcp = object(
  {
    mac: optional(
      string({
        description: "MAC address in lower case, with colons.",
        pattern: "([0-9a-f]{2}[:]){5}([0-9a-f]{2})",
      }),
    ),
    hostname: textField("Host name that is offered."),
    domain_name: textField("Domain that is offered."),
    lease_time: optional(int64({ description: "Seconds a lease lasts; a week when unset or 0." })),
    name_servers: textsField("Name servers that are offered.", "An address."),
    time_servers: textsField("Time servers that are offered.", "An address."),
    arch: textField("Architecture of the system that is booted; x86_64 when unset."),
    uefi: flagField("Whether it boots by UEFI."),
    iface_name: textField("Name of the interface in the system."),
    ip: optional(
      object(
        {
          address: textField("The address."),
          netmask: textField("Its netmask."),
          gateway: textField("The gateway of its network."),
          family: optional(int64({ description: "4 or 6." })),
        },
        { description: "The address that is offered." },
      ),
    ),
    vlan_id: optional(
      string({
        description: "VLAN the machine boots in.",
        pattern: `^(([0-9][0-9]{0,2}|${vlan})(,[1-9][0-9]{0,2}|${vlan})*)$`,
      }),
    ),
    classless_static_routes: optional(list(route, { description: "Routes that are offered." })),
    tftp_server_name: textField("Server to boot from instead of ours; goes with boot_file_name."),
    boot_file_name: textField("File to boot from there; goes with tftp_server_name."),
  },
  {
    description: "What DHCP offers it.",
    rules: [
      {
        rule: '(has(self.tftp_server_name) && self.tftp_server_name != "") == (has(self.boot_file_name) && self.boot_file_name != "")',
        message: "TFTPServerName and BootFileName must both be specified or both be empty",
      },
    ],
  },
);

const netboot = object(
  {
    allowPXE: flagField("Whether it may boot from the network; workflows switch it."),
    allowWorkflow: flagField("Not used."),
    ipxe: optional(
      object(
        {
          url: textField("Address of a script that is chained to; wins over contents."),
          contents: textField("A script of its own."),
          binary: textField("iPXE binary that is sent instead of the one of its architecture."),
        },
        { description: "How iPXE boots it." },
      ),
    ),
    osie: optional(
      object(
        {
          baseURL: textField("Where the installation environment is downloaded."),
          kernel: textField("File of the kernel."),
          initrd: textField("File of the initial file system."),
          kernelParams: textsField("Arguments of the kernel, after those of all machines.", "An argument."),
        },
        { description: "The installation environment." },
      ),
    ),
    pxelinux: optional(object({ config: textField("Its configuration.") }, { description: "How pxelinux boots it." })),
    rpi: optional(
      object(
        {
          serialNum: string({ description: "Serial number, the folder it asks for." }),
          configTxt: textField("Its config.txt."),
          firmwarePath: textField("Folder of its firmware."),
        },
        { description: "How a Raspberry Pi boots." },
      ),
    ),
  },
  { description: "How it boots from the network." },
);

/** One network interface of a machine. */
export const hardwareInterface = () =>
  object(
    {
      disableDhcp: defaulted(boolean({ description: "Whether DHCP leaves it alone." }), false),
      dhcp: optional(dhcp),
      netboot: optional(netboot),
      isoboot: optional(
        object(
          { sourceISO: optional(string({ description: "Address of the image.", format: "uri" })) },
          { description: "How it boots from an image of a CD." },
        ),
      ),
    },
    { description: "A network interface." },
  );
