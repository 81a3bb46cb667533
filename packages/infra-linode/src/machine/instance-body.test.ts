import { seededRandom } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { hasPrivateAddress, instanceBody } from "./instance-body.ts";
import type { VlanPlace } from "./interfaces.ts";

const base = { region: "us-ord", type: "g6-standard-2", interfaceGeneration: "legacy_config" } as const;
const identity = {
  namespace: "default",
  name: "node-1",
  uid: "1",
  tag: "capstan-uid=1",
  label: { key: "capstan-uid", value: "1" },
  owner: { namespace: "default", name: "node-0", id: "1", mark: "a1" },
  clusterName: "prod",
};

const bodyOf = (
  spec: Partial<Parameters<typeof instanceBody>[0]>,
  subnetId?: number,
  {
    firewallId,
    placementGroupId,
    vlan,
  }: { readonly firewallId?: number; readonly placementGroupId?: number; readonly vlan?: VlanPlace } = {},
) =>
  instanceBody(
    { ...base, ...spec },
    {
      identity,
      bootSize: undefined,
      subnetId,
      vlan,
      firewallId,
      placementGroupId,
      random: seededRandom(),
    },
  );

describe("instanceBody", () => {
  it("is switched off, private and tagged by default, with a password nobody knows", () => {
    const { root_pass: password, ...body } = bodyOf({});
    expect(password).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(body).toEqual({
      region: "us-ord",
      type: "g6-standard-2",
      image: "linode/ubuntu22.04",
      booted: false,
      tags: ["prod", "capstan-uid=1", "capstan-owner=a1"],
      private_ip: true,
    });
  });

  it("hands on what the spec says", () => {
    expect(
      bodyOf(
        {
          image: "private/1",
          rootPass: "secret-pass",
          authorizedKeys: ["ssh-ed25519 AAAA"],
          authorizedUsers: ["me"],
          backupsEnabled: true,
          group: "g",
          diskEncryption: "disabled",
          privateIP: false,
          tags: ["tag"],
        },
        undefined,
        { firewallId: 7, placementGroupId: 8 },
      ),
    ).toMatchObject({
      image: "private/1",
      root_pass: "secret-pass",
      authorized_keys: ["ssh-ed25519 AAAA"],
      authorized_users: ["me"],
      backups_enabled: true,
      group: "g",
      disk_encryption: "disabled",
      firewall_id: 7,
      placement_group: { id: 8 },
      private_ip: false,
      tags: ["tag", "prod", "capstan-uid=1", "capstan-owner=a1"],
    });
  });

  it("comes from a backup instead of an image, as whoever is in there", () => {
    const body = bodyOf({ backupID: 7, backupsEnabled: true });
    expect(body).toMatchObject({ backup_id: 7, backups_enabled: true });
    for (const field of ["image", "root_pass"]) expect(body).not.toHaveProperty(field);
  });

  it("hands given interfaces on, whatever generation the spec names beside them", () => {
    const interfaces = [{ purpose: "public" }, { purpose: "vlan", label: "lan", ipamAddress: "10.1.0.1/24" }];
    const body = bodyOf({ interfaces, interfaceGeneration: "linode" });
    expect(body).toMatchObject({
      interface_generation: "legacy_config",
      interfaces: [{ purpose: "public" }, { purpose: "vlan", label: "lan", ipam_address: "10.1.0.1/24" }],
    });
  });

  it("needs no password with keys", () => {
    const body = bodyOf({ authorizedKeys: ["ssh-ed25519 AAAA"] });
    expect(body).not.toHaveProperty("root_pass");
    expect(body).not.toHaveProperty("firewall_id");
  });

  it("puts the firewall before the Linode interfaces, but before none in a VLAN", () => {
    const linodeInterfaces = [{ public: {} }, { firewallID: 3, vpc: {} }, { vlan: { vlanLabel: "lan" } }];
    const body = bodyOf({ linodeInterfaces }, 5, { firewallId: 7 });
    expect(body).not.toHaveProperty("firewall_id");
    expect(body.interfaces).toMatchObject([{ firewall_id: 7, public: {} }, { firewall_id: 3 }, { vlan: {} }]);
    expect(body.interfaces?.[2]).not.toHaveProperty("firewall_id");
  });

  it("puts a VPC interface in front, or completes the one that is there", () => {
    const vpc = { purpose: "vpc", primary: true, subnet_id: 5, ipv4: { nat_1_1: "any" } };
    expect(bodyOf({ interfaces: [{ purpose: "public" }] }, 5)).toMatchObject({
      interface_generation: "legacy_config",
      interfaces: [vpc, { purpose: "public" }],
    });
    expect(bodyOf({ interfaces: [{ purpose: "vpc", ipv4: { nat1to1: "any" } }] }, 5).interfaces).toEqual([
      { purpose: "vpc", subnet_id: 5, ipv4: { nat_1_1: "any" } },
    ]);
  });

  it("gives the VPC interface IPv6 as asked", () => {
    const ipv6Options = { enableSLAAC: true, enableRanges: true, isPublicIPv6: false };
    expect(bodyOf({ ipv6Options }, 5).interfaces).toMatchObject([
      { purpose: "vpc", ipv6: { slaac: [{ range: "/64" }], ranges: [{ range: "/64" }], is_public: false } },
    ]);
  });

  it("speaks the newer generation in either spelling", () => {
    const body = bodyOf({
      linodeInterfaces: [
        { firewall_id: 3, default_route: { ipv4: true }, public: {} },
        { vlan: { vlan_label: "net", ipamAddress: "10.0.0.1/24" } },
        { vpc: { subnetId: 6, ipv4: { addresses: [{ address: "auto", primary: true, nat1to1Address: "auto" }] } } },
      ],
    });
    expect(body).not.toHaveProperty("private_ip");
    expect(body).toMatchObject({
      interface_generation: "linode",
      network_helper: true,
      interfaces: [
        { firewall_id: 3, default_route: { ipv4: true }, public: {} },
        { vlan: { vlan_label: "net", ipam_address: "10.0.0.1/24" } },
        { vpc: { subnet_id: 6, ipv4: { addresses: [{ address: "auto", primary: true, nat_1_1_address: "auto" }] } } },
      ],
    });
  });
});

it.each([
  [{}, true],
  [{ privateIP: false }, false],
  [{ interfaceGeneration: "linode" }, false],
  [{ linodeInterfaces: [] }, false],
  [{ interfaces: [{ purpose: "public" }], interfaceGeneration: "linode" }, true],
] as const)("%j has a private address: %s", (spec, expected) => {
  expect(hasPrivateAddress({ ...base, ...spec })).toBe(expected);
});
