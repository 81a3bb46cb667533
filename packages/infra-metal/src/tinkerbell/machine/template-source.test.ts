import type { Hardware } from "@capstan/tinkerbell/api";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { TinkerbellCluster } from "../api/tinkerbell-cluster.v1beta1.ts";
import type { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { TinkerbellAnnotation } from "../api/tinkerbell-marks.ts";
import { type TemplateInput, templateTexts } from "./template-source.ts";

const machine = (spec: TinkerbellMachine["spec"] = {}): TinkerbellMachine => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "TinkerbellMachine",
  metadata: { name: "worker-1", namespace: "default" },
  spec,
});

const cluster = (spec: object): TinkerbellCluster =>
  ({
    ...machine(),
    kind: "TinkerbellCluster",
    metadata: { name: "c", namespace: "default" },
    spec,
  }) as TinkerbellCluster;

const hardware = (device: string | undefined, annotations = {}): Hardware => ({
  apiVersion: "tinkerbell.org/v1alpha1",
  kind: "Hardware",
  metadata: { name: "hw", namespace: "rack", annotations },
  spec: { ...(device !== undefined && { disks: [{ device }] }) },
});

const known = new Map([
  ["rack/own", "of the hardware"],
  ["shared/all", "of the cluster"],
  ["rack/empty", ""],
]);

const input = (parts: Partial<TemplateInput> = {}): TemplateInput => ({
  machine: machine(),
  hardware: hardware("/dev/sda"),
  cluster: undefined,
  version: "v1.34.1",
  metadataUrl: "http://10.0.0.5:7080",
  template: ({ name, namespace }) => {
    const data = known.get(`${namespace}/${name}`);
    return data === undefined
      ? undefined
      : { apiVersion: "tinkerbell.org/v1alpha1", kind: "Template", metadata: { name, namespace }, spec: { data } };
  },
  ...parts,
});

const textFor = ({ hardware: on, ...rest }: TemplateInput) => templateTexts(rest)(on);

const textOf = (parts: Partial<TemplateInput>): string => {
  const found = textFor(input(parts));
  return "text" in found ? found.text : "";
};

const problemOf = (parts: Partial<TemplateInput>): string => {
  const found = textFor(input(parts));
  return "text" in found ? "" : `${found.reason}: ${found.message}`;
};

const override = { [TinkerbellAnnotation.templateOverride]: "own" };

describe("where a Template comes from", () => {
  it("is the machine before its Hardware, that before the cluster, and that before the default", () => {
    const all = {
      machine: machine({ templateOverride: "of the machine" }),
      hardware: hardware("/dev/sda", override),
      cluster: cluster({ templateOverride: "inline" }),
    };
    expect(textOf(all)).toBe("of the machine");
    expect(textOf({ ...all, machine: machine() })).toBe("of the hardware");
    expect(textOf({ ...all, machine: machine(), hardware: hardware("/dev/sda") })).toBe("inline");
    expect(textOf({ cluster: cluster({ templateOverrideRef: { name: "all", namespace: "shared" } }) })).toBe(
      "of the cluster",
    );
    expect(textOf({})).toContain("name: stream image");
  });

  it("names the Template that does not exist, and who asks for it", () => {
    expect(problemOf({ cluster: cluster({ templateOverrideRef: { name: "all" } }) })).toMatch(
      /^TemplateMissing: Template default\/all, which spec\.templateOverrideRef of TinkerbellCluster default\/c names/,
    );
    const empty = { [TinkerbellAnnotation.templateOverride]: "empty" };
    expect(problemOf({ hardware: hardware("/dev/sda", empty) })).toContain("Template rack/empty, which the annotation");
  });

  it("needs a disk and the place of metadata for the default only", () => {
    expect(problemOf({ hardware: hardware(undefined) })).toContain("Hardware rack/hw has no spec.disks[0].device");
    expect(problemOf({ metadataUrl: undefined })).toContain("TINKERBELL_METADATA_URL");
    const own = machine({ templateOverride: "mine" });
    expect(textOf({ machine: own, hardware: hardware(undefined), metadataUrl: undefined })).toBe("mine");
  });
});

