import { turnsUntil } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import type { Hardware } from "../api/hardware.ts";
import { renderTemplate } from "./render-template.ts";

const hardware: Hardware = {
  apiVersion: "tinkerbell.org/v1alpha1",
  kind: "Hardware",
  metadata: { name: "m", namespace: "default", labels: { rack: "r1" } },
  spec: {
    userData: "#cloud-config",
    disks: [{ device: "/dev/nvme0n1" }, { device: "/dev/sda" }],
    interfaces: [
      {
        disableDhcp: false,
        dhcp: {
          mac: "52:54:00:00:00:01",
          lease_time: 3600,
          vlan_id: "16",
          uefi: true,
          ip: { address: "10.0.0.2", netmask: "255.255.255.0", gateway: "10.0.0.1" },
          name_servers: ["1.1.1.1"],
        },
        netboot: { allowPXE: true, ipxe: { url: "http://x" }, osie: { baseURL: "http://o" } },
      },
    ],
    metadata: {
      facility: { facility_code: "onprem" },
      instance: { id: "i-1", allow_pxe: true, ssh_keys: ["ssh-rsa a"], operating_system: { os_slug: "ubuntu" } },
    },
  },
};

const flow = "namespace default";
const now = Date.UTC(2026, 0, 1);
const input = (data: string) => ({ name: "t", data, hardwareMap: { device_1: "worker-1" }, hardware, now, seed: "00" });

/** Returns the rendered text of one expression, as the command of an action. */
const rendered = async (expression: string): Promise<string | undefined> => {
  const data = `name: n\ntasks:\n- name: t\n  worker: w\n  actions:\n  - name: a\n    image: i\n    command:\n    - |-\n      ${expression}\n`;
  const { tasks } = await renderTemplate(input(data), flow);
  return tasks[0]?.actions[0]?.command[0];
};

