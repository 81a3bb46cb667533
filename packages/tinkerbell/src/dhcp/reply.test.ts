import { describe, expect, it } from "vitest";
import type { Hardware } from "../api/hardware.ts";
import { DhcpOption } from "./option-values.ts";
import { type DhcpPacket, DhcpType } from "./packet.ts";
import { dhcpReply, type DhcpSettings } from "./reply.ts";

type Interface = NonNullable<NonNullable<Hardware["spec"]>["interfaces"]>[number];

const mac = "52:54:00:00:00:0a";
const settings: DhcpSettings = {
  mode: "reservation",
  address: "10.0.0.1",
  syslogHost: "10.0.0.9",
  httpUrl: "http://10.0.0.1:7080",
  scriptClasses: ["Tinkerbell"],
};
const proxy: DhcpSettings = { ...settings, mode: "proxy" };

const own: Interface = {
  disableDhcp: false,
  dhcp: {
    mac,
    hostname: "node-a",
    domain_name: "lab.example",
    lease_time: 3600,
    name_servers: ["10.0.0.53", "nonsense"],
    time_servers: ["10.0.0.123"],
    ip: { address: "10.0.0.5", netmask: "255.255.254.0", gateway: "10.0.0.254" },
    classless_static_routes: [{ destination_descriptor: "10.9.0.0/16", router: "10.0.0.254" }],
  },
  netboot: { allowPXE: true },
};

interface Client {
  readonly vendor?: string;
  readonly arch?: number;
  readonly userClass?: string;
  readonly machineId?: Uint8Array;
  readonly mac?: string;
}

const request = (type: number, client: Client = {}): DhcpPacket => {
  const { vendor, arch = 0, userClass, machineId, mac: from = mac } = client;
  const options: readonly (readonly [number, Uint8Array | undefined])[] = [
    [DhcpOption.messageType, Uint8Array.from([type])],
    [DhcpOption.vendorClass, vendor === undefined ? undefined : Buffer.from(vendor)],
    [DhcpOption.clientArch, vendor === undefined ? undefined : Uint8Array.from([0, arch])],
    [DhcpOption.networkInterface, vendor === undefined ? undefined : Uint8Array.from([1, 3, 0])],
    [DhcpOption.userClass, userClass === undefined ? undefined : Buffer.from(userClass)],
    [DhcpOption.machineId, machineId],
  ];
  const any = "0.0.0.0";
  return {
    op: 1,
    xid: 7,
    secs: 0,
    flags: 0,
    ciaddr: any,
    yiaddr: any,
    siaddr: any,
    giaddr: any,
    mac: from,
    file: "",
    options: new Map(options.filter((option): option is [number, Uint8Array] => option[1] !== undefined)),
  };
};

const pxe = "PXEClient:Arch:00000:UNDI:002001";
const http = "HTTPClient:Arch:00016:UNDI:003001";

const optionsOf = (reply: DhcpPacket | undefined): Readonly<Record<number, string>> =>
  Object.fromEntries([...(reply?.options ?? [])].map(([code, value]) => [code, Buffer.from(value).toString("hex")]));

describe("a machine with a reservation", () => {
  it("is offered its address, and what its interface says", () => {
    const offer = dhcpReply(request(DhcpType.discover), own, settings);
    expect(offer).toMatchObject({ op: 2, xid: 7, yiaddr: "10.0.0.5", siaddr: "10.0.0.1", file: "", mac });
    expect(optionsOf(offer)).toEqual({
      [DhcpOption.messageType]: "02",
      [DhcpOption.server]: "0a000001",
      [DhcpOption.leaseTime]: "00000e10",
      [DhcpOption.netmask]: "fffffe00",
      [DhcpOption.routers]: "0a0000fe",
      [DhcpOption.nameServers]: "0a000035",
      [DhcpOption.logServers]: "0a000009",
      [DhcpOption.hostname]: Buffer.from("node-a").toString("hex"),
      [DhcpOption.domainName]: Buffer.from("lab.example").toString("hex"),
      [DhcpOption.searchList]: "036c6162076578616d706c6500",
      [DhcpOption.broadcast]: "0a0001ff",
      [DhcpOption.timeServers]: "0a00007b",
      [DhcpOption.routes]: "100a090a0000fe",
    });
  });

  it("gets it acknowledged, for a week where nothing is said of the time", () => {
    const { lease_time: _, ...dhcp } = own.dhcp!;
    const ack = dhcpReply(request(DhcpType.request), { ...own, dhcp }, settings);
    expect(optionsOf(ack)).toMatchObject({ [DhcpOption.messageType]: "05", [DhcpOption.leaseTime]: "00093a80" });
  });

  it("hears nothing when it is not known, is left alone, or releases its address", () => {
    expect(dhcpReply(request(DhcpType.discover), undefined, settings)).toBeUndefined();
    expect(dhcpReply(request(DhcpType.discover), { ...own, disableDhcp: true }, settings)).toBeUndefined();
    expect(dhcpReply(request(DhcpType.release), own, settings)).toBeUndefined();
    expect(dhcpReply({ ...request(DhcpType.discover), op: 2 }, own, settings)).toBeUndefined();
  });
});

