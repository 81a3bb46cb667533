import type { AdmissionContextV1 } from "@capstan/contract/v1";
import { apiVersionOf, type Kind, type KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import {
  KThreesConfig,
  KThreesConfigTemplate,
  KThreesControlPlane,
  RKE2Config,
  RKE2ConfigTemplate,
  RKE2ControlPlane,
  RKE2ControlPlaneTemplate,
} from "../api.ts";
import { allWebhooks } from "./webhooks.ts";

const context: AdmissionContextV1 = { find: () => Promise.resolve(undefined) };

const objectOf = (kind: Pick<Kind, "group" | "kind" | "version">, spec: unknown): KubeObject => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  metadata: { namespace: "default", name: "one" },
  spec,
});

const webhooksOf = (kind: unknown) => allWebhooks.find((webhooks) => webhooks.kind === kind)!;

const defaulted = async (kind: Kind, spec: unknown) => {
  const result = await webhooksOf(kind).default!(objectOf(kind, spec), context);
  if ("refused" in result) throw new Error(result.refused);
  return { spec: result.object["spec"], warnings: result.warnings };
};

const causes = async (kind: Kind, spec: unknown, old?: unknown): Promise<readonly string[]> => {
  const found = await webhooksOf(kind).validate!(
    objectOf(kind, spec),
    old === undefined ? context : { ...context, old: objectOf(kind, old) },
  );
  return found.map(({ field, message }) => `${field}: ${message}`);
};

describe("defaults", () => {
  it("of an RKE2Config: the format, no empty profile, data as block YAML without the provider's sections", async () => {
    const data = { write_files: "[]", ntp: "{}", runcmd: "[]", zram: "{size: [1, 2]}", locale: "de_DE  " };
    const { spec } = await defaulted(RKE2Config, { agentConfig: { cisProfile: "", additionalUserData: { data } } });
    expect(spec).toEqual({
      agentConfig: {
        format: "cloud-config",
        additionalUserData: { data: { zram: "size:\n- 1\n- 2\n", locale: "de_DE  " } },
      },
    });
    const again = objectOf(RKE2Config, spec);
    expect(await webhooksOf(RKE2Config).default!(again, context)).toMatchObject({ object: again });
  });

  it("of a KThreesControlPlane: one server, and the namespace of its template", async () => {
    const infrastructureRef = { apiVersion: "v1", kind: "Template", name: "one" };
    const { spec } = await defaulted(KThreesControlPlane, {
      version: "v1.35.4+k3s1",
      machineTemplate: { infrastructureRef },
    });
    expect(spec).toEqual({
      replicas: 1,
      version: "v1.35.4+k3s1",
      machineTemplate: { infrastructureRef: { ...infrastructureRef, namespace: "default" } },
    });
    const elsewhere = { replicas: 3, machineTemplate: { infrastructureRef: { ...infrastructureRef, namespace: "b" } } };
    expect((await defaulted(KThreesControlPlane, elsewhere)).spec).toEqual(elsewhere);
    for (const given of [undefined, null, "text", { replicas: 1, machineTemplate: { infrastructureRef: "text" } }]) {
      expect((await defaulted(KThreesControlPlane, given)).spec).toEqual(given);
    }
  });

  it("of an RKE2ControlPlane: one server, one more while replacing, times of removal", async () => {
    const spec = {
      version: "v1.35.4+rke2r1",
      machineTemplate: { spec: { infrastructureRef: {}, deletion: { nodeDrainTimeoutSeconds: 5 } } },
    };
    expect((await defaulted(RKE2ControlPlane, spec)).spec).toMatchObject({
      replicas: 1,
      rolloutStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } },
      machineTemplate: {
        spec: {
          deletion: { nodeDrainTimeoutSeconds: 5, nodeVolumeDetachTimeoutSeconds: 300, nodeDeletionTimeoutSeconds: 10 },
        },
      },
    });
  });

  it("of a KThreesConfig: the cloud controller is elsewhere", async () => {
    expect((await defaulted(KThreesConfig, { serverConfig: { cloudProviderName: "" } })).spec).toEqual({
      serverConfig: { disableCloudController: true, cloudProviderName: "" },
    });
  });
});

