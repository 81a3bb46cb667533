import { readFileSync } from "node:fs";
import { toBase64 } from "@capstan/kube-values";
import { bootstrapConformance } from "@capstan/testing/conformance";
import type { SuiteTools } from "@capstan/testing/conformance";
import { KubeadmConfig, KubeadmConfigTemplate } from "../src/api.ts";
import { createBootstrapKubeadmProvider } from "../src/index.ts";

const authority = readFileSync(new URL("__fixtures__/ca.crt", import.meta.url), "utf8");

export const testKubeadmConfigs = (tools: SuiteTools): void =>
  bootstrapConformance(tools, {
    kinds: [KubeadmConfig, KubeadmConfigTemplate],
    configKind: KubeadmConfig,
    configSpec: { initConfiguration: { nodeRegistration: { name: "{{ ds.meta_data.label }}" } } },
    clusterSpec: { controlPlaneEndpoint: { host: "192.0.2.10", port: 6443 } },
    formats: ["cloud-config"],
    pool: {
      configSpec: {
        joinConfiguration: {
          discovery: {
            file: { kubeConfigPath: "/etc/discovery.conf", kubeConfig: { user: { exec: { command: "token" } } } },
          },
        },
      },
      prepare: (core) => core.createSecret("orchid-ca", { "tls.crt": toBase64(authority), "tls.key": toBase64("key") }),
      change: { preKubeadmCommands: ["date"] },
    },
    provider: () => createBootstrapKubeadmProvider(),
  });