const failure = async (data: string): Promise<string> => {
  try {
    await renderTemplate(input(data), flow);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

const action = (fields: string): string => `name: n\ntasks:\n- name: t\n  worker: w\n  actions:\n  - ${fields}\n`;

describe("a Template sees", () => {
  it.each([
    ["the hardware map", "{{ .device_1 }}", "worker-1"],
    [
      "the Hardware by the names of its fields",
      "{{ .hardware.spec.metadata.instance.id }} {{ .hardware.metadata.labels.rack }}",
      "i-1 r1",
    ],
    ["disks", "{{ index .Hardware.Disks 0 }}", "/dev/nvme0n1"],
    ["names of Go", "{{ (index .Hardware.Interfaces 0).DHCP.IP.Address }}", "10.0.0.2"],
    [
      "more of them",
      "{{ with index .Hardware.Interfaces 0 }}{{ .DHCP.MAC }} {{ .DHCP.LeaseTime }} {{ .DHCP.VLANID }} {{ .DHCP.UEFI }} {{ .Netboot.AllowPXE }} {{ .Netboot.IPXE.URL }} {{ .Netboot.OSIE.BaseURL }}{{ end }}",
      "52:54:00:00:00:01 3600 16 true true http://x http://o",
    ],
    [
      "those that do not follow the rule",
      "{{ with .Hardware.Metadata.Instance }}{{ .ID }} {{ .AllowPxe }} {{ .AlwaysPxe }} {{ .SSHKeys }} {{ .OperatingSystem.OsSlug }}{{ end }}",
      "i-1 true false [ssh-rsa a] ubuntu",
    ],
    [
      "zero values of what is not there",
      "{{ (index .Hardware.Interfaces 0).DHCP.Hostname }}|{{ .Hardware.VendorData }}|{{ if (index .Hardware.Interfaces 0).Isoboot }}x{{ end }}",
      "||",
    ],
    ["user data", "{{ .Hardware.UserData }}", "#cloud-config"],
    [
      "partitions by the device",
      `{{ formatPartition "/dev/nvme0n1" 1 }} {{ formatPartition "/dev/sda" 2 }} {{ formatPartition "/dev/disk/by-id/x" 1 }}`,
      "/dev/nvme0n1p1 /dev/sda2 /dev/disk/by-id/x-part1",
    ],
    [
      "prefix lengths",
      `{{ netmaskToPrefixLength "255.255.255.0" }} {{ netmaskToPrefixLength "255.255.240.0" }} {{ netmaskToPrefixLength "0.0.0.0" }}`,
      "24 20 0",
    ],
    ["YAML", `{{ toYaml (dict "b" (list 1 "x") "a" true) | nindent 6 | trim }}`, "a: true\nb:\n- 1\n- x"],
    [
      "YAML as Go writes it",
      `{{ toYaml (dict "a" 1.0 "b" (list "yes" "0600")) | nindent 6 | trim }}`,
      'a: 1\nb:\n- "yes"\n- "0600"',
    ],
    ["what YAML says", `{{ (fromYaml "a: {b: [1, 2]}").a.b }} {{ fromYaml "[]" | empty }}`, "[1 2] true"],
    [
      "what YAML says to Go",
      `{{ (fromYaml "a: 1000000").a }} {{ (fromYaml "a: 0600").a }} {{ (fromYaml "a: yes").a }} {{ (fromYaml "a: 1:30").a }}`,
      "1e+06 384 true 1:30",
    ],
    [
      "the time",
      `{{ toDate "2006-01-02" "2025-12-31" | ago }} {{ toDate "2006" "2025" | durationRound }}`,
      "24h0m0s 12mo",
    ],
    ["chance", `{{ randInt 5 6 }} {{ shuffle "aaa" }} {{ "s" | encryptAES "p" | decryptAES "p" }}`, "5 aaa s"],
    [
      "hashes of passwords",
      `{{ htpasswd "u" "p" | trunc 9 }} {{ bcrypt "p" | len }} {{ htpasswd "u:" "p" }}`,
      "u:$2a$10$ 60 invalid username: u:",
    ],
    [
      "keys",
      `{{ genPrivateKey "ed25519" | trunc 27 }} {{ genPrivateKey "ecdsa" | trunc 30 }}`,
      "-----BEGIN PRIVATE KEY----- -----BEGIN EC PRIVATE KEY-----",
    ],
    ["versions", `{{ semverCompare ">=1.2" "1.3.0" }} {{ (semver "1.3").Minor }}`, "true 3"],
    [
      "functions of Sprig",
      `{{ join "," (index .Hardware.Interfaces 0).DHCP.NameServers | default "none" | upper }}`,
      "1.1.1.1",
    ],
    ["no references", "{{ len .references }}", "0"],
  ])("%s", async (_, expression, expected) => {
    expect(await rendered(expression)).toBe(expected);
  });
});

describe("what it gives", () => {
  it("keeps texts as they stand there", async () => {
    const { tasks } = await renderTemplate(
      input(
        action(
          "{name: a, image: i, timeout: 90, environment: {MODE: 0600, COMPRESSED: true, E: 1e3, N: }, command: [1.0]}",
        ),
      ),
      flow,
    );
    expect(tasks[0]?.actions[0]).toMatchObject({
      timeout: 90,
      environment: { MODE: "0600", COMPRESSED: "true", E: "1e3", N: "" },
      command: ["1.0"],
    });
  });

  it("may have what nobody knows, and tasks without actions", async () => {
    const data =
      'version: "0.1"\nname: n\nglobal_timeout: 60\nid: x\ntasks: [{name: t, worker: w, on-failure: [x], new: 1}]';
    expect(await renderTemplate(input(data), flow)).toEqual({
      globalTimeout: 60,
      tasks: [{ name: "t", worker: "w", volumes: [], environment: {}, actions: [] }],
    });
  });

  it.each([
    ["tasks: []", "name must have 1 to 199 bytes, not 0"],
    [`name: ${"x".repeat(200)}`, "name must have 1 to 199 bytes, not 200"],
    ["name: n", "tasks must have one task at least"],
    ["name: n\ntasks: x", "tasks must be a list"],
    ["name: n\ntasks: [{name: t}]", "tasks[0].worker must name the agent"],
    ["name: n\ntasks: [{name: t, worker: w}, {name: t, worker: w}]", 'two of tasks have the name "t"'],
    [action("{image: i}"), "tasks[0].actions[0].name must have 1 to 199 bytes"],
    [action("{name: a}\n  - {name: b, image: i}"), "tasks[0].actions[0].image must be the reference of an image"],
    [action("{name: a, image: example/UPPER}"), "tasks[0].actions[0].image"],
    [action("{name: a, image: i}\n  - {name: a, image: i}"), 'two of tasks[0].actions have the name "a"'],
    [action("{name: a, image: i, timeout: soon}"), "tasks[0].actions[0].timeout must be a number of seconds"],
    [action("{name: a, image: i, environment: [x]}"), "tasks[0].actions[0].environment must be a map"],
    ["a: [", "no YAML"],
    ["- x", "must be a map"],
    ["{{ .missing }}", 'template: t:1:4: executing "t" at <.missing>: map has no entry for key "missing"'],
    ["{{ .hardware.spec.none }}", 'map has no entry for key "none"'],
    ["{{", "unclosed action"],
    [`{{ netmaskToPrefixLength "255.0.255.0" }}`, "255.0.255.0 is not a netmask"],
    [`name: {{ repeat 300000 "x" }}`, "more than 262144 bytes"],
    [
      `{{ $x := repeat 1000000 "a" }}{{ range until 90000 }}{{ $y := replace "a" "b" $x }}{{ end }}`,
      "too many characters and items",
    ],
    [`{{ $x := until 9000 }}{{ range until 9000 }}{{ $y := toYaml $x }}{{ end }}`, "too many characters and items"],
    [`{{ env "HOME" }}`, 'function "env" not defined'],
    [`{{ fromYaml "a: [" }}`, "error calling fromYaml"],
    [`{{ fromYaml "" }}`, "fromYaml: empty YAML input"],
    [`{{ range until 9 }}{{ bcrypt "p" }}{{ end }}`, "too many characters and items"],
  ])("is refused: %s", async (data, message) => {
    expect(await failure(data)).toContain(message);
  });

  it.each([
    "alpine",
    "quay.io/tinkerbell/actions/oci2disk:v1.0.0",
    "localhost:5000/a/b@sha256:" + "0".repeat(64),
    "[::1]:5000/a",
  ])("may name the image %s", async (image) => {
    const { tasks } = await renderTemplate(input(action(`{name: a, image: "${image}"}`)), flow);
    expect(tasks[0]?.actions[0]?.image).toBe(image);
  });
});

describe("what takes long", () => {
  it("is rendered while everything else goes on", async () => {
    const long = rendered("{{ range until 20000 }}{{ end }}done");
    expect(await turnsUntil(long)).toBeGreaterThan(0);
    expect(await long).toBe("done");
  });

  it("may give a large text", async () => {
    expect(await rendered('{{ repeat 100000 "x" }}')).toHaveLength(100_000);
  });
});