it("warns of what RKE2 has no setting for", async () => {
  const agentConfig = { nodeName: "node", kubelet: { overrideImage: "x", extraArgs: ["a=b"] } };
  const { warnings } = await defaulted(RKE2Config, { agentConfig });
  expect(warnings).toEqual([
    "spec.agentConfig.nodeName is ignored: without a Jinja expression, several Nodes would have the same name",
    "spec.agentConfig.kubelet.overrideImage is ignored: RKE2 has no such setting",
  ]);
  expect((await defaulted(RKE2Config, { agentConfig: { nodeName: "{{ ds.meta_data.label }}" } })).warnings).toEqual([]);
  const plane = { serverConfig: { cloudControllerManager: { extraArgs: ["a=b"] } }, rolloutStrategy: {} };
  expect((await defaulted(RKE2ControlPlane, plane)).warnings).toEqual([
    "spec.serverConfig.cloudControllerManager.extraArgs is ignored: RKE2 has no such setting",
  ]);
});

it("warns of what no controller of a config looks at", async () => {
  const spec = { agentConfig: { nodeAnnotations: { a: "b" } } };
  const warning = expect.stringMatching(/agentConfig\.nodeAnnotations is ignored: the RKE2ControlPlane controller/);
  expect((await defaulted(RKE2Config, spec)).warnings).toEqual([warning]);
  expect((await defaulted(RKE2ConfigTemplate, { template: { spec } })).warnings).toEqual([warning]);
  expect((await defaulted(RKE2ControlPlane, { ...spec, rolloutStrategy: {} })).warnings).toEqual([]);
  const { warnings } = await defaulted(KThreesConfig, { serverConfig: { disableExternalCloudProvider: true } });
  expect(warnings).toEqual([expect.stringMatching(/^spec\.serverConfig\.disableExternalCloudProvider is not used/)]);
});

