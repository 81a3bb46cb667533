import { bootstrapConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { SimpleConfig, SimpleConfigTemplate } from "./simple-config.ts";
import { createProvider } from "./simple-provider.ts";

bootstrapConformance(
  { afterAll, beforeAll, describe, it },
  {
    kinds: [SimpleConfig, SimpleConfigTemplate],
    configKind: SimpleConfig,
    configSpec: { files: [{ path: "/etc/motd", content: "hello\n" }], commands: ["swapoff -a"] },
    clusterSpec: { controlPlaneEndpoint: { host: "192.0.2.10", port: 6443 } },
    formats: ["cloud-config"],
    provider: createProvider,
  },
);
