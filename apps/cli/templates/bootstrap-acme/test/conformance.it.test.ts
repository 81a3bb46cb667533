import { bootstrapConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { AcmeConfig, AcmeConfigTemplate } from "../src/api.ts";
import { createBootstrapAcmeProvider } from "../src/index.ts";

bootstrapConformance(
  { afterAll, beforeAll, describe, it },
  {
    kinds: [AcmeConfig, AcmeConfigTemplate],
    configKind: AcmeConfig,
    configSpec: { files: [{ path: "/etc/motd", content: "hello\n" }], commands: ["swapoff -a"] },
    clusterSpec: { controlPlaneEndpoint: { host: "192.0.2.10", port: 6443 } },
    formats: ["cloud-config"],
    provider: () => createBootstrapAcmeProvider(),
  },
);
