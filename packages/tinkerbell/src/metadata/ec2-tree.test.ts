import { expect, it } from "vitest";
import type { Hardware } from "../api/hardware.ts";
import { ec2Text, ec2Tree } from "./ec2-tree.ts";

const hardware: Hardware = {
  apiVersion: "tinkerbell.org/v1alpha1",
  kind: "Hardware",
  metadata: { name: "a", namespace: "default" },
  spec: {
    metadata: {
      facility: { plan_slug: "c3.small", facility_code: "lab" },
      instance: {
        id: "52:54:00:00:00:0a",
        hostname: "node-a",
        tags: ["one", "two"],
        ssh_keys: ["ssh-ed25519 A", "ssh-ed25519 B"],
        operating_system: { slug: "ubuntu_22_04", distro: "ubuntu", version: "22.04", image_tag: "v1" },
        ips: [
          { address: "10.0.0.5", family: 4, public: false },
          { address: "198.51.100.5", family: 4, public: true },
          { address: "2001:db8::5", family: 6 },
        ],
      },
    },
  },
};

const read = (path: string, of: Hardware = hardware): string | undefined => ec2Text(ec2Tree(of), path);

it.each([
  ["meta-data/instance-id", "52:54:00:00:00:0a"],
  ["meta-data/hostname", "node-a"],
  ["meta-data/local-hostname", "node-a"],
  ["meta-data/iqn", ""],
  ["meta-data/plan", "c3.small"],
  ["meta-data/facility", "lab"],
  ["meta-data/tags", "one\ntwo"],
  ["meta-data/public-ipv4", "198.51.100.5"],
  ["meta-data/public-ipv6", "2001:db8::5"],
  ["meta-data/local-ipv4", "10.0.0.5"],
  ["meta-data/public-keys", "ssh-ed25519 A\nssh-ed25519 B"],
  ["meta-data/operating-system/slug", "ubuntu_22_04"],
  ["meta-data/operating-system/distro", "ubuntu"],
  ["meta-data/operating-system/version", "22.04"],
  ["meta-data/operating-system/image_tag", "v1"],
  ["meta-data/operating-system/license_activation/state", ""],
  ["", "meta-data/\nuser-data"],
  ["meta-data/operating-system", "distro\nimage_tag\nlicense_activation/\nslug\nversion"],
  ["meta-data/operating-system/license_activation", "state"],
])("is at %j, with and without a slash at the end", (path, expected) => {
  expect(read(`/${path}`)).toBe(expected);
  expect(read(`/${path}/`)).toBe(expected);
});

it("lists the directory of metadata in order", () => {
  const names = read("/meta-data/")?.split("\n") ?? [];
  expect(names).toEqual(names.toSorted());
  expect(names).toContain("operating-system/");
  expect(names).toHaveLength(12);
});

it("has nothing else", () => {
  expect(read("/meta-data/nope")).toBeUndefined();
  expect(read("/meta-data/toString")).toBeUndefined();
  expect(read("/user-data/x")).toBeUndefined();
});

it("is empty where a Hardware says nothing", () => {
  expect(read("/meta-data/public-ipv4", { ...hardware, spec: {} })).toBe("");
});
