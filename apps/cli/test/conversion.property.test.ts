import { createBootstrapKubeadmProvider } from "@capstan/bootstrap-kubeadm";
import {
  KubeadmConfig,
  KubeadmConfigTemplate,
  KubeadmConfigTemplateV1Beta1,
  KubeadmConfigV1Beta1,
} from "@capstan/bootstrap-kubeadm/api";
import { createBootstrapRke2K3sProvider } from "@capstan/bootstrap-rke2-k3s";
import {
  KThreesConfig,
  KThreesConfigTemplate,
  KThreesConfigTemplateV1Beta1,
  KThreesConfigV1Beta1,
  RKE2Config,
  RKE2ConfigTemplate,
  RKE2ConfigTemplateV1Beta1,
  RKE2ConfigV1Beta1,
} from "@capstan/bootstrap-rke2-k3s/api";
import { Annotation } from "@capstan/contract";
import { createControlplaneKubeadmProvider } from "@capstan/controlplane-kubeadm";
import {
  KubeadmControlPlane,
  KubeadmControlPlaneTemplate,
  KubeadmControlPlaneTemplateV1Beta1,
  KubeadmControlPlaneV1Beta1,
} from "@capstan/controlplane-kubeadm/api";
import { createControlplaneRke2K3sProvider } from "@capstan/controlplane-rke2-k3s";
import {
  KThreesControlPlane,
  KThreesControlPlaneV1Beta1,
  RKE2ControlPlane,
  RKE2ControlPlaneTemplate,
  RKE2ControlPlaneTemplateV1Beta1,
  RKE2ControlPlaneV1Beta1,
} from "@capstan/controlplane-rke2-k3s/api";
import { createCoreProvider } from "@capstan/core";
import {
  Cluster,
  ClusterV1Beta1,
  IPAddress,
  IPAddressClaim,
  IPAddressClaimV1Alpha1,
  IPAddressClaimV1Beta1,
  IPAddressV1Alpha1,
  IPAddressV1Beta1,
  Machine,
  MachineDeployment,
  MachineDeploymentV1Beta1,
  MachineDrainRule,
  MachineDrainRuleV1Beta1,
  MachineHealthCheck,
  MachineHealthCheckV1Beta1,
  MachinePool,
  MachinePoolV1Beta1,
  MachineSet,
  MachineSetV1Beta1,
  MachineV1Beta1,
} from "@capstan/core/api";
import { apiVersionOf, type Kind, type KubeObject } from "@capstan/schema";
import { validate } from "@capstan/schema/structural";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryOf } from "./arbitrary.ts";

const kinds = [
  [Machine, MachineV1Beta1],
  [Cluster, ClusterV1Beta1],
  [MachineSet, MachineSetV1Beta1],
  [MachineDeployment, MachineDeploymentV1Beta1],
  [MachineHealthCheck, MachineHealthCheckV1Beta1],
  [MachineDrainRule, MachineDrainRuleV1Beta1],
  [MachinePool, MachinePoolV1Beta1],
  [IPAddress, IPAddressV1Beta1],
  [IPAddress, IPAddressV1Alpha1],
  [IPAddressClaim, IPAddressClaimV1Beta1],
  [IPAddressClaim, IPAddressClaimV1Alpha1],
  [KubeadmConfig, KubeadmConfigV1Beta1],
  [KubeadmConfigTemplate, KubeadmConfigTemplateV1Beta1],
  [RKE2Config, RKE2ConfigV1Beta1],
  [RKE2ConfigTemplate, RKE2ConfigTemplateV1Beta1],
  [RKE2ControlPlane, RKE2ControlPlaneV1Beta1],
  [RKE2ControlPlaneTemplate, RKE2ControlPlaneTemplateV1Beta1],
  [KThreesConfig, KThreesConfigV1Beta1],
  [KThreesConfigTemplate, KThreesConfigTemplateV1Beta1],
  [KThreesControlPlane, KThreesControlPlaneV1Beta1],
  [KubeadmControlPlane, KubeadmControlPlaneV1Beta1],
  [KubeadmControlPlaneTemplate, KubeadmControlPlaneTemplateV1Beta1],
] as unknown as readonly (readonly [Kind, Kind])[];

const webhooks = [
  createCoreProvider(),
  createBootstrapKubeadmProvider(),
  createBootstrapRke2K3sProvider(),
  createControlplaneKubeadmProvider(),
  createControlplaneRke2K3sProvider(),
].flatMap((provider) => provider.webhooks ?? []);
const lookup = (group: string): string => `${group}/v1beta7`;

const objects = ({ schema, kind, ...resource }: Kind): fc.Arbitrary<KubeObject> => {
  const { spec = {}, status } = schema.properties ?? {};
  const parts = { spec: arbitraryOf(spec), ...(status && { status: arbitraryOf(status) }) };
  const metadata = { name: "one", namespace: "default", annotations: { note: "stays" } };
  return fc
    .record(parts, { requiredKeys: ["spec"], noNullPrototype: true })
    .map((body) => ({ apiVersion: apiVersionOf(resource), kind, metadata, ...body }));
};

const withoutSaved = (object: KubeObject): KubeObject => {
  const { [Annotation.conversionData]: _, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
};

/** Without what is documented to get lost: false, which older versions have for unset, and what that leaves empty. */
const withoutFalse = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutFalse);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutFalse(member)] as const);
  return Object.fromEntries(
    members.filter(
      ([, member]) => member !== false && JSON.stringify(member) !== "{}" && JSON.stringify(member) !== "[]",
    ),
  );
};

const named = kinds.map(([newer, older]) => ({ name: newer.kind, version: older.version, newer, older }));

describe.each(named)("$name and its $version", ({ newer, older }) => {
  const convert = webhooks.find(({ kind }) => kind === newer)!.convert!;
  const down = (object: KubeObject) => convert(object, apiVersionOf(older), lookup);
  const up = (object: KubeObject) => convert(object, apiVersionOf(newer), lookup);
  const any = objects(newer);

  it("survives the way to the older version and back, valid on both sides", () => {
    fc.assert(
      fc.property(any, (object) => {
        expect(validate(newer.schema, object)).toEqual([]);
        const older1 = down(object);
        expect(validate(older.schema, older1)).toEqual([]);
        expect(up(older1)).toEqual(object);
      }),
      { numRuns: 60 },
    );
  });

  it("of the older version survives the way to v1beta2 and back, valid on both sides", () => {
    fc.assert(
      fc.property(any, (object) => {
        const first = withoutSaved(down(object));
        const stored = up(first);
        expect(validate(newer.schema, stored)).toEqual([]);
        expect(withoutFalse(withoutSaved(down(stored)))).toEqual(withoutFalse(first));
      }),
      { numRuns: 60 },
    );
  });

  it("of the older version as its clients may write it means the same after a second conversion", () => {
    fc.assert(
      fc.property(objects(older), (object) => {
        const stored = up(object);
        expect(up(withoutSaved(down(stored)))).toEqual(stored);
      }),
      { numRuns: 60 },
    );
  });
});
