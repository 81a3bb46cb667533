import { describe, expect, it } from "vitest";
import type { BmcMachine } from "../api/bmc-machine.ts";
import type { Hardware } from "../api/hardware.ts";
import { boardHost, isSameBoard } from "../bmc/same-board.ts";
import { marksOf } from "./machine-marks.ts";
import { byPrecedence } from "./precedence.ts";
import { firstAmong, saysFirst } from "./same-machine.ts";

const hardware = (spec: Hardware["spec"] & object, metadata: Hardware["metadata"] = {}): Hardware => ({
  apiVersion: "tinkerbell.org/v1alpha1",
  kind: "Hardware",
  metadata: { namespace: "lab", name: "a", ...metadata },
  spec,
});

const disableDhcp = false;

const keys = (spec: Hardware["spec"] & object): readonly string[] => marksOf(hardware(spec)).map(({ key }) => key);

describe("what a Hardware tells its machine by", () => {
  it.each([
    "52:54:00:aa:00:0b",
    "52:54:00:AA:00:0B",
    "52-54-00-AA-00-0B",
    "5254.00aa.000b",
    "525400aa000b",
    " 52:54:00:aa:00:0b",
  ])("is a MAC address, as an interface or an agent has it: %j", (mac) => {
    expect(keys({ interfaces: [{ disableDhcp }, { disableDhcp, dhcp: { mac } }] })).toEqual(["525400aa000b"]);
    expect(keys({ agentID: mac })).toEqual(["525400aa000b"]);
    expect(keys({ metadata: { instance: { id: mac } } })).toEqual(["525400aa000b"]);
  });

  it.each([
    ["FD00:0:0::0001", "fd00::1"],
    ["fd00::1", "fd00::1"],
    ["10.0.0.1", "10.0.0.1"],
  ])("is an address: %s", (address, key) => {
    expect(keys({ interfaces: [{ disableDhcp, dhcp: { ip: { address } } }] })).toEqual([key]);
  });

  it("is nothing that has not been filled in", () => {
    const dhcp = { mac: "00:00:00:00:00:00", ip: { address: "0.0.0.0" } };
    expect(keys({ agentID: "", interfaces: [{ disableDhcp, dhcp }] })).toEqual([]);
  });

  it("is its board management, in its own namespace", () => {
    expect(keys({ bmcRef: { apiGroup: "", kind: "Machine", name: "b" } })).toEqual(["board lab/b"]);
  });
});

it("looks at no more interfaces than a machine has", () => {
  const interfaces = Array.from({ length: 10_000 }, (_, index) => ({
    disableDhcp,
    dhcp: { mac: `525400${index.toString(16).padStart(6, "0")}` },
  }));
  expect(marksOf(hardware({ interfaces }))).toHaveLength(128);
});

it("names some of what is the same, and says how much more there is", () => {
  const one = hardware({});
  const marks = marksOf(
    hardware({ interfaces: [1, 2, 3, 4, 5].map((nth) => ({ disableDhcp, dhcp: { mac: `52:54:00:00:00:0${nth}` } })) }),
  );
  const other = (name: string) => ({ hardware: hardware({}, { name }), marks, isOneBody: true });
  const text = saysFirst(one, ["b", "c", "d", "e", "f"].map(other));
  expect(text).toContain("spec.interfaces[2].dhcp.mac 52:54:00:00:00:03; 2 more)");
  expect(text).toContain("Hardware lab/d describes the same machine");
  expect(text).not.toContain("lab/e");
  expect(text).toContain("; 2 more; only this one is used");
});

it("finds the one that counts wherever it stands", () => {
  const all = [3, 1, 2].map((year) =>
    hardware({}, { name: `of-${year}`, creationTimestamp: `202${year}-01-01T00:00:00Z` }),
  );
  expect(firstAmong(all)?.metadata.name).toBe("of-1");
  expect(firstAmong([])).toBeUndefined();
});

describe("Hardware of one machine", () => {
  const owner = { "v1alpha1.tinkerbell.org/ownerName": "m", "v1alpha1.tinkerbell.org/ownerNamespace": "default" };
  const annotations = { "v1alpha1.tinkerbell.org/provisioned": "true" };
  const old = { creationTimestamp: "2025-01-01T00:00:00Z" };
  const young = { creationTimestamp: "2026-01-01T00:00:00Z" };

  it.each([
    ["the older", hardware({}, { ...old, name: "z" }), hardware({}, young)],
    ["the claimed", hardware({}, { ...young, labels: owner }), hardware({}, { ...old, annotations })],
    [
      "the one whose machine has begun",
      hardware({ userData: "" }, { ...young, labels: owner }),
      hardware({}, { ...old, labels: owner }),
    ],
    [
      "the one whose machine runs",
      hardware({}, { ...young, labels: owner, annotations }),
      hardware({ userData: "x" }, { ...old, labels: owner }),
    ],
    ["among equals the first by name", hardware({}, old), hardware({}, { ...old, name: "b" })],
  ])("that counts is %s", (_, first, second) => {
    expect(byPrecedence(first, second)).toBeLessThan(0);
    expect(byPrecedence(second, first)).toBeGreaterThan(0);
  });
});

describe("board management of two Machines", () => {
  type Connection = NonNullable<BmcMachine["spec"]>["connection"];
  const board = (connection: Partial<Connection>): BmcMachine => ({
    apiVersion: "bmc.tinkerbell.org/v1alpha1",
    kind: "Machine",
    metadata: {},
    spec: { connection: { host: "b", port: 623, insecureTLS: false, ...connection } },
  });

  it.each([
    ["BMC.Lab.", "bmc.lab"],
    ["[FD00:0::1]", "fd00::1"],
    ["fd00::1", "fd00::1"],
  ])("is at one host, however it is written: %s", (host, other) => {
    expect(boardHost(board({ host }))).toEqual(boardHost(board({ host: other })));
  });

  const redfish = (options: object) => ({ providerOptions: { redfish: options } });
  const rpc = (consumerURL: string) => ({ providerOptions: { rpc: { consumerURL } } });

  it.each([
    [true, {}, redfish({ port: 443 })],
    [true, redfish({ port: 8443 }), { port: 8443 }],
    [false, { port: 8443 }, {}],
    [true, redfish({ systemName: "1" }), {}],
    [true, redfish({ systemName: "1" }), redfish({ systemName: "1" })],
    [false, redfish({ systemName: "1" }), redfish({ systemName: "2" })],
    [true, rpc("http://hook/a"), {}],
    [true, rpc("http://hook/a"), rpc("http://hook/a")],
    [false, rpc("http://hook/a"), rpc("http://hook/b")],
  ] as readonly (readonly [boolean, Partial<Connection>, Partial<Connection>])[])(
    "is one (%s): %j and %j",
    (same, a, b) => {
      expect(isSameBoard(board(a), board(b))).toBe(same);
      expect(isSameBoard(board(b), board(a))).toBe(same);
    },
  );
});