interface ParsedAction {
  readonly pid?: string;
  readonly environment: Readonly<Record<string, string>>;
}

interface ParsedTemplate {
  readonly tasks: readonly { readonly worker: string; readonly actions: readonly ParsedAction[] }[];
}

const taskOf = (parts: Partial<TemplateInput>) => (parse(textOf(parts)) as ParsedTemplate).tasks[0];
const image = (parts: Partial<TemplateInput>) => taskOf(parts)?.actions[0]?.environment["IMG_URL"];

describe("the default template", () => {
  it("writes the image of the machine's version, tells cloud-init of the metadata, and starts the system", () => {
    const task = taskOf({});
    expect(task?.worker).toBe("{{.device_1}}");
    const [stream, config, identify, boot] = task?.actions ?? [];
    expect(stream?.environment).toEqual({
      IMG_URL: "ghcr.io/tinkerbell/cluster-api-provider-tinkerbell/ubuntu-2004:v1.34.1.gz",
      DEST_DISK: "/dev/sda",
      COMPRESSED: "true",
    });
    expect(config?.environment).toMatchObject({ DEST_DISK: "/dev/sda1", MODE: "0600" });
    expect(parse(config?.environment["CONTENTS"] ?? "")).toMatchObject({
      datasource: { Ec2: { metadata_urls: ["http://10.0.0.5:7080"], strict_id: false } },
    });
    expect(identify?.environment["CONTENTS"]).toBe("datasource: Ec2\n");
    expect(boot).toMatchObject({ pid: "host", environment: { BLOCK_DEVICE: "/dev/sda1", WAIT_SECONDS: "5" } });
  });

  it("takes the image as the machine says, else as the cluster does", () => {
    const shared = cluster({
      imageLookupBaseRegistry: "reg.example",
      imageLookupOSDistro: "flatcar",
      imageLookupOSVersion: "1.2",
    });
    expect(image({ cluster: shared })).toBe("reg.example/flatcar-12:v1.34.1.gz");
    const own = machine({
      imageLookupFormat: "{{.BaseRegistry}}/{{.OSDistro}}:{{.KubernetesVersion}}",
      imageLookupOSDistro: "Debian",
    });
    expect(image({ machine: own, cluster: shared })).toBe("reg.example/debian:v1.34.1");
  });

  it("has an image", () => {
    const shared = cluster({ imageLookupFormat: "{{.Nothing}}" });
    expect(problemOf({ cluster: shared })).toMatch(/^ImageFormatInvalid: spec\.imageLookupFormat .*"Nothing"/);
  });

  it.each([
    ["/dev/nvme0n1", "/dev/nvme0n1p1"],
    ["/dev/mmcblk0", "/dev/mmcblk0p1"],
    ["/dev/vda", "/dev/vda1"],
  ])("puts files on the first partition of %s", (device, partition) => {
    expect(taskOf({ hardware: hardware(device) })?.actions[1]?.environment["DEST_DISK"]).toBe(partition);
  });
});

it("works out the address of the image once, for however many Hardware", () => {
  let asked = 0;
  const shared = {
    imageLookupBaseRegistry: "registry.test",
    imageLookupOSDistro: "ubuntu",
    get imageLookupFormat() {
      asked += 1;
      return "{{.BaseRegistry}}/{{.OSDistro}}";
    },
  };
  const { hardware: on, ...rest } = input({ cluster: cluster({}) });
  const textOn = templateTexts({ ...rest, cluster: { ...cluster({}), spec: shared } });
  expect(new Set(Array.from({ length: 1000 }, () => JSON.stringify(textOn(on)))).size).toBe(1);
  expect(asked).toBe(1);
});
