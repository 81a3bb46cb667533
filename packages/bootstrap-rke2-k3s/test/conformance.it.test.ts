import { bootstrapConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { KThreesConfig, KThreesConfigTemplate, RKE2Config, RKE2ConfigTemplate, RKE2ControlPlane } from "../src/api.ts";
import { createBootstrapRke2K3sProvider } from "../src/index.ts";

const clusterSpec = { controlPlaneEndpoint: { host: "192.0.2.10", port: 6443 } };

const vitest = { afterAll, beforeAll, describe, it };

const kinds = [RKE2Config, RKE2ConfigTemplate, RKE2ControlPlane, KThreesConfig, KThreesConfigTemplate];

const provider = () => createBootstrapRke2K3sProvider();

bootstrapConformance(vitest, {
  kinds,
  configKind: RKE2Config,
  configSpec: { agentConfig: { nodeName: "{{ ds.meta_data.label }}" }, preRKE2Commands: ["swapoff -a"] },
  clusterSpec,
  machineSpec: { version: "v1.35.4+rke2r1" },
  formats: ["cloud-config"],
  provider,
});

bootstrapConformance(vitest, {
  kinds,
  configKind: KThreesConfig,
  configSpec: { serverConfig: { disableComponents: ["traefik"] } },
  clusterSpec,
  machineSpec: { version: "v1.35.4+k3s1" },
  formats: ["cloud-config"],
  provider,
});
