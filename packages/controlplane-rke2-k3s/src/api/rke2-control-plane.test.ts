import { RKE2ControlPlaneResource } from "@capstan/bootstrap-rke2-k3s/spec";
import type { Resource } from "@capstan/schema";
import { expect, it } from "vitest";
import { RKE2ControlPlane } from "./rke2-control-plane.v1beta2.ts";

it("is the RKE2ControlPlane that RKE2Configs read", () => {
  type Read = NonNullable<(typeof RKE2ControlPlaneResource)["Type"]>;
  // Compiles only while every field that is read has its type here.
  const read: Resource<Read> = RKE2ControlPlane satisfies Resource<RKE2ControlPlane>;
  expect(read).toMatchObject(RKE2ControlPlaneResource);
});
