import type { AdmissionContextV1 } from "@capstan/contract/v1";
import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { webhooks } from "./webhooks.ts";

const objectOf = (kind: string, spec: object | undefined, status?: object): KubeObject => ({
  apiVersion: kind === "Machine" ? "bmc.tinkerbell.org/v1alpha1" : "tinkerbell.org/v1alpha1",
  kind,
  metadata: { name: "x", namespace: "default" },
  ...(spec !== undefined && { spec }),
  ...(status !== undefined && { status }),
});

const causesOf = async (kind: string, spec: object | undefined, old?: KubeObject): Promise<readonly string[]> => {
  const context: AdmissionContextV1 = {
    find: () => Promise.reject(new Error("the webhooks read nothing")),
    ...(old !== undefined && { old }),
  };
  const checked = webhooks.find((each) => each.kind.kind === kind);
  const causes = await checked?.validate?.(objectOf(kind, spec), context);
  return (causes ?? []).map(({ field, message }) => `${field}: ${message}`);
};

describe("a Template", () => {
  it.each([
    [undefined, "spec.data: Required value: a template of YAML with name and tasks"],
    [{ data: "a\n{{ .x" }, "spec.data: Invalid value: template: x:2:3: unclosed action"],
    [{ data: "{{ env `A` }}" }, 'spec.data: Invalid value: template: x:1:4: function "env" not defined'],
  ])("is refused: %j", async (spec, cause) => {
    expect(await causesOf("Template", spec)).toEqual([cause]);
  });

  it("may refer to what only a workflow brings, and may stay as it was", async () => {
    expect(await causesOf("Template", { data: "{{ .device_1 }} {{ formatPartition .x 1 }}" })).toEqual([]);
    const old = objectOf("Template", { data: "{{ old" });
    expect(await causesOf("Template", { data: "{{ old" }, old)).toEqual([]);
  });
});

describe("a Workflow", () => {
  const spec = { templateRef: "t", hardwareRef: "h", hardwareMap: { device_1: "a" } };

  it.each([
    [{}, ["spec.templateRef: Required value: the name of a Template in the same namespace"]],
    [
      { templateRef: "t", bootOptions: { toggleAllowNetboot: true } },
      ["spec.hardwareRef: Required value: the machine that bootOptions are about"],
    ],
    [
      { ...spec, bootOptions: { bootMode: "isoboot" } },
      ["spec.bootOptions.isoURL: Required value: the boot mode isoboot puts this image in"],
    ],
    [
      { ...spec, bootOptions: { bootMode: "customboot" } },
      ["spec.bootOptions.custombootConfig: Required value: the boot mode customboot does what it says"],
    ],
    [{ ...spec, bootOptions: { bootMode: "netboot" } }, []],
  ])("needs what its options are about: %j", async (of, causes) => {
    expect(await causesOf("Workflow", of)).toEqual(causes);
  });

  it("runs what it was made for, from when it has begun", async () => {
    const begun = objectOf("Workflow", spec, { state: "RUNNING" });
    const changed = { ...spec, templateRef: "other", hardwareMap: { device_1: "b" }, disabled: true };
    expect(await causesOf("Workflow", changed, begun)).toEqual([
      'spec.templateRef: Invalid value: "other": field is immutable',
      'spec.hardwareMap: Invalid value: {"device_1":"b"}: field is immutable',
      "spec.disabled: Forbidden: the workflow has begun; delete it to end it",
    ]);
    expect(await causesOf("Workflow", { ...spec, bootOptions: { bootMode: "netboot" } }, begun)).toHaveLength(1);
    expect(await causesOf("Workflow", spec, begun)).toEqual([]);
    expect(await causesOf("Workflow", changed, objectOf("Workflow", spec))).toEqual([]);
  });
});

