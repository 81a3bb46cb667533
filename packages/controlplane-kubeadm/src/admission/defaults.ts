import { isJsonObject, type KubeObject, sameJson } from "@capstan/schema";
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

type Inner = NonNullable<NonNullable<KubeadmControlPlaneTemplate["spec"]>["template"]["spec"]>;

/** The spec of a template, in which a strategy that is the default counts as none: earlier releases filled it in. */
export const withoutDefaults = (spec: Inner): Inner => {
  const { rollout, ...others } = spec;
  const { strategy, ...rest } = rollout ?? {};
  if (strategy === undefined || !sameJson(strategy, withStrategy(undefined).strategy)) return spec;
  return Object.keys(rest).length === 0 ? others : { ...others, rollout: rest };
};