describe("a machine that asks for an address", () => {
  const value = (text: string): Uint8Array => Uint8Array.from(text.split(".").map(Number));
  const asking = (options: Readonly<Record<number, string>>, given: Partial<DhcpPacket> = {}): DhcpPacket => {
    const plain = request(DhcpType.request);
    const more = Object.entries(options).map(([code, text]) => [Number(code), value(text)] as const);
    return { ...plain, ...given, options: new Map([...plain.options, ...more]) };
  };
  const typeOf = (packet: DhcpPacket): number | undefined =>
    dhcpReply(packet, own, settings)?.options.get(DhcpOption.messageType)?.[0];

  it.each([
    ["that it was offered here", asking({ 50: "10.0.0.5", 54: "10.0.0.1" }), DhcpType.ack],
    ["that another server offered", asking({ 50: "10.0.0.5", 54: "10.0.0.2" }), undefined],
    ["that it remembers", asking({ 50: "10.0.0.5" }), DhcpType.ack],
    ["that it remembers from elsewhere", asking({ 50: "192.0.2.77" }), DhcpType.nak],
    ["that it has", asking({}, { ciaddr: "10.0.0.5" }), DhcpType.ack],
    ["that it has, and that is not reserved", asking({}, { ciaddr: "10.0.0.6" }), DhcpType.nak],
  ])("%s gets what the reservation says", (_, packet, expected) => {
    expect(typeOf(packet)).toBe(expected);
  });

  it("is refused in a packet without any address, which a relay has to broadcast", () => {
    const refused = dhcpReply(asking({ 50: "192.0.2.77" }, { giaddr: "10.0.9.1" }), own, settings);
    expect(refused).toMatchObject({ yiaddr: "0.0.0.0", ciaddr: "0.0.0.0", siaddr: "0.0.0.0", flags: 0x80_00 });
    expect([...(refused?.options.keys() ?? [])]).toEqual([
      DhcpOption.messageType,
      DhcpOption.server,
      DhcpOption.message,
    ]);
  });

  it("is told everything but an address when it has one of its own", () => {
    const told = dhcpReply({ ...request(DhcpType.inform), ciaddr: "10.0.0.77" }, own, settings);
    expect(told).toMatchObject({ ciaddr: "10.0.0.77", yiaddr: "0.0.0.0" });
    expect(optionsOf(told)).toMatchObject({ [DhcpOption.messageType]: "05", [DhcpOption.nameServers]: "0a000035" });
    expect(optionsOf(told)).not.toHaveProperty(String(DhcpOption.leaseTime));
  });

  it("is found by its relay: what that put into the packet comes back", () => {
    const relayed = asking({ 50: "10.0.0.5", [DhcpOption.relay]: "1.2.7.7" }, { giaddr: "10.0.9.1" });
    expect(optionsOf(dhcpReply(relayed, own, settings))).toMatchObject({ [DhcpOption.relay]: "01020707" });
  });
});

describe("a proxy", () => {
  const typeOf = (packet: DhcpPacket, door: "server" | "boot"): number | undefined =>
    dhcpReply(packet, own, proxy, door)?.options.get(DhcpOption.messageType)?.[0];
  const client = { vendor: pxe, arch: 7 };

  it("leaves requests for addresses to the server that gives them", () => {
    expect(typeOf(request(DhcpType.request, client), "server")).toBeUndefined();
    const other = request(DhcpType.request, client);
    const chosen = {
      ...other,
      options: new Map([...other.options, [DhcpOption.server, Uint8Array.from([10, 0, 0, 2])]]),
    };
    expect(typeOf(chosen, "server")).toBeUndefined();
    expect(typeOf(request(DhcpType.discover, client), "server")).toBe(DhcpType.offer);
  });

  it("tells firmware what to boot at its own port", () => {
    expect(typeOf(request(DhcpType.request, client), "boot")).toBe(DhcpType.ack);
    expect(dhcpReply(request(DhcpType.request, client), own, proxy, "boot")?.file).toBe("ipxe.efi");
    expect(typeOf(request(DhcpType.request), "boot")).toBeUndefined();
  });
});