describe("a Hardware", () => {
  const interfaceOf = (mac: string, address: string, gateway = "10.0.0.1", netmask = "255.255.255.0") => ({
    dhcp: { mac, ip: { address, netmask, gateway } },
  });
  const [first, second] = ["52:54:00:00:00:01", "52:54:00:00:00:02"];

  it.each([
    [{ interfaces: [interfaceOf(first, "10.0.0.2"), interfaceOf(second, "10.0.0.3"), {}, {}] }, []],
    [{ interfaces: [interfaceOf(first, "10.0.0.2", ""), interfaceOf(second, "fd00::1", "fe80::1", "64")] }, []],
    [
      { interfaces: [interfaceOf(first, "10.0.0.2"), interfaceOf(first, "10.0.0.2")] },
      [
        'spec.interfaces[1].dhcp.mac: Invalid value: "52:54:00:00:00:01": another interface has it already',
        'spec.interfaces[1].dhcp.ip.address: Invalid value: "10.0.0.2": another interface has it already',
      ],
    ],
    [
      { interfaces: [interfaceOf(first, "10.0.0.2", "10.0.1.1")] },
      [
        'spec.interfaces[0].dhcp.ip.gateway: Invalid value: "10.0.1.1": is not in the network of 10.0.0.2 with the netmask 255.255.255.0',
      ],
    ],
    [
      { interfaces: [interfaceOf(first, "10.0.0.2", "10.0.0.1", "24")] },
      ['spec.interfaces[0].dhcp.ip.netmask: Invalid value: "24": must be a netmask such as 255.255.255.0'],
    ],
    [
      { interfaces: [interfaceOf("x52:54:00:00:00:01", "10.0.0"), interfaceOf(second, "10.0.0.3", "router")] },
      [
        'spec.interfaces[0].dhcp.mac: Invalid value: "x52:54:00:00:00:01": must be a MAC address in lower case, such as 52:54:00:12:34:56',
        'spec.interfaces[0].dhcp.ip.address: Invalid value: "10.0.0": must be an IP address such as 10.0.0.5',
        'spec.interfaces[1].dhcp.ip.gateway: Invalid value: "router": must be an IP address such as 10.0.0.5',
      ],
    ],
    [
      { interfaces: [interfaceOf(first, "2001:db8::5", ""), interfaceOf(second, "2001:DB8:0::5", "")] },
      ['spec.interfaces[1].dhcp.ip.address: Invalid value: "2001:DB8:0::5": another interface has it already'],
    ],
    [
      { agentID: "a\nb", interfaces: [{ netboot: { osie: { kernel: "k\r", kernelParams: ["a=b", "c\nshell"] } } }] },
      [
        'spec.interfaces[0].netboot.osie.kernel: Invalid value: "k\\r": must be one line without control characters',
        'spec.interfaces[0].netboot.osie.kernelParams[1]: Invalid value: "c\\nshell": must be one line without control characters',
        'spec.agentID: Invalid value: "a\\nb": must be one line without control characters',
      ],
    ],
    [
      { references: { a: { name: "x" } }, auto: { enrollmentEnabled: true } },
      [
        "spec.references: Forbidden: templates may not read other objects yet; put what they need into the Template or the hardware map",
        "spec.auto.enrollmentEnabled: Forbidden: machines are not enrolled by rules yet; make a Workflow",
      ],
    ],
  ])("%#", async (spec, causes) => {
    expect(await causesOf("Hardware", spec)).toEqual(causes);
  });
});

it("a Hardware that was wrong before may be written, but not made worse", async () => {
  const old = { interfaces: [{ dhcp: { mac: "52:54:00:00:00:01", ip: { address: "nowhere" } } }] };
  const allowed = { interfaces: [{ ...old.interfaces[0], netboot: { allowPXE: true } }] };
  expect(await causesOf("Hardware", allowed, objectOf("Hardware", old))).toEqual([]);
  const worse = { interfaces: [{ dhcp: { mac: "52:54:00:00:00:01", ip: { address: "elsewhere" } } }] };
  expect(await causesOf("Hardware", worse, objectOf("Hardware", old))).toHaveLength(1);
});

it("a WorkflowRuleSet that would do something is refused, because it would not", async () => {
  expect(await causesOf("WorkflowRuleSet", { rules: ["{}"] })).toEqual([
    "spec.rules: Forbidden: machines are not enrolled by rules yet; make a Workflow for each",
  ]);
  expect(await causesOf("WorkflowRuleSet", {})).toEqual([]);
});

describe("Hardware with many interfaces", () => {
  const interfaces = (length: number) =>
    Array.from({ length }, (_, index) => ({ dhcp: { mac: `52:54:00:00:${index >> 8 ? "01" : "00"}:${hex(index)}` } }));
  const hex = (index: number): string => (index & 255).toString(16).padStart(2, "0");

  it("is refused where no machine has so many, but for what was stored before", async () => {
    expect(await causesOf("Hardware", { interfaces: interfaces(128) })).toEqual([]);
    const refused = await causesOf("Hardware", { interfaces: interfaces(129) });
    expect(refused).toEqual([expect.stringContaining("a machine has at most 128 interfaces")]);
    const old = objectOf("Hardware", { interfaces: interfaces(129) });
    expect(await causesOf("Hardware", { interfaces: interfaces(129) }, old)).toEqual([]);
  });
});
