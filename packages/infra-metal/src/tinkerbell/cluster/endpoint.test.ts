import { describe, expect, it } from "vitest";
import type { TinkerbellCluster } from "../api/tinkerbell-cluster.v1beta1.ts";
import { endpointOf } from "./endpoint.ts";

const cluster = (host?: string) => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { name: "c" },
  spec: host === undefined ? {} : { controlPlaneEndpoint: { host, port: 443 } },
});

const infrastructure = (controlPlaneEndpoint?: { readonly host?: string; readonly port?: number }) =>
  ({ metadata: { name: "c" }, spec: { ...(controlPlaneEndpoint && { controlPlaneEndpoint }) } }) as TinkerbellCluster;

describe("endpointOf", () => {
  it("takes the infrastructure's own before that of the Cluster", () => {
    expect(endpointOf(infrastructure({ host: "10.0.0.1", port: 8443 }), cluster("10.0.0.2"))).toEqual({
      host: "10.0.0.1",
      port: 8443,
    });
  });

  it("has the port 6443 where none is given", () => {
    expect(endpointOf(infrastructure({ host: "10.0.0.1" }), cluster())).toEqual({ host: "10.0.0.1", port: 6443 });
  });

  it("takes that of the Cluster where the infrastructure has no host", () => {
    expect(endpointOf(infrastructure({ port: 8443 }), cluster("10.0.0.2"))).toEqual({ host: "10.0.0.2", port: 443 });
    expect(endpointOf(infrastructure(), cluster())).toBeUndefined();
  });
});