describe("rules", () => {
  it.each([
    [
      { privateRegistriesConfig: { configs: { "a.example": {} } } },
      /^spec\.privateRegistriesConfig\.configs\.a\.example: /,
    ],
    [{ agentConfig: { airGapped: true, airGappedChecksum: '"; rm -rf /' } }, /^spec\.agentConfig\.airGappedChecksum: /],
    [{ agentConfig: { airGappedChecksum: "abc" } }, /requires airGapped/],
    [{ files: [{ path: "/a", content: "b\0" }] }, /^spec\.files\[0\]\.content: /],
    [{ agentConfig: { nodeLabels: ["a=b", "c=\nd"] } }, /^spec\.agentConfig\.nodeLabels\[1\]: /],
    [{ agentConfig: { additionalUserData: { config: "a: [" } } }, /^spec\.agentConfig\.additionalUserData\.config: /],
    [{ agentConfig: { additionalUserData: { config: "text" } } }, /must be a map of sections/],
    [{ agentConfig: { additionalUserData: { data: { zram: "{" } } } }, /additionalUserData\.data\.zram: /],
    [{ files: [{ path: "/a", contentFrom: {} }] }, /^spec\.files\[0\]\.contentFrom: /],
    [{ files: [{ path: "a" }] }, /^spec\.files\[0\]\.path: /],
    [{ files: [{ path: "/a", permissions: "rw" }] }, /^spec\.files\[0\]\.permissions: /],
    [{ files: [{ path: "/etc/rancher/rke2/config.yaml" }] }, /config\.yaml\.d/],
    [
      { files: [{ path: "/a", content: "x", contentFrom: { secret: { name: "a", key: "b" } } }] },
      /^spec\.files\[0\]\.content: /,
    ],
  ])("refuse %j", async (spec, message) => {
    expect(await causes(RKE2Config, spec)).toEqual([expect.stringMatching(message)]);
    const [inTemplate] = await causes(RKE2ConfigTemplate, { template: { spec } });
    expect(inTemplate).toMatch(/^spec\.template\.spec\./);
  });

  const butane = "variant: fcos\nversion: 1.4.0\n";
  const user = (additionalUserData: object) => ({ agentConfig: { format: "ignition", additionalUserData } });
  it.each([
    [
      user({ config: `${butane}storage: {fils: []}` }),
      /additionalUserData\.config: .*must be Butane: storage\.fils unknown field/,
    ],
    [
      user({ config: "#cloud-config\nusers: []" }),
      /additionalUserData\.config: .*must be Butane: variant must be one of/,
    ],
    [user({ config: "a: [" }), /additionalUserData\.config: .*is not valid YAML/],
    [
      user({ config: `${butane}storage: {files: [{path: /a, mode: 644}]}`, strict: true }),
      /files\[0\]\.mode 644 .*0644/,
    ],
    [user({ data: { zram: "1" } }), /additionalUserData\.data: .*use config, in Butane/],
    [
      { agentConfig: { format: "ignition" }, files: [{ path: "/a" }, { path: "/b", encoding: "gzip+base64" }] },
      /^spec\.files\[1\]\.encoding: .*use base64/,
    ],
    [
      { agentConfig: { format: "ignition", nodeName: "{{ ds.meta_data.label }}" } },
      /^spec\.agentConfig\.nodeName: .*not render expressions/,
    ],
  ])("refuse what Ignition has nothing for: %j", async (spec, message) => {
    expect(await causes(RKE2Config, spec)).toEqual([expect.stringMatching(message)]);
    expect(await causes(KThreesConfig, spec)).toEqual([expect.stringMatching(message)]);
    expect(await causes(KThreesConfigTemplate, { template: { spec } })).toEqual([
      expect.stringMatching(/^spec\.template\.spec\./),
    ]);
  });

  it("name no secret of what is wrong", async () => {
    const [cause] = await causes(
      RKE2Config,
      user({ config: `${butane}passwd: {users: [{nam: s3cret-user}]}\n# s3cret` }),
    );
    expect(cause).toContain("passwd.users[0].nam");
    expect(cause).not.toContain("s3cret");
  });

  it("take Ignition and packed data, and warn of what is likely not meant", async () => {
    const spec = {
      gzipUserData: true,
      files: [{ path: "/a", encoding: "base64", content: "YQ==" }],
      ...user({ config: `${butane}storage: {files: [{path: /a, mode: 644}]}` }),
    };
    for (const kind of [RKE2Config, KThreesConfig]) {
      expect(await causes(kind, spec)).toEqual([]);
      expect((await defaulted(kind, spec)).warnings).toEqual([
        expect.stringMatching(/^spec\.agentConfig\.additionalUserData\.config: storage\.files\[0\]\.mode: .*0644$/),
      ]);
    }
  });

  const plane = { version: "v1.35.4+rke2r1", rolloutStrategy: {} };
  it.each([
    [{ replicas: 0 }, /^spec\.replicas: /],
    [{ serverConfig: { cniMultusEnable: true } }, /^spec\.serverConfig\.cni: /],
    [{ registrationMethod: "address" }, /^spec\.registrationAddress: /],
    [{ rolloutStrategy: { rollingUpdate: { maxSurge: 2 } } }, /maxSurge: /],
    [{ serverConfig: { secretsEncryption: { provider: "aescbc" } } }, /encryptionKeySecret: /],
  ])("refuse a control plane with %j", async (spec, message) => {
    expect(await causes(RKE2ControlPlane, { ...plane, ...spec })).toEqual([expect.stringMatching(message)]);
  });

  it("keep the method of registration, and templates of control planes", async () => {
    const external = { ...plane, registrationMethod: "external-only-ips" };
    expect(await causes(RKE2ControlPlane, { ...plane, registrationMethod: "internal-first" }, external)).toHaveLength(
      1,
    );
    expect(await causes(RKE2ControlPlane, external, plane)).toEqual([]);
    const template = { template: { spec: plane } };
    expect(await causes(RKE2ControlPlaneTemplate, template, template)).toEqual([]);
    expect(await causes(RKE2ControlPlaneTemplate, { template: { spec: external } }, template)).toHaveLength(1);
  });

  it("refuse a version and ports of k3s that are none", async () => {
    const spec = { version: "v1.35.4", serverConfig: { httpsListenPort: "https", advertisePort: "6443" } };
    expect(await causes(KThreesConfig, spec)).toEqual([
      expect.stringMatching(/^spec\.serverConfig\.httpsListenPort: /),
      expect.stringMatching(/^spec\.version: .*v1\.35\.4\+k3s1/),
    ]);
  });

  it("accept what has nothing wrong", async () => {
    const spec = {
      files: [{ path: "/a", permissions: "0600", content: "a\tb\n\u0007" }],
      preRKE2Commands: ["a \\\n  b"],
      agentConfig: { airGapped: true, airGappedChecksum: "abc123", kubelet: { extraArgs: ["max-pods=150"] } },
    };
    expect(await causes(RKE2Config, spec)).toEqual([]);
    expect(await causes(RKE2ControlPlane, { ...plane, ...spec })).toEqual([]);
  });
});

it.each<[object, object | undefined, readonly RegExp[]]>([
  [{ version: "v1.35.4+k3s1" }, undefined, []],
  [{ version: "v1.35.4", replicas: 0 }, undefined, [/^spec\.replicas: /, /^spec\.version: .*must be a version of k3s/]],
  [{ version: "v1.35.4" }, { version: "v1.35.4" }, []],
  [{ version: "v1.35.5" }, { version: "v1.35.4" }, [/^spec\.version: /]],
])("a KThreesControlPlane of %j after %j", async (spec, old, messages) => {
  expect(await causes(KThreesControlPlane, spec, old)).toEqual(messages.map((each) => expect.stringMatching(each)));
});
