import { CapstanError, Label } from "@capstan/contract";
import { createCertificateAuthority } from "@capstan/pki";
import type { KubeObject } from "@capstan/schema";
import { seededRandom } from "@capstan/testing";
import { beforeAll, expect, it } from "vitest";
import type { KubeadmConfig } from "../api/kubeadm-config.v1beta2.ts";
import { specAtCreation } from "./spec-at-creation.ts";

let authority = { certificate: "", key: "" };
beforeAll(async () => {
  authority = await createCertificateAuthority({ now: 0, algorithm: "ECDSA-P256" });
});

const object = (kind: string, parts: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind,
  metadata: { namespace: "n", name: "m" },
  ...parts,
});
const endpoint = { host: "192.0.2.10", port: 6443 };

const asked = (spec: KubeadmConfig["spec"], { reachable = true, labels = {}, hasAuthority = true } = {}) =>
  specAtCreation({
    object: { ...object("KubeadmConfig"), spec } as KubeadmConfig,
    cluster: object("Cluster", reachable ? { spec: { controlPlaneEndpoint: endpoint } } : {}),
    machine: object("Machine", { metadata: { namespace: "n", name: "m", labels } }),
    random: seededRandom(1),
    clusterSecret: async () =>
      hasAuthority ? { "tls.crt": authority.certificate, "tls.key": authority.key } : undefined,
  });

it("is the discovery of a worker, with what its template says of it", async () => {
  const given = { joinConfiguration: { discovery: { bootstrapToken: { token: "abcdef.0123456789abcdef" } } } };
  expect(await asked(undefined)).toEqual({
    joinConfiguration: {
      discovery: {
        bootstrapToken: {
          apiServerEndpoint: "192.0.2.10:6443",
          caCertHashes: [expect.stringMatching(/^sha256:/) as string],
          token: expect.stringMatching(/^[a-z0-9]{6}\.[a-z0-9]{16}$/) as string,
        },
      },
    },
  });
  const kept = await asked(given);
  expect(JSON.stringify(kept)).toContain("apiServerEndpoint");
  expect(JSON.stringify(kept)).not.toContain('token":');
});

it.each([
  ["there is no endpoint yet", undefined, { reachable: false }],
  ["it is of a control plane", undefined, { labels: { [Label.controlPlane]: "" } }],
  ["it may begin a cluster", { initConfiguration: {} }, {}],
] as const)("is nothing where %s", async (_why, spec, around) => {
  expect(await asked(spec, around)).toBeUndefined();
});

it("fails as `generate` does without an authority", async () => {
  await expect(asked(undefined, { hasAuthority: false })).rejects.toBeInstanceOf(CapstanError);
});
