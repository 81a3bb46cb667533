import { bootstrapConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { CompositeConfig, CompositeConfigTemplate } from "../src/api.ts";
import { createBootstrapCompositeProvider } from "../src/index.ts";

bootstrapConformance(
  { afterAll, beforeAll, describe, it },
  {
    kinds: [CompositeConfig, CompositeConfigTemplate],
    configKind: CompositeConfig,
    configSpec: {
      parts: [
        { name: "base", content: "#cloud-config\nruncmd: [echo base]\n" },
        { name: "tune", content: "#!/bin/sh\necho tune\n" },
      ],
    },
    formats: ["cloud-config"],
    pool: {
      configSpec: { parts: [{ name: "base", content: "#cloud-config\nruncmd: [echo base]\n" }] },
      change: { parts: [{ name: "base", content: "#cloud-config\nruncmd: [echo else]\n" }] },
    },
    provider: () => createBootstrapCompositeProvider(),
  },
);
