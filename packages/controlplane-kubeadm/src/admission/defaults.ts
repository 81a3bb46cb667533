import { isJsonObject, type KubeObject } from "@capstan/schema";
import { replaced } from "@capstan/kit/machines";
import type { KubeadmControlPlane, KubeadmControlPlaneTemplate } from "../api.ts";

type Spec = KubeadmControlPlane["spec"];
type Rollout = NonNullable<Spec["rollout"]>;
type Strategy = NonNullable<Rollout["strategy"]>;

/** Machines above the number wanted that a rollout has when no one says how many. */
const defaultMaxSurge = 1;

const withStrategy = (rollout: Rollout | undefined): Rollout => {
  const strategy: Partial<Strategy> = rollout?.strategy ?? {};
  return replaced<Rollout>(rollout ?? {}, {
    strategy: replaced<Strategy>((rollout?.strategy ?? {}) as Strategy, {
      type: "RollingUpdate",
      rollingUpdate: replaced<NonNullable<Strategy["rollingUpdate"]>>(strategy.rollingUpdate ?? {}, {
        maxSurge: strategy.rollingUpdate?.maxSurge ?? defaultMaxSurge,
      }),
    }),
  });
};

const withPrefix = (version: string): string => (version === "" || version.startsWith("v") ? version : `v${version}`);

/** Admission comes before validation: what has no spec, or no version as text, is left for the schema to refuse. */
const isWhole = ({ spec }: KubeObject): boolean => isJsonObject(spec) && typeof spec["version"] === "string";

/** The control plane with what is filled in where no one says it. The same object when nothing is missing. */
export const defaultControlPlane = (object: KubeadmControlPlane): KubeadmControlPlane =>
  isWhole(object)
    ? replaced<KubeadmControlPlane>(object, {
        spec: replaced<Spec>(object.spec, {
          replicas: object.spec.replicas ?? 1,
          version: withPrefix(object.spec.version),
          rollout: withStrategy(object.spec.rollout),
        }),
      })
    : object;

type TemplateSpec = NonNullable<KubeadmControlPlaneTemplate["spec"]>;
type Inner = NonNullable<TemplateSpec["template"]["spec"]>;

/** As `defaultControlPlane`, for a template, which has neither replicas nor a version. */
export const defaultTemplate = (object: KubeadmControlPlaneTemplate): KubeadmControlPlaneTemplate => {
  const { spec } = object;
  if (!isJsonObject(spec) || !isJsonObject(spec["template"])) return object;
  const { template } = spec;
  return replaced<KubeadmControlPlaneTemplate>(object, {
    spec: replaced<TemplateSpec>(spec, {
      template: replaced<TemplateSpec["template"]>(template, {
        spec: replaced<Inner>(template.spec ?? {}, { rollout: withStrategy(template.spec?.rollout) }),
      }),
    }),
  });
};
