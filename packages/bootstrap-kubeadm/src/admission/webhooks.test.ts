import { describe, expect, it } from "vitest";
import type { KubeadmConfigSpec } from "../api/kubeadm-config.v1beta2.ts";
import { oddSpecs, refusedSpecs, specOf } from "../../test/odd-specs.ts";
import { webhooks } from "./webhooks.ts";

const context = { find: async () => undefined };
const secret = { name: "s", key: "k" };

const placed = {
  KubeadmConfig: { path: "spec", put: (spec: unknown) => spec },
  KubeadmConfigTemplate: { path: "spec.template.spec", put: (spec: unknown) => ({ template: { spec } }) },
};
const kinds = Object.keys(placed) as (keyof typeof placed)[];

const objectOf = (kind: string, spec: unknown) => ({ apiVersion: "v1", kind, metadata: { name: "a" }, spec });

const webhookOf = (kind: string) => {
  const found = webhooks.find((webhook) => webhook.kind.kind === kind);
  if (found === undefined) throw new Error(`there are no webhooks of ${kind}`);
  return found;
};

const causes = async (kind: string, spec: unknown) => {
  const found = await webhookOf(kind).validate?.(objectOf(kind, spec), context);
  return found?.map(({ field, reason }) => `${reason} ${field}`) ?? [];
};

const warnings = async (kind: string, spec: unknown) => {
  const defaulted = await webhookOf(kind).default?.(objectOf(kind, spec), context);
  return defaulted !== undefined && "object" in defaulted ? (defaulted.warnings ?? []) : [];
};

const user = { authProvider: { name: "p" }, exec: { command: "c" } };

