import { describe, expect, it } from "vitest";
import { routesValue, searchListValue } from "./option-values.ts";
import { type DhcpPacket, readDhcp, writeDhcp } from "./packet.ts";

const packet: DhcpPacket = {
  op: 1,
  xid: 0xde_ad_be_ef,
  secs: 4,
  flags: 0x80_00,
  ciaddr: "0.0.0.0",
  yiaddr: "10.0.0.5",
  siaddr: "10.0.0.1",
  giaddr: "10.0.1.1",
  mac: "52:54:00:00:00:0a",
  file: "undionly.kpxe",
  options: new Map([
    [53, Uint8Array.from([1])],
    [43, new Uint8Array(300).fill(7)],
  ]),
};

/** As `dhclient` sends it, up to the options. */
const discover =
  "0101060012345678000000000000000000000000000000000000000052540000000a" +
  "00".repeat(10 + 192) +
  "63825363350101370301030cff";

describe("a packet of DHCP", () => {
  it("is read as a client sends it", () => {
    const read = readDhcp(Buffer.from(discover, "hex"));
    expect(read).toMatchObject({ op: 1, xid: 0x12_34_56_78, mac: "52:54:00:00:00:0a", giaddr: "0.0.0.0", file: "" });
    expect([...(read?.options ?? [])].map(([code, value]) => [code, Buffer.from(value).toString("hex")])).toEqual([
      [53, "01"],
      [55, "01030c"],
    ]);
  });

  it("comes back as it was written, also with options that are longer than one can be", () => {
    const bytes = writeDhcp(packet);
    const { options, ...read } = readDhcp(bytes)!;
    const { options: written, ...rest } = packet;
    expect(read).toEqual(rest);
    expect([...options].map(([code, value]) => [code, Buffer.from(value)])).toEqual(
      [...written].map(([code, value]) => [code, Buffer.from(value)]),
    );
    expect(writeDhcp({ ...packet, options: new Map() })).toHaveLength(300);
  });

  it("is nothing else: too short, not for Ethernet, without its mark, with an option that breaks off", () => {
    const bytes = Buffer.from(discover, "hex");
    const changed = (offset: number, value: number): Buffer => {
      const copy = Buffer.from(bytes);
      copy[offset] = value;
      return copy;
    };
    expect(readDhcp(bytes.subarray(0, 100))).toBeUndefined();
    expect(readDhcp(changed(1, 6))).toBeUndefined();
    expect(readDhcp(changed(236, 0))).toBeUndefined();
    expect(readDhcp(changed(241, 200))).toBeUndefined();
  });

  it("is not read when no client sends so much", () => {
    const bytes = Buffer.from(discover, "hex");
    const many = Buffer.concat(Array.from({ length: 20_000 }, () => Buffer.from([77, 1, 1])));
    expect(readDhcp(Buffer.concat([bytes.subarray(0, 240), many, bytes.subarray(240)]))).toBeUndefined();
  });

  it("is not written when clients would not take it", () => {
    expect(() => writeDhcp({ ...packet, options: new Map([[43, new Uint8Array(1400)]]) })).toThrow(RangeError);
  });
});

it("writes search lists and routes in their own forms", () => {
  expect(Buffer.from(searchListValue(["lab.example"])).toString("hex")).toBe("036c6162076578616d706c6500");
  const routes = [
    { destination: "10.1.0.0/16", router: "10.0.0.1" },
    { destination: "0.0.0.0/0", router: "10.0.0.2" },
  ];
  expect([...routesValue(routes)]).toEqual([16, 10, 1, 10, 0, 0, 1, 0, 10, 0, 0, 2]);
});
