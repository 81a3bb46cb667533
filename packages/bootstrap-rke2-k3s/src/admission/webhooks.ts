import type { KindWebhooksV1 } from "@capstan/contract/v1";
import { forbidden } from "@capstan/kit/admission";
import { type Cause, type KubeObject, type Resource, sameJson } from "@capstan/schema";
import * as api from "../api.ts";
import { converters } from "../conversion/converters.ts";
import { checkKthreesControlPlane, checkKthreesSpec, defaultedKthreesSpec, kthreesWarnings } from "./kthrees-config.ts";
import { defaultedKthreesControlPlane } from "./kthrees-control-plane.ts";
import { checkRke2Spec, defaultedRke2Spec, rke2ConfigWarnings } from "./rke2-config.ts";
import * as controlPlane from "./rke2-control-plane.ts";

/** What is done with the spec of a kind, wherever in the object it stands. */
interface SpecRules<S> {
  readonly complete: (spec: S) => S;
  readonly check: (spec: S, field: string) => readonly Cause[];
  readonly warnings?: (spec: S, field: string) => readonly string[];
}

const rke2: SpecRules<api.RKE2ConfigSpec> = {
  complete: defaultedRke2Spec,
  check: checkRke2Spec,
  warnings: rke2ConfigWarnings,
};

const kthrees: SpecRules<api.KThreesConfigSpec> = {
  complete: defaultedKthreesSpec,
  check: checkKthreesSpec,
  warnings: kthreesWarnings,
};

const shared: SpecRules<controlPlane.Shared> = {
  complete: controlPlane.defaultedShared,
  check: controlPlane.checkShared,
  warnings: controlPlane.controlPlaneWarnings,
};

type Path = readonly string[];

const at = (object: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], object);

const withAt = (object: unknown, [name, ...rest]: Path, value: unknown): unknown =>
  name === undefined
    ? value
    : { ...(object as object), [name]: withAt((object as Readonly<Record<string, unknown>>)[name], rest, value) };

/** Webhooks of a kind whose spec stands at `path`. What the sender left out altogether is left to the schema. */
const webhooks = <S>(
  kind: Resource,
  path: string,
  rules: SpecRules<S>,
  more?: (object: KubeObject, old: KubeObject | undefined) => readonly Cause[],
): KindWebhooksV1 => {
  const names = path.split(".");
  const convert = converters[`${kind.plural}.${kind.group}`];
  return {
    kind,
    ...(convert !== undefined && { convert }),
    default: (object) => {
      const spec = at(object, names) as S | undefined;
      if (spec === undefined) return { object };
      const complete = rules.complete(spec);
      const warnings = rules.warnings?.(complete, path) ?? [];
      return { object: sameJson(spec, complete) ? object : (withAt(object, names, complete) as KubeObject), warnings };
    },
    validate: (object, { old }) => {
      const spec = at(object, names) as S | undefined;
      return [...(spec === undefined ? [] : rules.check(spec, path)), ...(more?.(object, old) ?? [])];
    },
  };
};

/** A template that objects were made from cannot become another one. */
const keepsSpec = (object: KubeObject, old: KubeObject | undefined): readonly Cause[] =>
  old === undefined || sameJson(at(old, ["spec"]), at(object, ["spec"]))
    ? []
    : [forbidden("spec", "a template is immutable; create a new one")];

const ofKthreesControlPlane = webhooks(api.KThreesControlPlane, "spec.kthreesConfigSpec", kthrees, (object, old) =>
  checkKthreesControlPlane(object as api.KThreesControlPlane, old as api.KThreesControlPlane | undefined),
);

const kthreesControlPlane: KindWebhooksV1 = {
  ...ofKthreesControlPlane,
  default: (object, ...rest) => {
    const complete = defaultedKthreesControlPlane(object);
    return ofKthreesControlPlane.default?.(complete, ...rest) ?? { object: complete };
  },
};

/** Conversion, defaults and rules of all kinds. */
export const allWebhooks: readonly KindWebhooksV1[] = [
  webhooks(api.RKE2Config, "spec", rke2),
  webhooks(api.RKE2ConfigTemplate, "spec.template.spec", rke2),
  webhooks(
    api.RKE2ControlPlane,
    "spec",
    { ...shared, complete: controlPlane.defaultedControlPlaneSpec },
    (object, old) =>
      controlPlane.checkControlPlane(object as api.RKE2ControlPlane, old as api.RKE2ControlPlane | undefined),
  ),
  webhooks(api.RKE2ControlPlaneTemplate, "spec.template.spec", shared, keepsSpec),
  webhooks(api.KThreesConfig, "spec", kthrees),
  webhooks(api.KThreesConfigTemplate, "spec.template.spec", kthrees),
  kthreesControlPlane,
  webhooks(api.KThreesControlPlaneTemplate, "spec.template.spec.kthreesConfigSpec", kthrees),
];
