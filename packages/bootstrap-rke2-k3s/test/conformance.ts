import { toBase64 } from "@capstan/kube-values";
import { bootstrapConformance } from "@capstan/testing/conformance";
import type { SuiteTools } from "@capstan/testing/conformance";
import type { CorePart } from "@capstan/testing/environment";
import { KThreesConfig, KThreesConfigTemplate, RKE2Config, RKE2ConfigTemplate } from "../src/api.ts";
import { createBootstrapRke2K3sProvider } from "../src/index.ts";
import { RKE2ControlPlane } from "./rke2-control-plane.ts";

const clusterSpec = { controlPlaneEndpoint: { host: "192.0.2.10", port: 6443 } };

const kinds = [RKE2Config, RKE2ConfigTemplate, RKE2ControlPlane, KThreesConfig, KThreesConfigTemplate];

const provider = () => createBootstrapRke2K3sProvider();

/** Agents of a pool join by the cluster's token. */
const token = (core: CorePart) => core.createSecret("orchid-token", { value: toBase64("token") });

export const testConfigs = (tools: SuiteTools): void => {
  bootstrapConformance(tools, {
    kinds,
    configKind: RKE2Config,
    configSpec: { agentConfig: { nodeName: "{{ ds.meta_data.label }}" }, preRKE2Commands: ["swapoff -a"] },
    clusterSpec,
    machineSpec: { version: "v1.35.4+rke2r1" },
    formats: ["cloud-config"],
    pool: { configSpec: {}, prepare: token, change: { preRKE2Commands: ["date"] } },
    provider,
  });

  bootstrapConformance(tools, {
    kinds,
    configKind: KThreesConfig,
    configSpec: { serverConfig: { disableComponents: ["traefik"] } },
    clusterSpec,
    machineSpec: { version: "v1.35.4+k3s1" },
    formats: ["cloud-config"],
    pool: { configSpec: {}, prepare: token, change: { preK3sCommands: ["date"] } },
    provider,
  });
};
