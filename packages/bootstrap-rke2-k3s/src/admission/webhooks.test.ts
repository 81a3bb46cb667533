import { admissionOf } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { KThreesConfig, KThreesConfigTemplate, RKE2Config, RKE2ConfigTemplate } from "../api.ts";
import { allWebhooks } from "./webhooks.ts";

const { causes, defaulted } = admissionOf(allWebhooks);

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
    expect((await defaulted(RKE2Config, spec)).spec).toEqual(spec);
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
});

it("warns of what no controller of a config looks at", async () => {
  const spec = { agentConfig: { nodeAnnotations: { a: "b" } } };
  const warning = expect.stringMatching(/agentConfig\.nodeAnnotations is ignored: the RKE2ControlPlane controller/);
  expect((await defaulted(RKE2Config, spec)).warnings).toEqual([warning]);
  expect((await defaulted(RKE2ConfigTemplate, { template: { spec } })).warnings).toEqual([warning]);
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
  });
});
