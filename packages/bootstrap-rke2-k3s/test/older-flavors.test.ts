import { Group } from "@capstan/contract";
import type { AdmissionContextV1 } from "@capstan/contract/v1";
import { apiVersionOf, type Kind, type KubeObject } from "@capstan/schema";
import { validate } from "@capstan/schema/structural";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { allWebhooks } from "../src/admission/webhooks.ts";
import * as api from "../src/api.ts";
import { k3s, renderNodeDocument, rke2 } from "../src/render.ts";
import { nodeInput } from "./node-input.ts";

const context: AdmissionContextV1 = { find: () => Promise.resolve(undefined) };

/** An object as it is stored: converted, with its defaults, and refused by no one. */
const stored = async <S>(kind: Kind, from: Kind, spec: object): Promise<S> => {
  const webhooks = allWebhooks.find((each) => each.kind === kind)!;
  const sent: KubeObject = {
    apiVersion: apiVersionOf(from),
    kind: kind.kind,
    metadata: { namespace: "default", name: "one" },
    spec,
  };
  const object = webhooks.convert?.(sent, apiVersionOf(kind), (group) => `${group}/v1alpha2`) ?? sent;
  const defaulted = await webhooks.default!(object, context);
  if ("refused" in defaulted) throw new Error(defaulted.refused);
  expect(await webhooks.validate!(defaulted.object, context)).toEqual([]);
  expect(validate(kind.schema, defaulted.object)).toEqual([]);
  return defaulted.object["spec"] as S;
};

const nodeName = "{{ ds.meta_data.label }}";
const commands = ["sed -i '/swap/d' /etc/fstab", `hostnamectl set-hostname '${nodeName}' && hostname -F /etc/hostname`];
const infrastructureRef = {
  apiVersion: `${Group.infrastructure}/v1alpha2`,
  kind: "LinodeMachineTemplate",
  name: "servers",
};

const settingsOf = (text: string, distribution: typeof k3s) => {
  const document = parse(text) as {
    readonly write_files: readonly { readonly path: string; readonly content: string }[];
    readonly runcmd: readonly string[];
  };
  const file = document.write_files.find(({ path }) => path === `${distribution.configDirectory}/config.yaml`);
  return { ...document, config: parse(file?.content ?? "") as Readonly<Record<string, unknown>> };
};

describe("flavors that were written for upstream's providers", () => {
  it("of RKE2: an empty profile, and fields beside machineTemplate", async () => {
    const plane = await stored<api.RKE2ControlPlaneSpec>(api.RKE2ControlPlane, api.RKE2ControlPlaneV1Beta1, {
      agentConfig: { cisProfile: "", nodeName, protectKernelDefaults: false },
      infrastructureRef,
      nodeDrainTimeout: "2m",
      preRKE2Commands: commands,
      registrationMethod: "internal-only-ips",
      replicas: 3,
      rolloutStrategy: { rollingUpdate: { maxSurge: 1 } },
      serverConfig: {
        cloudProviderName: "external",
        cni: "none",
        disableComponents: {
          kubernetesComponents: ["cloudController", "kubeProxy"],
          pluginComponents: ["rke2-ingress-nginx"],
        },
      },
      version: "v1.35.4+rke2r1",
    });
    expect(plane.machineTemplate?.spec).toMatchObject({
      infrastructureRef: { name: "servers" },
      deletion: { nodeDrainTimeoutSeconds: 120 },
    });
    const source = { agent: plane.agentConfig ?? {}, server: plane.serverConfig ?? {} };
    const parts = { version: plane.version, preCommands: plane.preRKE2Commands ?? [], source };
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
    const { template } = await stored<{ readonly template: { readonly spec: api.RKE2ConfigSpec } }>(
      api.RKE2ConfigTemplate,
      api.RKE2ConfigTemplateV1Beta1,
      {
        template: {
          spec: { agentConfig: { cisProfile: "", kubelet: { extraArgs }, nodeName }, preRKE2Commands: commands },
        },
      },
    );
    const source = { agent: template.spec.agentConfig ?? {} };
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
    const plane = await stored<{ readonly kthreesConfigSpec: api.KThreesConfigSpec; readonly version: string }>(
      api.KThreesControlPlane,
      api.KThreesControlPlane,
      {
        kthreesConfigSpec: {
          agentConfig: { nodeName },
          files,
          preK3sCommands: commands,
          serverConfig: { disableComponents: ["servicelb", "traefik"] },
        },
        machineTemplate: { infrastructureRef },
        replicas: 3,
        version: "v1.35.4+k3s1",
      },
    );
    const { agentConfig = {}, serverConfig = {} } = plane.kthreesConfigSpec;
    const parts = { version: plane.version, files, source: { agent: agentConfig, server: serverConfig } };
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
