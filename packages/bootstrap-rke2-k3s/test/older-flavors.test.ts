import { admissionOf } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { allWebhooks } from "../src/admission/webhooks.ts";
import { KThreesConfig, type KThreesConfigSpec, RKE2Config, type RKE2ConfigSpec } from "../src/api.ts";
import { k3s, renderNodeDocument, rke2 } from "../src/render.ts";
import { nodeInput } from "./node-input.ts";

const { defaulted } = admissionOf(allWebhooks);

/** `agentConfig` of an RKE2Config with its defaults. */
const defaultedAgent = async (agentConfig: object) => {
  const { spec } = await defaulted(RKE2Config, { agentConfig });
  return (spec as RKE2ConfigSpec).agentConfig ?? {};
};

const nodeName = "{{ ds.meta_data.label }}";
const commands = ["sed -i '/swap/d' /etc/fstab", `hostnamectl set-hostname '${nodeName}' && hostname -F /etc/hostname`];
const settingsOf = (text: string, distribution: typeof k3s) => {
  const document = parse(text) as {
    readonly write_files: readonly { readonly path: string; readonly content: string }[];
    readonly runcmd: readonly string[];
  };
  const file = document.write_files.find(({ path }) => path === `${distribution.configDirectory}/config.yaml`);
  return { ...document, config: parse(file?.content ?? "") as Readonly<Record<string, unknown>> };
};

describe("flavors that were written for upstream's providers", () => {
  it("of RKE2: an empty profile, and components that are off", async () => {
    const source = {
      agent: await defaultedAgent({ cisProfile: "", nodeName, protectKernelDefaults: false }),
      server: {
        cloudProviderName: "external",
        cni: "none",
        disableComponents: {
          kubernetesComponents: ["cloudController", "kubeProxy"],
          pluginComponents: ["rke2-ingress-nginx"],
        },
      },
    };
    const parts = { version: "v1.35.4+rke2r1", preCommands: commands, source };
    const { config, runcmd } = settingsOf(renderNodeDocument(rke2, nodeInput("init", parts)), rke2);
    expect(config).toMatchObject({
      "node-name": nodeName,
      "cloud-provider-name": "external",
      cni: ["none"],
      disable: ["rke2-ingress-nginx"],
      "disable-cloud-controller": true,
      "disable-kube-proxy": true,
    });
    expect(config).not.toHaveProperty("profile");
    expect(runcmd.slice(0, 2)).toEqual(commands);
  });

  it("of RKE2's workers: a provider id with the machine's metadata", async () => {
    const extraArgs = ["provider-id=linode://{{ ds.meta_data.id }}"];
    const source = { agent: await defaultedAgent({ cisProfile: "", kubelet: { extraArgs }, nodeName }) };
    const input = nodeInput("agent", { version: "v1.35.4+rke2r1", server: "https://10.8.0.4:9345", source });
    expect(settingsOf(renderNodeDocument(rke2, input), rke2).config).toMatchObject({ "kubelet-arg": extraArgs });
  });

  it("of k3s: settings of their own in config.yaml.d, and manifests as files", async () => {
    const files = [
      {
        owner: "root:root",
        path: "/etc/rancher/k3s/config.yaml.d/capi-config.yaml",
        content: "flannel-backend: none\n",
      },
      { owner: "root:root", path: "/var/lib/rancher/k3s/server/manifests/cilium.yaml", content: "kind: HelmChart" },
    ];
    const { spec } = await defaulted(KThreesConfig, {
      agentConfig: { nodeName },
      serverConfig: { disableComponents: ["servicelb", "traefik"] },
    });
    const { agentConfig = {}, serverConfig = {} } = spec as KThreesConfigSpec;
    const parts = { version: "v1.35.4+k3s1", files, source: { agent: agentConfig, server: serverConfig } };
    const { config, write_files: written } = settingsOf(renderNodeDocument(k3s, nodeInput("init", parts)), k3s);
    expect(config).toMatchObject({
      "cluster-init": true,
      "node-name": nodeName,
      disable: ["servicelb", "traefik"],
      "disable-cloud-controller": true,
      "kubelet-arg": ["cloud-provider=external"],
    });
    const paths = written.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(files.map(({ path }) => path)));
    expect(paths.at(-1)).toBe("/etc/rancher/k3s/config.yaml");
  });
});
