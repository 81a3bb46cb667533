import { bootstrapConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { KubeadmConfig, KubeadmConfigTemplate } from "../src/api.ts";
import { createBootstrapKubeadmProvider } from "../src/index.ts";

bootstrapConformance(
  { afterAll, beforeAll, describe, it },
  {
    kinds: [KubeadmConfig, KubeadmConfigTemplate],
    configKind: KubeadmConfig,
    configSpec: { initConfiguration: { nodeRegistration: { name: "{{ ds.meta_data.label }}" } } },
    clusterSpec: { controlPlaneEndpoint: { host: "192.0.2.10", port: 6443 } },
    formats: ["cloud-config"],
    provider: () => createBootstrapKubeadmProvider(),
  },
);
