import { promisify } from "node:util";
import { expect, it } from "vitest";
import { addressGuard } from "./address-guard.ts";

const refused = [
  "http://127.0.0.1",
  "https://127.8.9.1:6443/path",
  "http://2130706433",
  "http://0x7f.1",
  "http://0.0.0.0",
  "http://169.254.169.254/latest/meta-data",
  "http://168.63.129.16",
  "http://100.100.100.200",
  "http://224.0.0.1",
  "http://255.255.255.255",
  "http://[::]",
  "http://[::1]:80",
  "http://[fe80::1]",
  "http://[ff02::1]",
  "http://[fd00:ec2::254]",
  "http://[::ffff:127.0.0.1]",
  "http://[::ffff:a9fe:a9fe]",
  "http://[::127.0.0.1]",
  "http://[64:ff9b::169.254.169.254]",
  "http://[2002:7f00:1::]",
];

const permitted = [
  "http://10.0.0.5",
  "http://192.168.1.1",
  "http://172.16.0.1",
  "http://203.0.113.7",
  "http://[2001:db8::1]",
  "http://[fd12::1]",
  "http://[64:ff9b::10.0.0.5]",
  "http://example.test",
  "no url",
];

it.each(refused)("refuses %s", (url) => {
  expect(() => addressGuard().check(url)).toThrow(expect.objectContaining({ code: "runtime.address_refused" }));
});

it.each(permitted)("permits %s", (url) => {
  expect(() => addressGuard().check(url)).not.toThrow();
});

it("refuses what a name resolves to, and says which address and what to do", async () => {
  const resolve = promisify(addressGuard().lookup) as (name: string, options: object) => Promise<unknown>;
  await expect(resolve("localhost", {})).rejects.toMatchObject({
    code: "runtime.address_refused",
    message: expect.stringMatching(/^localhost \((?:127\.0\.0\.1|::1)\) is .*--allow-address/),
  });
});

it("permits what the administrator allows, by itself or as what it stands for", async () => {
  const guard = addressGuard({ allowed: ["127.0.0.0/8", "::1"] });
  for (const url of ["http://127.0.0.1", "http://[::1]", "http://[::ffff:127.0.0.1]"]) {
    expect(() => guard.check(url)).not.toThrow();
  }
  expect(() => guard.check("http://169.254.169.254")).toThrow();
  const found = await new Promise((resolve) => {
    guard.lookup("localhost", { family: 4, all: true }, (error, addresses) => resolve([error, addresses]));
  });
  expect(found).toEqual([null, [{ address: "127.0.0.1", family: 4 }]]);
});

it.each(["10.0.0.0/33", "10.0.0.0/8/8", "::1/129", "host", "10.0.0.0/x"])("takes %s for no network", (network) => {
  expect(() => addressGuard({ allowed: [network] })).toThrow(
    expect.objectContaining({ code: "runtime.network_invalid" }),
  );
});