describe("what is booted next", () => {
  it.each([
    ["BIOS", { vendor: pxe, arch: 0 }, "undionly.kpxe"],
    ["UEFI", { vendor: pxe, arch: 7 }, "ipxe.efi"],
    ["UEFI on ARM", { vendor: pxe, arch: 11 }, "snp-arm64.efi"],
    ["a Raspberry Pi", { vendor: pxe, arch: 0, mac: "b8:27:eb:00:00:01" }, "snp-arm64.efi"],
    ["iPXE of others", { vendor: pxe, userClass: "iPXE" }, `tftp://10.0.0.1:69/${mac}/undionly.kpxe`],
    ["UEFI over HTTP", { vendor: http, arch: 16 }, `http://10.0.0.1:7080/ipxe/binary/${mac}/ipxe.efi`],
    ["our iPXE", { vendor: pxe, userClass: "Tinkerbell" }, `http://10.0.0.1:7080/ipxe/script/${mac}/auto.ipxe`],
    [
      "our iPXE, with lengths",
      { vendor: pxe, userClass: "\nTinkerbell" },
      `http://10.0.0.1:7080/ipxe/script/${mac}/auto.ipxe`,
    ],
  ])("by %s is named in the packet, with the next server", (_, client, file) => {
    for (const mode of [settings, proxy]) {
      const offer = dhcpReply(request(DhcpType.discover, client), own, mode);
      expect(offer).toMatchObject({ file, siaddr: "10.0.0.1" });
      expect(optionsOf(offer)).toMatchObject({
        [DhcpOption.vendorClass]: Buffer.from(client.vendor.split(":")[0]!).toString("hex"),
        [DhcpOption.vendor]: "060108ff",
      });
    }
  });

  it("is what the interface says: its own binary, its own script, its own server", () => {
    const with_ = (netboot: NonNullable<Interface["netboot"]>, userClass: string) =>
      dhcpReply(request(DhcpType.discover, { vendor: pxe, userClass }), { ...own, netboot }, settings)?.file;
    expect(with_({ allowPXE: true, ipxe: { binary: "own.efi" } }, "")).toBe("own.efi");
    expect(with_({ allowPXE: true, ipxe: { url: "http://boot/own" } }, "Tinkerbell")).toBe("http://boot/own");
    const dhcp = { ...own.dhcp, tftp_server_name: "boot.example", boot_file_name: "own.0" };
    const named = dhcpReply(request(DhcpType.discover, { vendor: pxe }), { ...own, dhcp }, settings);
    expect(named?.file).toBe("own.0");
    expect(optionsOf(named)).toMatchObject({
      [DhcpOption.tftpServer]: Buffer.from("boot.example").toString("hex"),
      [DhcpOption.bootFile]: Buffer.from("own.0").toString("hex"),
    });
    expect(optionsOf(named)[DhcpOption.vendorClass]).toBeUndefined();
  });

  it("goes to the script at once for other builds of iPXE that are named", () => {
    const stock = { ...settings, scriptClasses: ["Tinkerbell", "iPXE"] };
    expect(dhcpReply(request(DhcpType.discover, { vendor: pxe, userClass: "iPXE" }), own, stock)?.file).toMatch(
      /auto\.ipxe$/,
    );
  });

  it("is refused while the machine may not netboot, in words that firmware shows", () => {
    const shut = { ...own, netboot: { allowPXE: false } };
    const offer = (mode: DhcpSettings) => dhcpReply(request(DhcpType.discover, { vendor: pxe }), shut, mode);
    expect(offer(settings)).toMatchObject({ file: "/netboot-not-allowed", siaddr: "0.0.0.0", yiaddr: "10.0.0.5" });
    expect(offer(proxy)).toMatchObject({ file: `/${mac}/netboot-not-allowed`, siaddr: "0.0.0.0", yiaddr: "0.0.0.0" });
  });

  it.each([
    ["no vendor class", {}],
    ["a vendor class of others", { vendor: "MSFT 5.0" }],
    ["an id that is no UUID", { vendor: pxe, machineId: Uint8Array.from([0, 1, 2]) }],
    ["an id of another type", { vendor: pxe, machineId: new Uint8Array(17).fill(1) }],
  ])("is nothing to a client with %s", (_, client) => {
    expect(dhcpReply(request(DhcpType.discover, client), own, settings)?.file).toBe("");
    expect(dhcpReply(request(DhcpType.discover, client), own, proxy)).toBeUndefined();
  });
});

it("gives no addresses as a proxy", () => {
  const offer = dhcpReply(request(DhcpType.discover, { vendor: pxe }), own, proxy);
  expect(
    Object.keys(optionsOf(offer))
      .map(Number)
      .toSorted((a, b) => a - b),
  ).toEqual([DhcpOption.vendor, DhcpOption.messageType, DhcpOption.server, DhcpOption.vendorClass]);
});
