import { Group } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { ready, bootstrapConfig } from "@capstan/kit/bootstrap";
import { controlPlane, hasNode } from "@capstan/kit/control-plane";
import type { ControlPlaneAuthor } from "@capstan/kit/control-plane";
import { PlainConfig, PlainControlPlane } from "./plain-kinds.ts";

/** A control plane that is initialized with its first Node. */
export const plainControlPlaneAuthor: ControlPlaneAuthor<PlainControlPlane> = {
  kind: PlainControlPlane,
  configKind: PlainConfig,
  finalizer: `plain.${Group.controlPlane}`,
  fieldManager: "capstan-plain-control-plane",
  desired: ({ spec }) => {
    const { metadata, spec: machine } = spec.machineTemplate;
    return {
      replicas: spec.replicas,
      version: spec.version,
      infrastructureRef: machine.infrastructureRef,
      ...(metadata === undefined ? {} : { metadata }),
      ...(machine.deletion === undefined ? {} : { settings: { deletion: machine.deletion } }),
      ...(spec.rollout === undefined ? {} : { rollout: spec.rollout }),
      ...(spec.remediation === undefined ? {} : { remediation: spec.remediation }),
    };
  },
  bootstrapConfig: ({ object, role }) => ({
    role,
    ...(object.spec.version === undefined ? {} : { version: object.spec.version }),
  }),
  initialized: async ({ members }) => members.some(hasNode),
};

/** The plain control plane and its bootstrap configs: for tests, and as the smallest whole example of a control plane provider. */
export const createPlainControlPlaneProvider = (): ProviderV1 =>
  defineProvider({
    name: "controlplane-plain",
    kinds: [PlainConfig, PlainControlPlane],
    register: (host) => {
      host.add(controlPlane(plainControlPlaneAuthor));
      host.add(
        bootstrapConfig({
          kind: PlainConfig,
          generate: async ({ object }) =>
            ready({ value: `#cloud-config\n# ${object.spec.role}\n`, format: "cloud-config" }),
        }),
      );
    },
  });