describe.each(kinds)("a %s", (kind) => {
  const { path, put } = placed[kind];

  it.each<[string, KubeadmConfigSpec, readonly string[]]>([
    ["that says nothing", {}, []],
    ["with a file of two contents", { files: [{ path: "/a", content: "x", contentFrom: { secret } }] }, ["files[0]"]],
    ["with one path twice", { files: [{ path: "/a" }, { path: "/b" }, { path: "/a" }] }, ["files[2].path"]],
    ["with a user of two passwords", { users: [{ name: "u", passwd: "$6$", passwdFrom: { secret } }] }, ["users[0]"]],
    [
      "with partitions of more than the disk",
      { diskSetup: { partitions: [{ device: "/dev/sdb", diskLayout: [{ percentage: 60 }, { percentage: 41 }] }] } },
      ["diskSetup.partitions[0].diskLayout"],
    ],
    [
      "with the character NUL",
      { files: [{ path: "/a", content: "b\0" }], preKubeadmCommands: ["a", "\0"] },
      ["files[0].content", "preKubeadmCommands[1]"],
    ],
    [
      "with two ways to log in",
      { joinConfiguration: { discovery: { file: { kubeConfigPath: "/k", kubeConfig: { user } } } } },
      ["joinConfiguration.discovery.file.kubeConfig.user"],
    ],
    ["whose timeouts differ", { initConfiguration: { timeouts: { controlPlaneComponentHealthCheckSeconds: 9 } } }, []],
  ])("%s", async (_, spec, fields) => {
    expect(await causes(kind, put(spec))).toEqual(fields.map((field) => `FieldValueInvalid ${path}.${field}`));
  });

  it.each<[string, KubeadmConfigSpec, readonly string[]]>([
    ["Ignition", {}, []],
    ["an inactive user", { users: [{ name: "a", inactive: true }] }, ["Forbidden users[0].inactive"]],
    ["a packed file", { files: [{ path: "/a", encoding: "gzip+base64" }] }, ["Forbidden files[0].encoding"]],
    ["boot commands", { bootCommands: ["a"] }, ["Forbidden bootCommands"]],
    [
      "a part of a disk",
      {
        diskSetup: {
          partitions: [{ device: "/dev/sdb", tableType: "mbr", diskLayout: [{ percentage: 9 }] }],
          filesystems: [{ device: "/dev/sdb1", filesystem: "ext4", partition: "1", replaceFS: "xfs" }],
        },
      },
      [
        "Forbidden diskSetup.filesystems[0].replaceFS",
        "Forbidden diskSetup.filesystems[0].partition",
        "Forbidden diskSetup.partitions[0].diskLayout",
        "Invalid diskSetup.partitions[0].tableType",
      ],
    ],
    [
      "a config that cannot be translated",
      { ignition: { containerLinuxConfig: { additionalConfig: "nosuch: 1" } } },
      ["Invalid ignition.containerLinuxConfig.additionalConfig"],
    ],
  ])("in the format of Ignition: %s", async (_, spec, expected) => {
    expect(await causes(kind, put({ format: "ignition", ...spec }))).toEqual(
      expected.map((cause) => `FieldValue${cause.replace(" ", ` ${path}.`)}`),
    );
  });

  it("has no settings of Ignition in another format", async () => {
    expect(await causes(kind, put({ ignition: {} }))).toEqual([`FieldValueInvalid ${path}.format`]);
  });

  it.each<[string, unknown, readonly string[]]>([
    ["nothing", undefined, []],
    ["what the schema will refuse", { files: "x", users: [1, null] }, []],
    ["files like any", { files: [{ path: "/a", permissions: "0640", encoding: "base64", content: "aGk=\n" }] }, []],
    ["a file of the provider's", { files: [{ path: "/run/kubeadm/kubeadm.yaml" }] }, ["files[0].path"]],
    ["a mode in words", { files: [{ path: "/a", permissions: "u+rw" }] }, ["files[0].permissions"]],
    ["base64 that is not", { files: [{ path: "/a", encoding: "gzip+base64", content: "é" }] }, ["files[0].content"]],
    [
      "a password as it is",
      {
        users: [
          { name: "u", passwd: "secret" },
          { name: "v", passwd: "$6$a$b" },
        ],
      },
      ["users[0].passwd"],
    ],
    ["raw gzip as a text", { files: [{ path: "/a", encoding: "gzip", content: "x" }] }, ["files[0].encoding"]],
    ["gzip from a Secret", { files: [{ path: "/a", encoding: "gzip", contentFrom: { secret } }] }, []],
    ["a number for an owner", { files: [{ path: "/a", owner: "root:0" }] }, ["files[0].owner"]],
    ["a number for Ignition", { format: "ignition", files: [{ path: "/a", owner: "500:500" }] }, []],
    ["a comment that useradd refuses", { users: [{ name: "u", gecos: "U: on call" }] }, ["users[0].gecos"]],
    ["line ends of Windows", { postKubeadmCommands: ["a", "b\r\nc"] }, ["postKubeadmCommands[1]"]],
    ["Jinja for cloud-init", { preKubeadmCommands: ["{{ a }}"] }, []],
    ["Jinja that cannot be read", { preKubeadmCommands: ["a", "{{ a b }}"] }, ["preKubeadmCommands[1]"]],
    ["a statement without its end", { files: [{ path: "/a", content: "{% if ds %}" }] }, ["files[0].content"]],
    ["a statement over commands", { preKubeadmCommands: ["{% if ds %}", "a", "{% endif %}"] }, []],
    ["an end without its statement", { bootCommands: ["{% endif %}"] }, ["bootCommands[0]"]],
    ["names of another program", { files: [{ path: "/a", content: "{{ item.name }}" }] }, ["files[0].content"]],
    [
      "names of its own",
      { preKubeadmCommands: ["{% set a = ds.b %}{{ a.b }}{{ v1['c'] }}{{ range(2)|join(',') }}"] },
      [],
    ],
    [
      "the shell's",
      { preKubeadmCommands: ["echo ${#a[@]} {#", "docker ps --format '{{.Names}} {{json .}}' +{%Y%}"] },
      [],
    ],
    ["a template", { files: [{ path: "/a", contentFormat: "Template", content: "{{ a b }}" }] }, []],
    ["Jinja for Ignition", { format: "ignition", preKubeadmCommands: ["a", "{{ a }}"] }, ["preKubeadmCommands[1]"]],
  ])("warns of %s", async (_, spec, fields) => {
    const found = await warnings(kind, put(spec));
    expect(found.map((warning) => warning.split(": ")[0])).toEqual(fields.map((field) => `${path}.${field}`));
    expect(found.join()).not.toContain("secret");
  });

  it.each(refusedSpecs)("warns of what kubeadm refuses: $field $value", async (refused) => {
    const found = await warnings(kind, put(specOf(refused)));
    expect(found).toHaveLength(1);
    const [field, words] = found.join().split(": ");
    expect(field).toBe(`${path}.${refused.field}`);
    expect(words).toMatch(/^kubeadm rejects it; .+/);
  });

  it.each(Object.entries(oddSpecs))("neither refuses what is odd nor warns of it: %s", async (_, { spec = {} }) => {
    expect(await causes(kind, put(spec))).toEqual([]);
    expect(await warnings(kind, put(spec))).toEqual([]);
  });

  it("does not know yet what Jinja gives", async () => {
    const name = "{{ ds.meta_data.a_b }}";
    expect(await warnings(kind, put({ joinConfiguration: { nodeRegistration: { name } } }))).toEqual([]);
    expect(await warnings(kind, put({ clusterConfiguration: { apiServer: { certSANs: [name] } } }))).toEqual([]);
  });

  it.each<[number, readonly string[]]>([
    [16_384, []],
    [16_385, ["16385 bytes, but many clouds limit user data to 16 KiB"]],
    [65_536, ["65536 bytes, but many clouds limit user data to 16 KiB"]],
    [65_537, ["65537 bytes, but many clouds limit user data to 64 KiB"]],
  ])("warns of %i bytes of texts as %j", async (bytes, expected) => {
    // The path of the file has two.
    const content = `${"é".repeat(1000)}${"a".repeat(bytes - 2002)}`;
    const found = await warnings(kind, put({ files: [{ path: "/a", content }] }));
    expect(found).toEqual(
      expected.map(
        (text) =>
          `${path}: its contents have ${text}; machines there need an object store, or data that compresses well`,
      ),
    );
  });
});

it("a template has labels and annotations that objects can have", async () => {
  const metadata = { labels: { "a b": "c" }, annotations: { "/": "" } };
  expect(await causes("KubeadmConfigTemplate", { template: { metadata } })).toEqual([
    "FieldValueInvalid spec.template.metadata.labels",
    "FieldValueInvalid spec.template.metadata.annotations",
  ]);
});

it("looks for Jinja in no more than clouds take, and warns of it ten times at most", async () => {
  const command = "{{ a b }}";
  const many = Array.from({ length: 100 }, () => command);
  expect(await warnings("KubeadmConfigTemplate", { template: { spec: { preKubeadmCommands: many } } })).toHaveLength(
    10,
  );
  const long = await warnings("KubeadmConfigTemplate", {
    template: { spec: { preKubeadmCommands: [command.repeat(10_000)] } },
  });
  expect(long).toEqual([expect.stringContaining("object store")]);
});

it("leaves a template without its template to the schema", async () => {
  expect(await warnings("KubeadmConfigTemplate", undefined)).toEqual([]);
  expect(await warnings("KubeadmConfigTemplate", {})).toEqual([]);
});
