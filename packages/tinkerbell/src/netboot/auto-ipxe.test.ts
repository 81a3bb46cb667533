import { describe, expect, it } from "vitest";
import type { Hardware } from "../api/hardware.ts";
import { autoIpxe } from "./auto-ipxe.ts";
import { scriptSettings } from "./script-settings.ts";

type Interface = NonNullable<NonNullable<Hardware["spec"]>["interfaces"]>[number];

const mac = "52:54:00:00:00:0a";
const settings = scriptSettings({ address: "192.0.2.1", kernelArgs: ["extra=1"] });

const script = (
  netboot: Partial<NonNullable<Interface["netboot"]>>,
  { dhcp = {}, agentID }: { readonly dhcp?: Partial<NonNullable<Interface["dhcp"]>>; readonly agentID?: string } = {},
) => {
  const own: Interface = { disableDhcp: false, dhcp: { mac, ...dhcp }, netboot: { allowPXE: true, ...netboot } };
  const hardware: Hardware = {
    apiVersion: "tinkerbell.org/v1alpha1",
    kind: "Hardware",
    metadata: { name: "a", namespace: "lab" },
    spec: { interfaces: [own], ...(agentID === undefined ? {} : { agentID }) },
  };
  return autoIpxe({ hardware, mac }, settings);
};

describe("the script of a machine", () => {
  it("starts the installation system, and says whom its agent works for", () => {
    const text = script({});
    expect(text).toMatch(/^#!ipxe\n/);
    expect(text).toContain("set arch x86_64\nset download-url http://192.0.2.1:7173\n");
    expect(text).toContain(
      `kernel \${download-url}/\${kernel} facility=onprem syslog_host=192.0.2.1 grpc_authority=192.0.2.1:42113 ` +
        `tinkerbell_tls=false tinkerbell_insecure_tls=false worker_id=${mac} hw_addr=${mac} modules=loop,squashfs,sd-mod,usb-storage ` +
        "intel_iommu=on iommu=pt initrd=${initrd} console=tty0 console=ttyS1,115200 extra=1 && goto initrd ||\n",
    );
  });

  it("takes what the interface says of its own", () => {
    const text = script(
      { osie: { baseURL: "http://osie", kernel: "k", initrd: "i", kernelParams: ["own=1"] } },
      { dhcp: { arch: "aarch64", vlan_id: "16" }, agentID: "agent-7" },
    );
    expect(text).toContain("set arch aarch64\nset download-url http://osie\nset kernel k\nset initrd i\n");
    expect(text).toMatch(/kernel \S+ vlan_id=16 .*worker_id=agent-7 hw_addr=52:54:00:00:00:0a .* extra=1 own=1 &&/);
  });

  it("is the one that the interface names or brings; the URL wins", () => {
    expect(script({ ipxe: { url: "https://boot/x.ipxe", contents: "shell" } })).toBe(
      "#!ipxe\nchain --autofree https://boot/x.ipxe\n",
    );
    expect(script({ ipxe: { contents: "shell" } })).toBe("#!ipxe\nshell");
    expect(script({ ipxe: { contents: "#!ipxe\nshell" } })).toBe("#!ipxe\nshell");
  });

  it.each([
    [{ osie: { kernelParams: ["a=b", "c\nshell"] } }, {}],
    [{ osie: { kernel: "vmlinuz\r\nshell" } }, {}],
    [{}, { agentID: "a\nshell" }],
    [{}, { dhcp: { arch: "x\nshell" } }],
  ])("is refused with a line break that would begin a line of its own: %j", (netboot, more) => {
    expect(script(netboot, more)).toMatchObject({ status: 500, message: expect.stringContaining("a line break") });
  });

  it("is refused for a URL of another scheme, and where the machine may not boot from the network", () => {
    expect(script({ ipxe: { url: "tftp://boot/x" } })).toMatchObject({
      status: 500,
      message: expect.stringContaining("lab/a: netboot.ipxe.url"),
    });
    expect(script({ allowPXE: false })).toMatchObject({ status: 404, message: expect.stringContaining("allowPXE") });
  });
});
